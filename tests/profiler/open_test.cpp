// Opening what others made: damaged, foreign, newer, oddly named or unwritable files. Nothing crashes, nothing changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "profiler/db/database.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_graph.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Reason = DatabaseError::Reason;

std::string read_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

void sql(const std::string& path, const std::string& text) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, &error), SQLITE_OK) << (error ? error : "");
    sqlite3_free(error);
    sqlite3_close(handle);
}

/// The reason for which a file is refused; fails the test when it opens.
Reason refused(const std::string& path, std::string* message = nullptr) {
    try {
        Database::open_readonly(path);
    } catch (const DatabaseError& error) {
        if (message) *message = error.what();
        EXPECT_THAT(error.what(), HasSubstr(path));
        return error.reason();
    }
    ADD_FAILURE() << path << " was opened";
    return Reason::failed;
}

/// Asks a bit of everything; throws DatabaseError at most.
void read_everything(Database& db) {
    query::runs(db);
    query::times_by_kind(db);
    query::times_by_line(db);
    query::findings(db);
    query::time_span(db);
    for (const query::Graph& graph : query::graphs(db)) {
        for (const query::Stage& stage : query::stages(db, graph.id)) query::stage_graph(db, stage.id);
    }
}

class Open : public ::testing::Test {
 protected:
    testing::TemporaryFolder folder;
    std::string path = testing::write_sample_profile(folder.path);

    std::set<std::string> files() {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder.path)) names.insert(entry.path().filename());
        return names;
    }
};

TEST_F(Open, RefusesWhatIsNoProfileAndSaysWhy) {
    std::string message;
    EXPECT_EQ(refused(folder / "absent.fscope", &message), Reason::cannot_open);
    EXPECT_THAT(message, HasSubstr("no such file"));
    EXPECT_EQ(refused(folder.path.string(), &message), Reason::cannot_open);
    EXPECT_THAT(message, HasSubstr("folder"));
    EXPECT_EQ(refused("/dev/null"), Reason::cannot_open);
    write_file(folder / "text", "import mindspore as ms\n");
    EXPECT_EQ(refused(folder / "text", &message), Reason::not_a_profile);
    EXPECT_THAT(message, HasSubstr("no SQLite database"));
    write_file(folder / "empty", "");
    EXPECT_EQ(refused(folder / "empty"), Reason::not_a_profile);
    sql(folder / "other.db", "CREATE TABLE t (x); PRAGMA user_version = 1");
    EXPECT_EQ(refused(folder / "other.db", &message), Reason::not_a_profile);
    EXPECT_THAT(message, HasSubstr("another program"));
}

TEST_F(Open, RefusesANewerVersionAndSaysToUpdate) {
    sql(path, "PRAGMA user_version = 2");
    std::string message;
    EXPECT_EQ(refused(path, &message), Reason::newer);
    EXPECT_THAT(message, HasSubstr("version 2"));
    EXPECT_THAT(message, HasSubstr("Update fusescope"));
}

TEST_F(Open, RefusesAProfileThatLacksPromisedTables) {
    sql(path, "DROP TABLE finding");
    std::string message;
    EXPECT_EQ(refused(path, &message), Reason::damaged);
    EXPECT_THAT(message, HasSubstr("'finding' is missing"));
}

TEST_F(Open, CopesWithoutTablesAndColumnsThatWereAddedLater) {
    sql(path,
        "DROP TABLE scope; DROP TABLE drop_record; ALTER TABLE op_event DROP COLUMN scope_id; "
        "ALTER TABLE node DROP COLUMN position; ALTER TABLE stage DROP COLUMN nodes");
    Database db = Database::open_readonly(path);
    read_everything(db);
    EXPECT_EQ(query::times_by_kind(db).size(), 7u);
    EXPECT_EQ(query::times_by_scope(db).size(), 2u);  // one nameless scope for each clock
}

