// Where the script comes from and where the profile goes to.
#include <sys/mount.h>
#include <unistd.h>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

class Place : public RecordedScript {
 protected:
    static constexpr const char* kScript = "import mindspore as ms\nprint(ms.Tensor([1.0]) + 1.0)\n";
    static constexpr const char* kManyOps =
        "import mindspore as ms\nx = ms.Tensor([1.0])\nfor _ in range(60000): x = x + 1.0\nprint('end')\n";

    /// Recording to `out` is refused in one line that names it, with nothing run.
    void expect_refused(const std::string& out, const std::string& why) {
        write("run.py", kScript);
        const Outcome outcome = shell("fusescope --record '" + out + "' run.py");
        EXPECT_EQ(outcome.status, 4) << out;
        EXPECT_EQ(outcome.out, "") << "the script ran";
        EXPECT_THAT(outcome.err, HasSubstr(why));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_EQ(content(*this / "run.py"), kScript);
    }
};

}  // namespace

TEST_F(Place, AMissingScriptIsWrongUsageAndTouchesNothing) {
    const Outcome outcome = shell("fusescope --record run.fscope missing.py");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "fusescope: can't open the script 'missing.py': No such file or directory\n");
    EXPECT_THAT(files(), IsEmpty());
    shell("mkdir empty");
    EXPECT_EQ(shell("fusescope --record run.fscope empty").status, 2);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Place, AMisspeltPassIsWrongUsageAndTouchesNothing) {
    write("run.py", kScript);
    const Outcome outcome = shell("fusescope --record run.fscope --passes=-fuse-elementwize run.py");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("there is no pass \"fuse-elementwize\"; the passes are"));
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_EQ(shell("fusescope --record run.fscope --passes -all,+cse run.py").status, 0);
}

TEST_F(Place, AScriptMayBeStdinAFolderOrAnArchive) {
    EXPECT_EQ(shell("echo 'import sys; print(__name__, sys.argv)' | fusescope --record run.fscope - a").out,
              "__main__ ['-', 'a']\n");
    const char* program = "import other, sys\nprint(__name__, other.word, sys.argv[1:])\n";
    shell("mkdir packed");
    write("packed/__main__.py", program);
    write("packed/other.py", "word = 'beside'\n");
    EXPECT_EQ(shell("fusescope --record run.fscope packed x").out, "__main__ beside ['x']\n");
    shell("cd packed && /usr/bin/python3 -m zipfile -c ../packed.pyz __main__.py other.py");
    EXPECT_EQ(shell("fusescope --record run.fscope packed.pyz").out, "__main__ beside []\n");
    EXPECT_EQ(status(), "ok");
}

TEST_F(Place, NamesWithSpacesAndOfAnyLanguageWork) {
    write("模型 and ü.py", kScript);
    EXPECT_EQ(shell("LC_ALL=C fusescope --record 'läuft 100%?#.fscope' '模型 and ü.py'").out, "[2.]\n");
    EXPECT_EQ(text("SELECT script FROM run", "läuft 100%?#.fscope"), "模型 and ü.py");
    EXPECT_THAT(shell("fusescope --report 'läuft 100%?#.fscope'").out, HasSubstr("模型 and ü.py:2"));
    EXPECT_EQ(shell("fusescope --export ops.csv 'läuft 100%?#.fscope' -o 'ö p.csv'").status, 0);
    EXPECT_THAT(content(*this / "ö p.csv"), HasSubstr("Add"));
}

TEST_F(Place, NothingElseIsOverwritten) {
    expect_refused("run.py", "is no profile");
    shell("ln -s run.py link.fscope; ln run.py hard.fscope; mkfifo pipe.fscope; mkdir folder.fscope");
    expect_refused("link.fscope", "is no profile");
    expect_refused("hard.fscope", "is no profile");
    expect_refused("pipe.fscope", "not a regular file");
    expect_refused("folder.fscope", "is a folder");
    expect_refused("no/such/run.fscope", "there is no folder");
    expect_refused("/proc/run.fscope", "cannot");
}

TEST_F(Place, AnOldProfileIsReplaced) {
    EXPECT_EQ(record(kManyOps).status, 0);
    EXPECT_EQ(record(kScript).status, 0);
    EXPECT_EQ(integer("SELECT count(*) FROM op_event"), 1);
}

