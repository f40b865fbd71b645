// The real program, run as a child: what it prints where, and its exit status.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/profiler/awkward_profile.hpp"
#include "tests/profiler/sample_profile.hpp"

using namespace fusescope::testing;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

struct Outcome {
    int status = -1;  ///< exit status; 128 + n when a signal ended it
    std::string out, err;
};

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Command : public testing::Test {
 protected:
    TemporaryFolder folder_;

    /// `redirect` is the tail of a shell command line: "", ">/dev/full", ">&-".
    std::string program_ = FUSESCOPE_PROGRAM;
    Outcome run(const std::vector<std::string>& arguments, const std::string& redirect = "") {
        std::string line = "cd '" + folder_.path.string() + "' && exec '" + program_ + "'";
        for (const std::string& argument : arguments) {
            std::string quoted;
            for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
            line += " '" + quoted + "'";
        }
        line += " 2>'" + (folder_ / "stderr") + "' >'" + (folder_ / "stdout") + "' " + redirect;
        const int raw = std::system(("exec sh -c '" + escaped(line) + "'").c_str());
        return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw), content(folder_ / "stdout"),
                content(folder_ / "stderr")};
    }
    static std::string escaped(const std::string& line) {
        std::string text;
        for (const char c : line) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return text;
    }
    const std::string& profile() {
        if (profile_.empty()) profile_ = write_sample_profile(folder_.path);
        return profile_;
    }

 private:
    std::string profile_;
};

}  // namespace

TEST_F(Command, VersionAndHelpGoToStdout) {
    const Outcome version = run({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.out, "fusescope " FUSESCOPE_VERSION "\n");
    EXPECT_EQ(version.err, "");
    const Outcome help = run({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("--record OUT [options] SCRIPT"));
}

TEST_F(Command, ListsEveryOpWithItsGaps) {
    const Outcome outcome = run({"--list-ops"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_GT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 20);
    EXPECT_THAT(outcome.out, HasSubstr("add(input, other)"));
    EXPECT_THAT(outcome.out, HasSubstr("have no gradient"));
}

TEST_F(Command, ListsEveryPassInOrder) {
    const Outcome outcome = run({"--list-passes"});
    EXPECT_EQ(outcome.status, 0);
    const std::size_t cse = outcome.out.find("\n  cse "), fuse = outcome.out.find("\n  fuse-elementwise ");
    EXPECT_NE(fuse, std::string::npos);
    EXPECT_LT(cse, fuse);
    EXPECT_THAT(outcome.out, HasSubstr("plan-memory"));
}

TEST_F(Command, WrongUsageIsStatusTwoWithOneLine) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--no-such"},
                                                      {"--report"},
                                                      {"--report", "p", "--format", "pdf"},
                                                      {"--compare", "a"},
                                                      {"--record", "out"},
                                                      {"--export", "x.pdf", "p"},
                                                      {"--listen", "1"},
                                                      {"--fail-above", "3"}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments[0];
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, ::testing::StartsWith("fusescope: "));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
}

TEST_F(Command, ReportsInThreeFormats) {
    const Outcome text = run({"--report", profile()});
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr("Where the time went, measured"));
    EXPECT_EQ(text.err, "");
    const Outcome as_json = run({"--report", profile(), "--format", "json"});
    EXPECT_EQ(as_json.status, 0);
    EXPECT_EQ(nlohmann::json::parse(as_json.out)["run"]["status"], "ok");
    const Outcome html = run({"--report", profile(), "--format", "html", "-o", "page.html"});
    EXPECT_EQ(html.status, 0);
    EXPECT_EQ(html.out, "");
    EXPECT_THAT(content(folder_ / "page.html"), HasSubstr("</html>"));
    EXPECT_THAT(content(folder_ / "page.html"), HasSubstr("MatMul · BiasAdd · ReLU"));
}

TEST_F(Command, ExportsToStdoutAndToAFile) {
    for (const char* format : {"trace.json", "graph.svg", "graph.dot", "ops.csv", "ir.txt"}) {
        const Outcome to_stdout = run({"--export", format, profile()});
        EXPECT_EQ(to_stdout.status, 0);
        EXPECT_EQ(run({"--export", format, profile(), "-o", "-"}).out, to_stdout.out);
        EXPECT_EQ(run({"--export", format, "-o", format, profile()}).status, 0);
        EXPECT_EQ(content(folder_ / format), to_stdout.out);
        EXPECT_GT(to_stdout.out.size(), 100u) << format;
    }
}

TEST_F(Command, WhatIsNoProfileIsStatusFourAndSaysWhy) {
    std::ofstream(folder_ / "text.fscope") << "hello";
    std::ofstream(folder_ / "empty.fscope");
    for (const char* name : {"missing.fscope", "text.fscope", "empty.fscope", "."}) {
        for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--report", name},
                                                          {"--export", "ops.csv", name},
                                                          {"--compare", name, profile()}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, 4) << name;
            EXPECT_EQ(outcome.out, "");
            EXPECT_THAT(outcome.err, HasSubstr(name));
        }
    }
}

TEST_F(Command, ANewerProfileIsRefusedWithTheReason) {
    std::string bytes = content(profile());
    bytes[63] = 99;  // user_version is the big-endian word at 60
    std::ofstream(folder_ / "newer.fscope", std::ios::binary) << bytes;
    const Outcome outcome = run({"--report", "newer.fscope"});
    EXPECT_EQ(outcome.status, 4);
    EXPECT_THAT(outcome.err, HasSubstr("newer"));
}

