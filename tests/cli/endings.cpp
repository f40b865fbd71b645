// However a script ends, what it did until then is in the profile, and the exit status is python3's.
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

class Ending : public RecordedScript {
 protected:
    std::int64_t ops() const { return integer("SELECT count(*) FROM op_event"); }
};

/// 20 ops, then `rest`.
std::string after_twenty_ops(const std::string& rest) {
    return "import os, signal, sys, threading, time\n"
           "import mindspore as ms\n"
           "x = ms.Tensor([1.0, 2.0])\n"
           "for _ in range(20): x = x + 1.0\n" +
           rest + "\n";
}

}  // namespace

TEST_F(Ending, NormalIsOkAndOnePlainFile) {
    const Outcome outcome = record(after_twenty_ops("print('end')"));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "end\n");
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(ops(), 20);
    EXPECT_THAT(files(), ElementsAre("run.fscope"));
    EXPECT_EQ(integer("SELECT count(*) FROM meta WHERE key = 'writer'"), 0);
}

TEST_F(Ending, AnExceptionInTheMiddleIsRaisedAndKeepsTheProfile) {
    const Outcome outcome = record(after_twenty_ops("print('before')\nraise ValueError('in the middle')\nx + 1.0"));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "before\n");
    EXPECT_THAT(outcome.err, HasSubstr("run.py\", line 6, in <module>"));
    EXPECT_THAT(outcome.err, HasSubstr("ValueError: in the middle"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("_fusescope_host")));
    EXPECT_EQ(status(), "raised");
    EXPECT_EQ(integer("SELECT exit_code FROM run"), 1);
    EXPECT_EQ(ops(), 20);
    EXPECT_THAT(text("SELECT group_concat(text, '') FROM output WHERE stream = 'stderr'"), HasSubstr("ValueError"));
}

TEST_F(Ending, ASyntaxErrorIsRaisedWithItsLine) {
    const Outcome outcome = record("x = 1\ndef f(:\n");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("run.py\", line 2"));
    EXPECT_THAT(outcome.err, HasSubstr("SyntaxError"));
    EXPECT_EQ(status(), "raised");
}

TEST_F(Ending, OpsRunUntilTheVeryEndInEveryMode) {
    for (const char* mode : {"GRAPH_MODE", "PYNATIVE_MODE"}) {
        const Outcome outcome =
            record("import atexit\nimport mindspore as ms\nms.set_context(mode=ms." + std::string(mode) +
                   ")\nx = ms.Tensor([1.0, 2.0])\nwaiting = x * 3.0\n"
                   "class Late:\n    def __del__(self, value=x): print('deleted', (value + 1.0).shape)\n"
                   "late = Late()\nlate.itself = late\n"
                   "atexit.register(lambda: print('atexit', (x + 1.0).asnumpy(), waiting.asnumpy()))\n");
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_THAT(outcome.out, HasSubstr("atexit [2. 3.] [3. 6.]\n")) << mode;
        EXPECT_THAT(outcome.out, HasSubstr("deleted (2,)\n")) << mode;
        EXPECT_EQ(status(), "ok");
    }
}

TEST_F(Ending, SysExitPassesItsStatusOn) {
    EXPECT_EQ(record(after_twenty_ops("sys.exit(5)")).status, 5);
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(integer("SELECT exit_code FROM run"), 5);
    const Outcome word = record("import sys\nsys.exit('a reason')");
    EXPECT_EQ(word.status, 1);
    EXPECT_EQ(word.err, "a reason\n");
    EXPECT_EQ(record("import sys\nsys.exit()").status, 0);
}

TEST_F(Ending, SysExitInAThreadEndsTheThreadOnly) {
    const Outcome outcome = record(after_twenty_ops(
        "t = threading.Thread(target=lambda: sys.exit(3)); t.start(); t.join()\nx + 1.0\nprint('after')"));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "after\n");
    EXPECT_EQ(ops(), 21);
}

TEST_F(Ending, OsExitKeepsEverything) {
    const Outcome outcome = record(after_twenty_ops("print('seen', flush=True)\nos._exit(7)"));
    EXPECT_EQ(outcome.status, 7);
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(integer("SELECT exit_code FROM run"), 7);
    EXPECT_EQ(ops(), 20);
    EXPECT_EQ(text("SELECT group_concat(text, '') FROM output"), "seen\n");
    EXPECT_THAT(files(), ElementsAre("run.fscope"));
}

TEST_F(Ending, AnotherProgramInItsPlaceKeepsWhatWasRecorded) {
    const Outcome outcome = record(after_twenty_ops("os.execlp('echo', 'echo', 'replaced')"));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "replaced\n");
    EXPECT_EQ(ops(), 20);
}

