// Opening a profile that somebody else made: untrusted, maybe growing, maybe cut short, maybe on read-only media.
// Which of SQLite's ways is right depends on what lies beside the file, because none works everywhere:
//
//   beside the file          way
//   nothing                  plain read-only; immutable when even locking is impossible there
//   -wal and -shm            as one reader among others (a run that is being recorded, or that was killed)
//   -wal only                privately: the log is read into memory, no lock is taken, no -shm is made
//   -journal, half written   on a private copy that is rolled back
#include <fmt/core.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include "profiler/db/database.hpp"
#include "profiler/db/uri.hpp"
#include "profiler/schema/schema.hpp"

namespace fusescope {

namespace fs = std::filesystem;
using Reason = DatabaseError::Reason;

/// The steps of Database::open_readonly; a class only so that Database can befriend it.
class ReadonlyOpening {
 public:
    explicit ReadonlyOpening(const std::string& path) : path_(path) {}

    Database run() {
        check_it_is_a_file();
        bool log = not_empty(path_ + "-wal");
        bool shared_memory = exists(path_ + "-shm");
        bool journal = not_empty(path_ + "-journal");
        if (log && !shared_memory) return opened_privately();
        if (!log && !shared_memory && !journal) {
            Database database = open("mode=ro", nullptr);
            Header found = header(database);
            // SQLite itself takes a last page that is cut for a whole one.
            if (found.cut_short) damaged("its end is missing");
            // A file in WAL mode without its log: SQLite would make one beside it.
            if (found.wal_mode) return ready(open("mode=ro&immutable=1", nullptr));
            return or_else([&] { return ready(std::move(database)); },
                           [&] { return ready(open("mode=ro&immutable=1", nullptr)); });
        }
        if (journal && !log) {
            return or_else([&] { return ready(open("mode=ro", nullptr)); }, [&] { return opened_as_copy(); });
        }
        return or_else([&] { return ready(open("mode=ro", nullptr)); }, [&] { return opened_privately(); });
    }

 private:
    struct Header {
        bool wal_mode = false;
        bool cut_short = false;  ///< the file is shorter than it says; with a log beside it that may be right
    };

    void check_it_is_a_file() const {
        std::error_code error;
        fs::file_status status = fs::status(path_, error);
        if (!fs::exists(status)) {
            throw DatabaseError(Reason::cannot_open, path_,
                                fmt::format("cannot open '{}': no such file. Check the name, or record one with "
                                            "'fusescope --record {} SCRIPT'",
                                            path_, path_));
        }
        if (fs::is_directory(status)) {
            throw DatabaseError(Reason::cannot_open, path_,
                                fmt::format("cannot open '{}': it is a folder. Name a profile (.fscope) in it", path_));
        }
        if (!fs::is_regular_file(status)) {
            throw DatabaseError(Reason::cannot_open, path_,
                                fmt::format("cannot open '{}': it is not a regular file", path_));
        }
    }

    static bool exists(const std::string& path) {
        std::error_code error;
        return fs::exists(path, error);
    }
    static bool not_empty(const std::string& path) {
        std::error_code error;
        auto size = fs::file_size(path, error);
        return !error && size > 0;
    }

    /// Falls back only where another way of opening can help: not when the content itself was refused.
    template <class First, class Second>
    static Database or_else(First first, Second second) {
        try {
            return first();
        } catch (const DatabaseError& error) {
            if (error.reason() != Reason::cannot_open && error.reason() != Reason::failed) throw;
        }
        return second();
    }

    Database open(std::string_view query, const char* vfs) const {
        Database database = Database::open(sqlite_uri(path_, query), path_, SQLITE_OPEN_READONLY, vfs);
        harden(database);
        return database;
    }

    static void harden(Database& database) {
        sqlite3* handle = database.handle_;
        sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
        sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
        sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
        // A reader must not move the log of a killed run into the file when it closes.
        sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        sqlite3_busy_timeout(handle, 2000);
        // A mapped file that is cut while it is read would raise SIGBUS; temporary results need no files.
        sqlite3_exec(handle, "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON", nullptr,
                     nullptr, nullptr);
    }

    /// The first bytes of the file, through SQLite's own descriptor: closing one of ours would drop the locks that
    /// other connections of this process hold on the file.
    Header header(Database& database) const {
        sqlite3_file* file = nullptr;
        sqlite3_file_control(database.handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file);
        unsigned char bytes[100] = {};
        bool readable = file && file->pMethods && file->pMethods->xRead(file, bytes, sizeof bytes, 0) == SQLITE_OK;
        if (!readable || std::memcmp(bytes, "SQLite format 3", 16) != 0) {
            throw DatabaseError(Reason::not_a_profile, path_,
                                fmt::format("'{}' is not a profile: it is no SQLite database. Open a .fscope file that "
                                            "'fusescope --record' wrote",
                                            path_));
        }
        auto number = [&bytes](int at, int length) {
            std::int64_t value = 0;
            for (int i = 0; i < length; ++i) value = value << 8 | bytes[at + i];
            return value;
        };
        Header header;
        header.wal_mode = bytes[18] == 2 || bytes[19] == 2;
        std::int64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
        sqlite3_int64 size = 0;
        // The page count is valid only while the two counters agree (file format, section 1.3).
        bool count_is_valid = number(24, 4) == number(92, 4);
        file->pMethods->xFileSize(file, &size);
        header.cut_short = count_is_valid && size < page * number(28, 4);
        return header;
    }