TEST_F(Command, AFullDiskAndAMissingFolderAreStatusFour) {
    EXPECT_EQ(run({"--report", profile()}, ">/dev/full").status, 4);
    EXPECT_THAT(run({"--report", profile()}, ">/dev/full").err, HasSubstr("standard output"));
    EXPECT_EQ(run({"--export", "ops.csv", profile(), "-o", "/dev/full"}).status, 4);
    const Outcome missing = run({"--export", "ops.csv", profile(), "-o", "no/such/ops.csv"});
    EXPECT_EQ(missing.status, 4);
    EXPECT_THAT(missing.err, HasSubstr("no/such/ops.csv"));
    EXPECT_EQ(run({"--version"}, ">/dev/full").status, 4);
}

TEST_F(Command, AClosedStdoutIsAnErrorAndNeverTheProfile) {
    const std::string before = content(profile());
    const Outcome outcome = run({"--report", profile()}, ">&-");
    EXPECT_EQ(outcome.status, 4);
    EXPECT_EQ(content(profile()), before);
    EXPECT_EQ(run({"--report", profile()}, ">&- 2>&- <&-").status, 4);
}

TEST_F(Command, AReaderThatWentAwayEndsItQuietly) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    close(pipe_ends[0]);
    const std::string path = profile();
    const pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        const int err = open((folder_ / "stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(err, STDERR_FILENO);
        execl(FUSESCOPE_PROGRAM, FUSESCOPE_PROGRAM, "--report", path.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(pipe_ends[1]);
    int raw = 0;
    ASSERT_EQ(waitpid(child, &raw, 0), child);
    EXPECT_TRUE(WIFEXITED(raw));
    EXPECT_EQ(WEXITSTATUS(raw), 4);
    EXPECT_EQ(content(folder_ / "stderr"), "");
}

TEST_F(Command, CompareFailsAboveTheGivenPercentOnly) {
    write_single_op_profile(folder_ / "base.fscope", 1'000'000, false);
    write_single_op_profile(folder_ / "slow.fscope", 1'100'000, false);
    write_single_op_profile(folder_ / "model.fscope", 9'000'000, true);
    EXPECT_EQ(run({"--compare", "base.fscope", "slow.fscope"}).status, 0);
    EXPECT_EQ(run({"--compare", "base.fscope", "slow.fscope", "--fail-above", "5"}).status, 3);
    EXPECT_EQ(run({"--compare", "base.fscope", "slow.fscope", "--fail-above", "10"}).status, 0);
    EXPECT_EQ(run({"--compare", "slow.fscope", "base.fscope", "--fail-above", "0"}).status, 0);
    const Outcome mixed = run({"--compare", "base.fscope", "model.fscope", "--fail-above", "5"});
    EXPECT_EQ(mixed.status, 2);
    EXPECT_THAT(mixed.err, HasSubstr("clock"));
    const auto parsed = nlohmann::json::parse(run({"--compare", "base.fscope", "slow.fscope", "--format", "json"}).out);
    EXPECT_DOUBLE_EQ(parsed["growth_percent"], 10.0);
}

TEST_F(Command, AProfileOnReadOnlyMediaIsReadWithoutATrace) {
    const std::string path = profile();
    ASSERT_EQ(chmod(path.c_str(), 0444), 0);
    ASSERT_EQ(chmod(folder_.path.c_str(), 0755), 0);
    const Outcome outcome = run({"--report", path});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(path + "-shm"));
}

TEST_F(Command, TheWindowIsLookedForInPath) {
    // A stand-in in PATH is started with the files. A window beside the program would be started first, so the program
    // stands alone.
    const std::filesystem::path alone = folder_.path / "alone", elsewhere = folder_.path / "elsewhere";
    create_directory(alone);
    create_directory(elsewhere);
    program_ = alone / "fusescope";
    std::filesystem::copy_file(FUSESCOPE_PROGRAM, program_);
    const std::string script = elsewhere / "fusescope-gui";
    std::ofstream(script) << "#!/bin/sh\nprintf '%s|' \"$@\"\n";
    ASSERT_EQ(chmod(script.c_str(), 0755), 0);
    const std::string path = getenv("PATH");
    setenv("PATH", (elsewhere.string() + ":" + path).c_str(), 1);
    const Outcome outcome = run({"a b.fscope", "c.py"});
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "a b.fscope|c.py|");
    setenv("PATH", "/usr/bin:/bin", 1);
    const Outcome without = run({"a.fscope"});
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(without.status, 0);
    EXPECT_THAT(without.err, HasSubstr("the window is not installed"));
}

TEST_F(Command, StartsInMilliseconds) {
    auto best = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 10; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const pid_t child = fork();
        if (child == 0) {
            execl("/bin/sh", "sh", "-c", "exec '" FUSESCOPE_PROGRAM "' --version >/dev/null",
                  static_cast<char*>(nullptr));
            _exit(127);
        }
        int raw = 0;
        waitpid(child, &raw, 0);
        ASSERT_EQ(raw, 0);
        best = std::min(best, std::chrono::steady_clock::now() - start);
    }
    RecordProperty("microseconds",
                   static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(best).count()));
    EXPECT_LT(best, std::chrono::milliseconds(500));  // 20 on an idle machine; far more on one that builds meanwhile
}
