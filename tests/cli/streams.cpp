// The script's streams are its own; a copy of what it prints is in the profile.
#include <chrono>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using ::testing::HasSubstr;

namespace {
class Streams : public RecordedScript {};
constexpr const char* kAllOutput = "SELECT group_concat(text, '') FROM output WHERE stream = 'stdout'";
}  // namespace

TEST_F(Streams, PrintedTextIsCopied) {
    const Outcome outcome = record(
        "import sys\nprint('one')\nsys.stdout.buffer.write('zwei ü\\n'.encode())\n"
        "print('three', end='')\nprint('bad', file=sys.stderr)\n");
    EXPECT_EQ(outcome.out, "one\nzwei ü\nthree");
    EXPECT_EQ(outcome.err, "bad\n");
    EXPECT_EQ(text(kAllOutput), "one\nzwei ü\nthree");
    EXPECT_EQ(text("SELECT group_concat(text, '') FROM output WHERE stream = 'stderr'"), "bad\n");
}

TEST_F(Streams, AClosedStdoutHurtsNeitherScriptNorProfile) {
    write("run.py", "import mindspore as ms\nprint(ms.Tensor([1.0]) + 1.0)\n");
    EXPECT_EQ(shell("fusescope --record run.fscope run.py >&-").status, 0);
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(integer("SELECT count(*) FROM op_event"), 1);
    EXPECT_EQ(shell("fusescope --record run.fscope run.py >&- 2>&- <&-").status, 0);
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(record("import sys\nsys.stdout.close()\n").status, 0);
    EXPECT_EQ(record("import sys\nsys.stdout = None\nprint('nobody hears')\n").status, 0);
    EXPECT_EQ(status(), "ok");
}

TEST_F(Streams, AFullOutputDeviceIsTheScriptsError) {
    write("run.py", "print('x')\n");
    const Outcome outcome = shell("fusescope --record run.fscope run.py >/dev/full");
    EXPECT_EQ(outcome.status, shell("/usr/bin/python3 run.py >/dev/full").status);
    EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
}

TEST_F(Streams, AReaderThatGoesAwayIsABrokenPipe) {
    write("run.py", "for i in range(100000): print(i)\n");
    const Outcome outcome = shell("fusescope --record run.fscope run.py | head -1; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(outcome.out, "0\n");
    EXPECT_THAT(outcome.err, HasSubstr("BrokenPipeError"));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(status(), "raised");
}

TEST_F(Streams, ManyShortLinesAreWholeAndFewRows) {
    const Outcome outcome = record("for i in range(200000): print(i)\n");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(text(kAllOutput) == outcome.out);
    EXPECT_LT(integer("SELECT count(*) FROM output"), 100000);
}

TEST_F(Streams, AHundredMegabytesPassThrough) {
    const Outcome outcome = record("for i in range(1000): print('y' * 100000)\n");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.size(), 100001000u);
    EXPECT_EQ(integer("SELECT sum(length(text)) FROM output"), 100001000);
}

TEST_F(Streams, InputReachesTheScript) {
    write("run.py", "print(input() + '!')\n");
    EXPECT_EQ(shell("echo hello | fusescope --record run.fscope run.py").out, "hello!\n");
}

TEST_F(Streams, ASmallScriptLoadsNeitherNumpyNorLlvmNorQt) {
    const Outcome outcome = record(
        "import sys\nprint('numpy' in sys.modules)\n"
        "maps = open('/proc/self/maps').read()\nprint('LLVM' in maps, 'Qt6' in maps)\n");
    EXPECT_EQ(outcome.out, "False\nFalse False\n");
    // 50 ms on an idle machine; the machine that tests is rarely idle, so this finds only what costs much more.
    auto best = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 8; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_EQ(record("print(1)\n").out, "1\n");
        best = std::min(best, std::chrono::steady_clock::now() - begin);
    }
    EXPECT_LT(best, std::chrono::milliseconds(750));
}
