// The recorder under load, under attack and at its end.
#include "profiler/write/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "profiler/db/database.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/output.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/tensors.hpp"
#include "tests/profiler/sample_profile.hpp"
#include "tests/small_disk.hpp"

namespace fusescope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

OpEvent event(EventId id) {
    OpEvent made;
    made.id = id;
    made.kind = 1;
    made.launch_ns = made.start_ns = static_cast<std::int64_t>(id) * 100;
    made.duration_ns = 50;
    return made;
}

/// Runs `body` in a child process; returns its wait status.
int in_child(const std::function<void()>& body) {
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

TEST(Recorder, FourThreadsLoseNothing) {
    testing::TemporaryFolder folder;
    std::string path = folder / "threads.fscope";
    constexpr std::uint64_t each = 20000;
    DatabaseRecorder recorder(path, {});
    recorder.define_kind(1, "Add");
    std::atomic<EventId> next{1};
    std::vector<std::thread> threads;
    for (std::uint16_t number = 0; number < 4; ++number) {
        threads.emplace_back([&, number] {
            float values[3] = {1, 2, 3};
            for (std::uint64_t i = 0; i < each; ++i) {
                OpEvent made = event(next.fetch_add(1));
                made.thread = number;
                recorder.op(made);
                recorder.memory({.time_ns = made.start_ns, .delta_bytes = 1, .total_bytes = 1, .op_event = made.id});
                if (i % 16 == 0) {
                    recorder.tensor({.op_event = made.id, .count = 3}, Shape{3}, values);
                    recorder.output("stdout", made.start_ns, "line\n");
                    recorder.define_frame(static_cast<FrameId>(made.id), {0, "<string>", 1, "f"});
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(recorder.finish("ok", 0)) << recorder.error();
    EXPECT_EQ(recorder.dropped(), 0u);
    Database db = Database::open_readonly(path);
    EXPECT_EQ(db.integer("SELECT count(*) FROM op_event"), 4 * each);
    EXPECT_EQ(db.integer("SELECT count(DISTINCT thread) FROM op_event"), 4);
    EXPECT_EQ(db.integer("SELECT count(*) FROM memory_event"), 4 * each);
    EXPECT_EQ(db.integer("SELECT count(*) FROM tensor WHERE length(value) = 12"), 4 * each / 16);
    // Lines that come faster than the writer may share a row.
    EXPECT_EQ(db.integer("SELECT sum(length(text)) FROM output"), 5 * (4 * each / 16));
    EXPECT_EQ(db.integer("SELECT count(*) FROM frame"), 4 * each / 16);
}

TEST(Recorder, GrowsWhileItIsReadAndStillEndsAsOneFile) {
    testing::TemporaryFolder folder;
    std::string path = folder / "live.fscope";
    DatabaseRecorder recorder(path, {});
    recorder.define_kind(1, "Add");
    std::int64_t seen = 0;
    for (EventId id = 1; id <= 3; ++id) {
        recorder.op(event(id));
        recorder.flush();
        Database db = Database::open_readonly(path);
        std::vector<query::OpEventInfo> fresh = query::op_events(db, {}, seen);
        ASSERT_THAT(fresh, SizeIs(1));
        EXPECT_EQ(fresh[0].name, "Add");
        seen = fresh[0].id;
        EXPECT_FALSE(query::runs(db).at(0).complete());
        EXPECT_TRUE(query::still_recording(db));
    }
    ASSERT_TRUE(recorder.finish("raised", 1));
    EXPECT_FALSE(fs::exists(path + "-wal"));
    EXPECT_FALSE(fs::exists(path + "-shm"));
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::runs(db).at(0).status, "raised");
    EXPECT_EQ(query::runs(db).at(0).exit_code, 1);
}

TEST(Recorder, AReaderThatStaysDoesNotHarmTheEnd) {
    testing::TemporaryFolder folder;
    std::string path = folder / "held.fscope";
    auto recorder = std::make_unique<DatabaseRecorder>(path, RunInfo{});
    recorder->op(event(1));
    recorder->flush();
    {
        Database held = Database::open_readonly(path);
        ASSERT_EQ(query::runs(held).at(0).status, "running");
        EXPECT_TRUE(recorder->finish("ok", 0)) << recorder->error();
        EXPECT_EQ(query::runs(held).at(0).status, "ok");
    }
    recorder.reset();
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::runs(db).at(0).status, "ok");
    EXPECT_EQ(query::counts(db).op_events, 1);
}

TEST(Recorder, KilledInTheMiddleItKeepsWhatItHad) {
    testing::TemporaryFolder folder;
    std::string path = folder / "killed.fscope";
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        DatabaseRecorder recorder(path, {});
        testing::record_sample(recorder, "train.py");
        recorder.flush();
        if (write(ready[1], "x", 1) != 1) _exit(1);
        for (EventId id = 1000;; ++id) recorder.op(event(id));
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (query::counts(*std::make_unique<Database>(Database::open_readonly(path))).op_events > 1000) break;
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);

    ASSERT_TRUE(fs::exists(path + "-wal"));
    std::vector<std::pair<std::string, std::uintmax_t>> before, after;
    auto list = [&](auto& files) {
        for (const auto& entry : fs::directory_iterator(folder.path)) {
            files.emplace_back(entry.path().filename(), entry.file_size());
        }
        std::sort(files.begin(), files.end());
    };
    auto check = [](const std::string& profile) {
        Database db = Database::open_readonly(profile);
        EXPECT_EQ(db.prepare("PRAGMA integrity_check").step(), true);
        Statement integrity = db.prepare("PRAGMA integrity_check");
        ASSERT_TRUE(integrity.step());
        EXPECT_EQ(integrity.text(0), "ok");
        EXPECT_FALSE(query::runs(db).at(0).complete());
        EXPECT_FALSE(query::still_recording(db));
        EXPECT_EQ(query::runs(db).at(0).ended_ns, std::nullopt);
        EXPECT_GT(query::counts(db).op_events, 1000);
        EXPECT_EQ(query::counts(db).findings, 3);
        EXPECT_THAT(query::stages(db, 1), SizeIs(4));
    };
    list(before);
    check(path);
    list(after);
    EXPECT_EQ(before, after);

    // Copied without its shared memory, and where nothing may be written.
    testing::TemporaryFolder copy;
    fs::copy_file(path, copy / "k.fscope");
    fs::copy_file(path + "-wal", copy / "k.fscope-wal");
    fs::permissions(copy.path, fs::perms::owner_read | fs::perms::owner_exec);
    check(copy / "k.fscope");
    fs::permissions(copy.path, fs::perms::owner_all);
    EXPECT_FALSE(fs::exists(copy / "k.fscope-shm"));
    EXPECT_EQ(fs::file_size(copy / "k.fscope-wal"), fs::file_size(path + "-wal"));
}

TEST(Recorder, AFileThatMayNotGrowStopsTheRecordingNotTheProgram) {
    testing::TemporaryFolder folder;
    std::string path = folder / "limited.fscope";
    std::string note = folder / "error";
    int status = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        rlimit limit{1 << 20, 1 << 20};
        setrlimit(RLIMIT_FSIZE, &limit);
        DatabaseRecorder recorder(path, {});
        recorder.op(event(1));
        recorder.flush();
        for (EventId id = 2; id < 200000; ++id) recorder.op(event(id));
        bool finished = recorder.finish("ok", 0);
        std::ofstream(note) << recorder.error();
        _exit(finished ? 1 : 0);
    });
    ASSERT_EQ(status, 0);
    std::string error;
    std::getline(std::ifstream(note), error);
    EXPECT_THAT(error, HasSubstr("recording stopped"));
    EXPECT_THAT(error, HasSubstr(path));
    Database db = Database::open_readonly(path);
    EXPECT_GE(query::counts(db).op_events, 1);
    EXPECT_LT(query::counts(db).op_events, 200000);
}

TEST(Recorder, AFullDiskStopsTheRecordingNotTheProgram) {
    testing::TemporaryFolder folder;
    if (!testing::mount_small_disk(folder.path, "size=2m")) {
        GTEST_SKIP() << "this system lets nobody mount; the test with a limit on file size stands in";
    }
    std::string path = folder / "full.fscope";
    std::string error;
    bool finished;
    {
        DatabaseRecorder recorder(path, {});
        recorder.op(event(1));
        recorder.flush();
        for (EventId id = 2; id < 200000; ++id) recorder.op(event(id));
        finished = recorder.finish("ok", 0);
        error = recorder.error();
        for (EventId id = 1; id < 1000; ++id) recorder.op(event(id));  // the program goes on
    }
    EXPECT_FALSE(finished);
    EXPECT_THAT(error, HasSubstr("no space left"));
    try {
        Database db = Database::open_readonly(path);
        EXPECT_GE(query::counts(db).op_events, 1);
    } catch (const DatabaseError& why) {
        ADD_FAILURE() << why.what();
    }
    umount(folder.path.c_str());
}

TEST(Recorder, EventsBeyondTheBudgetAreCountedAndDropped) {
    testing::TemporaryFolder folder;
    std::string path = folder / "dropped.fscope";
    RecorderOptions options;
    options.queue_budget = 1;  // two chunks, the least there is
    DatabaseRecorder recorder(path, {}, options);
    constexpr EventId many = 400000;
    for (EventId id = 1; id <= many; ++id) recorder.op(event(id));
    ASSERT_TRUE(recorder.finish("ok", 0));
    EXPECT_GT(recorder.dropped(), 0u);
    Database db = Database::open_readonly(path);
    EXPECT_EQ(db.integer("SELECT count(*) FROM op_event") + static_cast<std::int64_t>(recorder.dropped()), many);
    EXPECT_EQ(query::meta(db).at("dropped_events"), std::to_string(recorder.dropped()));
}

TEST(Recorder, ValuesAreKeptWithinTheirBudget) {
    testing::TemporaryFolder folder;
    std::string path = folder / "values.fscope";
    RecorderOptions options;
    options.values_budget = 100;
    DatabaseRecorder recorder(path, {}, options);
    double values[10] = {};
    for (EventId id = 1; id <= 3; ++id) {
        recorder.tensor({.op_event = id, .count = 10, .dtype = DType::Float64}, Shape{10}, values);
    }
    recorder.tensor({.op_event = 4, .count = 2, .dtype = DType::Float64}, Shape{2}, values);
    ASSERT_TRUE(recorder.finish("ok", 0));
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::tensors_of(db, 1).at(0).value_bytes, 80);
    EXPECT_EQ(query::tensors_of(db, 2).at(0).value_bytes, 0);
    EXPECT_EQ(query::tensors_of(db, 4).at(0).value_bytes, 16);
    EXPECT_EQ(query::meta(db).at("values_skipped"), "2");
}