TEST_F(Ending, ACrashKeepsEverything) {
    const Outcome fault = record(after_twenty_ops("import ctypes\nctypes.string_at(0)"));
    EXPECT_EQ(fault.status, 128 + SIGSEGV);
    EXPECT_EQ(status(), "killed");
    EXPECT_EQ(integer("SELECT exit_code FROM run"), 128 + SIGSEGV);
    EXPECT_EQ(ops(), 20);
    EXPECT_THAT(files(), ElementsAre("run.fscope"));
    EXPECT_EQ(record(after_twenty_ops("os.abort()")).status, 128 + SIGABRT);
    EXPECT_EQ(status(), "killed");
    EXPECT_EQ(ops(), 20);
}

TEST_F(Ending, ASignalFromOutsideKeepsTheProfile) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const pid_t child = start(after_twenty_ops("print('go', flush=True)\ntime.sleep(60)"));
        ::kill(child, signal);
        EXPECT_EQ(wait_for(child), 128 + signal);
        EXPECT_EQ(status(), "killed") << signal;
        EXPECT_EQ(ops(), 20) << signal;
        EXPECT_THAT(files(), ElementsAre("run.fscope")) << signal;
    }
}

// Python looks at signals between its own instructions only.
TEST_F(Ending, CtrlCEndsALoopInsideAGraph) {
    for (const char* decorator : {"@ms.jit\n", ""}) {
        const pid_t child =
            start(after_twenty_ops(std::string(decorator) +
                                   "def f(x):\n    return ms.ops.while_loop(lambda x: x > 0.0, lambda x: x * 1.0, x)\n"
                                   "print('go', flush=True)\nprint(f(ms.Tensor(1.0)))"));
        ::usleep(300'000);
        ::kill(child, SIGINT);
        EXPECT_EQ(wait_for(child), 128 + SIGINT) << decorator;
        EXPECT_EQ(status(), "killed");
        EXPECT_GE(ops(), 20);
        EXPECT_THAT(content(*this / ".started"), HasSubstr("KeyboardInterrupt"));
    }
}

TEST_F(Ending, TheScriptsOwnHandlersComeFirst) {
    const pid_t child =
        start(after_twenty_ops("def handle(number, frame):\n    print('handled', flush=True)\n    sys.exit(9)\n"
                               "assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n"
                               "signal.signal(signal.SIGTERM, handle)\nprint('go', flush=True)\ntime.sleep(60)"));
    ::kill(child, SIGTERM);
    EXPECT_EQ(wait_for(child), 9);
    EXPECT_EQ(status(), "ok");
    EXPECT_THAT(content(*this / ".started"), HasSubstr("handled"));
}

TEST_F(Ending, KillNineLosesTheLastMomentAtMost) {
    const pid_t child = start(after_twenty_ops("time.sleep(0.5)\nprint('go', flush=True)\ntime.sleep(60)"));
    const Outcome during = shell("fusescope --report run.fscope");
    EXPECT_EQ(during.status, 0);
    EXPECT_THAT(during.out, HasSubstr("still being recorded"));
    ::kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child), 128 + SIGKILL);
    EXPECT_EQ(ops(), 20);
    const Outcome after = shell("fusescope --report run.fscope");
    EXPECT_EQ(after.status, 0);
    EXPECT_THAT(after.out, HasSubstr("the run was cut short"));
    // What is left of it is replaced by the next run.
    EXPECT_EQ(record("print(1)").status, 0);
    EXPECT_THAT(files(), ElementsAre("run.fscope"));
    EXPECT_EQ(status(), "ok");
}

TEST_F(Ending, AForkedChildLeavesTheProfileToItsParent) {
    const Outcome outcome =
        record(after_twenty_ops("child = os.fork()\n"
                                "if child == 0:\n"
                                "    x + 5.0\n"
                                "    os._exit(0)\n"
                                "os.waitpid(child, 0)\n"
                                "child = os.fork()\n"
                                "if child == 0: time.sleep(60)\n"
                                "os.kill(child, signal.SIGTERM)\n"
                                "print(os.WTERMSIG(os.waitpid(child, 0)[1]))\n"
                                "child = os.fork()\n"
                                "if child == 0: sys.exit(0)\n"
                                "os.waitpid(child, 0)\n"
                                "x + 6.0"));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, std::to_string(SIGTERM) + "\n");
    EXPECT_EQ(status(), "ok");
    EXPECT_EQ(ops(), 21);
}

TEST_F(Ending, WorkerProcessesRun) {
    const Outcome outcome = record(
        "import multiprocessing\n"
        "def square(i): return i * i\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(square, [1, 2, 3]))\n");
    EXPECT_EQ(outcome.out, "[1, 4, 9]\n") << outcome.err;
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(status(), "ok");
}