    Database opened_privately() const {
        // Without locks SQLite takes the database for its own and keeps the index of the log in memory.
        return or_else(
            [&] {
                Database database = open("mode=ro", "unix-none");
                database.execute("PRAGMA locking_mode=EXCLUSIVE");
                return ready(std::move(database));
            },
            [&] { return ready(open("mode=ro&immutable=1", nullptr)); });
    }

    Database opened_as_copy() const {
        std::string directory = (fs::temp_directory_path() / "fusescope-XXXXXX").string();
        if (mkdtemp(directory.data()) == nullptr) {
            throw DatabaseError(Reason::cannot_open, path_,
                                fmt::format("cannot open '{}': the run was cut short and there is no room for a "
                                            "private copy in {}",
                                            path_, fs::temp_directory_path().string()));
        }
        std::string copy = directory + "/profile.fscope";
        std::error_code error;
        fs::copy_file(path_, copy, error);
        if (!error) fs::copy_file(path_ + "-journal", copy + "-journal", error);
        if (error) {
            std::error_code ignored;
            fs::remove_all(directory, ignored);
            throw DatabaseError(
                Reason::cannot_open, path_,
                fmt::format("cannot open '{}': no private copy could be made: {}", path_, error.message()));
        }
        try {
            Database database = Database::open(sqlite_uri(copy, "mode=rw"), path_, SQLITE_OPEN_READWRITE, nullptr);
            database.private_copy_ = directory;
            harden(database);
            return ready(std::move(database));
        } catch (...) {
            std::error_code ignored;
            fs::remove_all(directory, ignored);
            throw;
        }
    }

    Database ready(Database database) const {
        header(database);
        check_identity(database);
        adapt_older_tables(database);
        return database;
    }

    void check_identity(Database& database) const {
        if (database.integer("PRAGMA application_id") != kApplicationId) {
            throw DatabaseError(Reason::not_a_profile, path_,
                                fmt::format("'{}' is not a profile: it is an SQLite database of another program. Open "
                                            "a .fscope file that 'fusescope --record' wrote",
                                            path_));
        }
        std::int64_t version = database.integer("PRAGMA user_version");
        if (version > kSchemaVersion) {
            throw DatabaseError(Reason::newer, path_,
                                fmt::format("'{}' was written by a newer fusescope: its format is version {}, this "
                                            "program reads up to version {}. Update fusescope to open it",
                                            path_, version, kSchemaVersion));
        }
        if (version < 1) {
            throw DatabaseError(
                Reason::damaged, path_,
                fmt::format("'{}' is damaged or incomplete: it has no format version. Record it again", path_));
        }
    }

    /// Tables that the contract promises must be plain tables with their columns. Tables and columns that were added
    /// to the format later may be absent: a temporary view of the same name stands in, so that queries need not care.
    void adapt_older_tables(Database& database) const {
        for (const TableDescription* table : schema_tables()) {
            Statement found = database.prepare(
                "SELECT type, rootpage, sql LIKE 'CREATE TABLE%' FROM main.sqlite_schema WHERE name = ?1");
            found.bind_all(table->name);
            bool present = found.step();
            bool plain = present && found.text_view(0) == "table" && found.integer(1) > 0 && found.integer(2) != 0;
            found.reset();
            if (present && !plain) damaged(fmt::format("its '{}' is not a plain table", table->name));
            if (!present && table->in_contract) damaged(fmt::format("table '{}' is missing", table->name));
            std::set<std::string> columns;
            Statement info = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?1, 'main')");
            info.bind_all(table->name);
            while (info.step()) {
                if (info.integer(1) != 0) damaged(fmt::format("table '{}' computes its columns", table->name));
                columns.insert(info.text(0));
            }
            std::string selected;
            bool complete = true;
            for (const ColumnDescription& column : table->columns) {
                if (!selected.empty()) selected += ", ";
                if (columns.contains(column.name)) {
                    selected += column.name;
                    continue;
                }
                if (column.in_contract) damaged(fmt::format("column '{}.{}' is missing", table->name, column.name));
                complete = false;
                selected += fmt::format("NULL AS {}", column.name);
            }
            if (complete) continue;
            std::string from = present ? fmt::format(" FROM main.{}", table->name) : std::string(" WHERE 0");
            database.execute(fmt::format("CREATE TEMP VIEW {} AS SELECT {}{}", table->name, selected, from));
        }
    }

    [[noreturn]] void damaged(const std::string& what) const {
        throw DatabaseError(Reason::damaged, path_,
                            fmt::format("'{}' is damaged or incomplete: {}. Record it again, or copy it again from "
                                        "where it came from",
                                        path_, what));
    }

    const std::string& path_;
};

Database Database::open_readonly(const std::string& path) { return ReadonlyOpening(path).run(); }

}  // namespace fusescope