TEST(Recorder, AForkedChildLeavesTheRecordingAlone) {
    testing::TemporaryFolder folder;
    std::string path = folder / "fork.fscope";
    auto recorder = std::make_unique<DatabaseRecorder>(path, RunInfo{});
    recorder->op(event(1));
    int status = in_child([&] {
        recorder->op(event(2));
        recorder->output("stdout", 1, "child");
        recorder->flush();
        recorder->finish("ok", 0);
        recorder.reset();
    });
    EXPECT_EQ(status, 0);
    recorder->op(event(3));
    ASSERT_TRUE(recorder->finish("ok", 0)) << recorder->error();
    Database db = Database::open_readonly(path);
    EXPECT_EQ(db.integer("SELECT group_concat(id, '') FROM op_event"), 13);
    EXPECT_EQ(query::counts(db).outputs, 0);
}

TEST(Recorder, ReplacesAnOldProfileAndRefusesAnythingElse) {
    testing::TemporaryFolder folder;
    std::string path = testing::write_sample_profile(folder.path);
    DatabaseRecorder(path, {.script = "second.py"}).finish("ok", 0);
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::runs(db).at(0).script, "second.py");
    EXPECT_EQ(query::counts(db).op_events, 0);

    std::ofstream(folder / "precious.txt") << std::string(200, 'x');
    auto message = [](const std::string& to) -> std::string {
        try {
            DatabaseRecorder recorder(to, {});
        } catch (const DatabaseError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(message(folder / "precious.txt"), HasSubstr("no profile"));
    EXPECT_EQ(fs::file_size(folder / "precious.txt"), 200u);
    EXPECT_THAT(message(folder.path.string()), HasSubstr("folder"));
    EXPECT_THAT(message(folder / "absent/run.fscope"), HasSubstr("no folder"));
    EXPECT_THAT(message("/dev/null"), HasSubstr("not a regular file"));
    EXPECT_THAT(message("/proc/run.fscope"), HasSubstr("/proc/run.fscope"));
    EXPECT_THAT(message(""), HasSubstr("empty"));
}

TEST(Recorder, ALogCutAtAnyLengthOpensWithWhatIsWhole) {
    testing::TemporaryFolder folder;
    std::string path = folder / "cut.fscope";
    ASSERT_EQ(in_child([&] {
                  DatabaseRecorder recorder(path, {});
                  testing::record_sample(recorder, "train.py");
                  recorder.flush();
                  for (EventId id = 1001; id <= 1030; ++id) {
                      recorder.op(event(id));
                      recorder.flush();
                  }
                  _exit(0);  // as os._exit would: nothing is finished
              }),
              0);
    std::ifstream stream(path + "-wal", std::ios::binary);
    std::string log{std::istreambuf_iterator<char>(stream), {}};
    ASSERT_GT(log.size(), 20000u);
    testing::TemporaryFolder copy;
    fs::copy_file(path, copy / "cut.fscope");
    std::int64_t most = 0;
    int opened = 0;
    auto attempt = [&](std::size_t length) {
        std::ofstream(copy / "cut.fscope-wal", std::ios::binary) << log.substr(0, length);
        Database db = Database::open_readonly(copy / "cut.fscope");
        std::int64_t events = db.integer("SELECT count(*) FROM op_event");
        EXPECT_TRUE(events == 0 || events >= 42) << events << " of one transaction";
        EXPECT_GE(events, most);  // a longer log never has less
        most = events;
        ++opened;
    };
    for (std::size_t length = 0; length < log.size(); length += length < 64 ? 1 : 2039) attempt(length);
    EXPECT_GT(most, 60);
    attempt(log.size());
    EXPECT_EQ(most, 72);
    EXPECT_GT(opened, 100);
}

TEST(Recorder, RowsWithAnIdThatIsThereAlreadyAreCounted) {
    testing::TemporaryFolder folder;
    std::string path = folder / "twice.fscope";
    DatabaseRecorder recorder(path, {});
    recorder.op(event(1));
    recorder.op(event(1));
    recorder.op(event(2));
    ASSERT_TRUE(recorder.finish("ok", 0));
    Database db = Database::open_readonly(path);
    EXPECT_EQ(db.integer("SELECT count(*) FROM op_event"), 2);
    EXPECT_EQ(query::meta(db).at("ignored_rows"), "1");
}

TEST(Recorder, AnUnfinishedOneEndsAsKilled) {
    testing::TemporaryFolder folder;
    std::string path = folder / "left.fscope";
    { DatabaseRecorder recorder(path, {}); }
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::runs(db).at(0).status, "killed");
}