TEST_F(Place, AProfileBeingRecordedIsNotTakenAway) {
    const pid_t child = start(
        "import time\nimport mindspore as ms\nx = ms.Tensor([1.0]) + 1.0\nprint('go', flush=True)\n"
        "time.sleep(2)\nx + 1.0\n");
    write("second.py", kScript);
    const Outcome second = shell("fusescope --record run.fscope second.py");
    EXPECT_EQ(second.status, 4);
    EXPECT_EQ(second.out, "");
    EXPECT_THAT(second.err, HasSubstr("another run is being recorded to it"));
    EXPECT_EQ(wait_for(child), 0);
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(integer("SELECT count(*) FROM op_event"), 2);
}

TEST_F(Place, AFullDiskStopsTheRecordingAndNotTheScript) {
    if (!mount_disk("size=400k")) GTEST_SKIP() << "this system lets nobody mount";
    write("run.py", kManyOps);
    const Outcome outcome = shell("fusescope --record disk/run.fscope run.py");
    EXPECT_EQ(outcome.status, 4);
    EXPECT_EQ(outcome.out, "end\n");
    EXPECT_THAT(outcome.err, HasSubstr("no space left for 'disk/run.fscope'"));
    EXPECT_EQ(status("disk/run.fscope"), "ok");
    const Outcome report = shell("fusescope --report disk/run.fscope");
    EXPECT_EQ(report.status, 0);
    EXPECT_THAT(report.out, HasSubstr("recording stopped: no space left"));
}

TEST_F(Place, ADiskThatFillsAtAnyMomentKeepsHowTheRunEnded) {
    if (!mount_disk("size=400k")) GTEST_SKIP() << "this system lets nobody mount";
    write("run.py",
          "import time\nimport mindspore as ms\nx = ms.Tensor([1.0])\n"
          "for _ in range(6):\n    for _ in range(700): x = x + 1.0\n    time.sleep(0.06)\nprint('end')\n");
    for (const char* size : {"340k", "356k", "384k", "420k", "560k"}) {
        unmount_disk();
        ASSERT_TRUE(mount_disk(std::string("size=") + size));
        const Outcome outcome = shell("fusescope --record disk/run.fscope run.py");
        EXPECT_EQ(outcome.status, 4) << size;
        EXPECT_EQ(outcome.out, "end\n") << size;
        EXPECT_EQ(status("disk/run.fscope"), "ok") << size;
        EXPECT_EQ(integer("SELECT count(*) FROM meta WHERE key = 'recording_stopped'", "disk/run.fscope"), 1) << size;
    }
}

TEST_F(Place, ADiskThatIsFullFromTheStartIsSaidBeforeTheScriptRuns) {
    if (!mount_disk("size=400k")) GTEST_SKIP() << "this system lets nobody mount";
    write("run.py", kScript);
    for (const char* left : {"0", "40", "100"}) {
        shell(std::string("rm -f disk/*; head -c ") + std::to_string(400 * 1024 - std::atoi(left) * 1024) +
              " /dev/zero > disk/fill");
        const Outcome outcome = shell("fusescope --record disk/run.fscope run.py");
        EXPECT_EQ(outcome.status, 4) << left;
        EXPECT_EQ(outcome.out, "") << left;
        EXPECT_THAT(outcome.err, HasSubstr("no space left")) << left;
        EXPECT_EQ(shell("ls disk").out, "fill\n") << left;
    }
}

TEST_F(Place, ALimitOnFileSizesStopsTheRecordingAndNotTheScript) {
    write("run.py", kManyOps);
    const Outcome outcome = shell("ulimit -f 300; fusescope --record run.fscope run.py");
    EXPECT_EQ(outcome.status, 4);
    EXPECT_EQ(outcome.out, "end\n");
    EXPECT_THAT(outcome.err, HasSubstr("recording stopped"));
    EXPECT_EQ(shell("fusescope --report run.fscope").status, 0);
}

TEST_F(Place, ReadOnlyMediaCanBeReadAndNotWritten) {
    if (!mount_disk("size=4m")) GTEST_SKIP() << "this system lets nobody mount";
    EXPECT_EQ(record(kScript).status, 0);
    shell("cp run.fscope disk/");
    ASSERT_EQ(::mount(nullptr, (*this / "disk").c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
    EXPECT_EQ(shell("fusescope --report disk/run.fscope").status, 0);
    EXPECT_EQ(shell("fusescope --export trace.json disk/run.fscope -o disk/trace.json").status, 4);
    expect_refused("disk/run.fscope", "Read-only file system");
    expect_refused("disk/new.fscope", "cannot");
    EXPECT_EQ(shell("ls disk").out, "run.fscope\n");
}