TEST_F(Open, NothingStoredInTheFileIsExecuted) {
    sql(path, "ALTER TABLE finding RENAME TO hidden; CREATE VIEW finding AS SELECT * FROM hidden");
    EXPECT_EQ(refused(path), Reason::damaged);
    sql(path,
        "DROP VIEW finding; ALTER TABLE hidden RENAME TO finding; CREATE VIEW extra AS SELECT 1 AS x; "
        "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM run; END");
    Database db = Database::open_readonly(path);
    EXPECT_THROW(db.integer("SELECT x FROM extra"), DatabaseError);
    EXPECT_THROW(db.execute("DELETE FROM run"), DatabaseError);
    EXPECT_THROW(db.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema"), DatabaseError);
}

TEST_F(Open, OddPathsAreOnlyPaths) {
    for (const char* name : {"with space.fscope", "a?mode=rwc.fscope", "a#b.fscope", "50%25.fscope", "完成.fscope",
                             "file:x.fscope", "quote'\".fscope", "a&vfs=memdb.fscope", "-x.fscope"}) {
        std::string odd = folder / name;
        fs::copy_file(path, odd);
        Database db = Database::open_readonly(odd);
        EXPECT_EQ(query::runs(db).at(0).status, "ok") << name;
    }
    EXPECT_EQ(files().size(), 11u);  // the copies, the profile and its script
    fs::path before = fs::current_path();
    fs::current_path(folder.path);
    EXPECT_EQ(query::runs(*std::make_unique<Database>(Database::open_readonly("-x.fscope"))).size(), 1u);
    fs::current_path(before);
}

TEST_F(Open, LeavesNothingBehindAndChangesNothing) {
    std::string before = read_file(path);
    {
        Database db = Database::open_readonly(path);
        read_everything(db);
        EXPECT_THAT(files(), UnorderedElementsAre("train.fscope", "train.py"));
    }
    EXPECT_THAT(files(), UnorderedElementsAre("train.fscope", "train.py"));
    EXPECT_EQ(read_file(path), before);
}

TEST_F(Open, WorksInAFolderThatMayNotBeWritten) {
    // A log mode file without its log, as a copy of only the main file of a killed run would be.
    sql(path, "PRAGMA journal_mode=WAL");
    chmod(path.c_str(), 0444);
    chmod(folder.path.c_str(), 0555);
    {
        Database db = Database::open_readonly(path);
        read_everything(db);
        EXPECT_THAT(files(), UnorderedElementsAre("train.fscope", "train.py"));
    }
    EXPECT_THAT(files(), UnorderedElementsAre("train.fscope", "train.py"));
    chmod(folder.path.c_str(), 0755);
}

TEST_F(Open, CutAtAnyLengthItIsRefusedOrReadButNeverCrashes) {
    const std::string whole = read_file(path);
    std::string cut = folder / "cut.fscope";
    int refusals = 0;
    int tried = 0;
    auto attempt = [&](std::size_t length) {
        write_file(cut, whole.substr(0, length));
        ++tried;
        try {
            Database db = Database::open_readonly(cut);
            read_everything(db);
        } catch (const DatabaseError&) {
            ++refusals;
        }
    };
    for (std::size_t length = 0; length < 200; ++length) attempt(length);
    for (std::size_t length = 200; length < whole.size(); length += 997) attempt(length);
    for (std::size_t page = 4096; page < whole.size(); page += 4096) attempt(page);
    EXPECT_EQ(refusals, tried);
    EXPECT_GT(tried, 300);
}

TEST_F(Open, RandomBytesInTheFileNeverCrashAReader) {
    const std::string whole = read_file(path);
    std::string spoilt = folder / "spoilt.fscope";
    std::mt19937 random(42);
    int read = 0;
    for (int attempt = 0; attempt < 300; ++attempt) {
        std::string bytes = whole;
        for (int change = 0; change < 1 + attempt % 40; ++change) {
            bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random());
        }
        write_file(spoilt, bytes);
        try {
            Database db = Database::open_readonly(spoilt);
            read_everything(db);
            ++read;
        } catch (const DatabaseError&) {
        }
    }
    EXPECT_GT(read, 0);
    EXPECT_LT(read, 300);
}

TEST_F(Open, AHalfWrittenJournalIsRolledBackInAPrivateCopy) {
    // Stop a writer in the middle of a transaction in rollback mode, with changes in the file.
    std::string half = folder / "half.fscope";
    fs::copy_file(path, half);
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(half.c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle,
                           "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE op_event SET duration_ns = -7; "
                           "UPDATE memory_event SET total_bytes = 0; UPDATE node SET name = zeroblob(3000)",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    ASSERT_TRUE(fs::exists(half + "-journal"));
    std::string torn = folder / "torn.fscope";
    fs::copy_file(half, torn);
    fs::copy_file(half + "-journal", torn + "-journal");
    sqlite3_close(handle);
    std::string before = read_file(torn);
    ASSERT_NE(before, read_file(path)) << "the writer has not touched the file";
    {
        Database db = Database::open_readonly(torn);
        EXPECT_EQ(db.integer("SELECT count(*) FROM op_event WHERE duration_ns < 0"), 0);
    }
    EXPECT_EQ(read_file(torn), before);
    EXPECT_TRUE(fs::exists(torn + "-journal"));
}

}  // namespace
}  // namespace fusescope