TEST(Recorder, KeepsTextThatIsNotUtf8Readable) {
    testing::TemporaryFolder folder;
    std::string path = folder / "text.fscope";
    std::string script = folder / "latin1.py";
    std::ofstream(script) << "# caf\xe9\nprint(1)\n";
    DatabaseRecorder recorder(path, {});
    recorder.define_frame(1, {0, script, 2, "f\xff"});
    recorder.define_frame(2, {0, "<string>", 1, ""});
    recorder.define_frame(3, {0, folder / "gone.py", 1, ""});
    recorder.output("stdout", 1, std::string_view("a\0b\xc3\xa9\xf0\x9f\x98\x80", 9));
    Finding finding;
    finding.op = "Bad\xff";
    finding.message = "M\xfe";
    recorder.finding(finding);
    ASSERT_TRUE(recorder.finish("ok", 0)) << recorder.error();
    Database db = Database::open_readonly(path);
    EXPECT_EQ(query::source_text(db, 1).value(), "# caf\uFFFD\nprint(1)\n");
    EXPECT_EQ(query::sources(db).at(1).note, "not a file");
    EXPECT_THAT(query::sources(db).at(2).note, HasSubstr("no such file"));
    EXPECT_EQ(query::frame(db, 1)->function, "f\uFFFD");
    EXPECT_EQ(query::output(db).at(0).text, std::string_view("a\0b\xc3\xa9\xf0\x9f\x98\x80", 9));
    EXPECT_EQ(query::findings(db).at(0).message, "M\uFFFD");
}

TEST(Recorder, NegativeDurationsAreCountedAndLeftOut) {
    testing::TemporaryFolder folder;
    std::string path = folder / "negative.fscope";
    DatabaseRecorder recorder(path, {});
    recorder.define_kind(1, "Add");
    OpEvent bad = event(1);
    bad.duration_ns = -5;
    bad.bytes_read = 7;
    recorder.op(bad);
    recorder.op(event(2));
    ASSERT_TRUE(recorder.finish("ok", 0));
    Database db = Database::open_readonly(path);
    query::KindTime row = query::times_by_kind(db).at(0);
    EXPECT_EQ(row.calls, 1);
    EXPECT_EQ(row.total_ns, 50);
    EXPECT_EQ(row.bytes_read, 0);
    EXPECT_EQ(row.invalid, 1);
}

}  // namespace
}  // namespace fusescope
