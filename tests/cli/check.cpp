// --check with real programs: what agrees, what does not, and who is to blame.
#include <nlohmann/json.hpp>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

constexpr const char* kHead = "import numpy as np\nimport mindspore as ms\nfrom mindspore import Tensor, nn, ops\n";

class Check : public RecordedScript {
 protected:
    Outcome check(const std::string& text, const std::string& options = "", const std::string& arguments = "") {
        write("run.py", kHead + text);
        return shell("fusescope --check " + options + " run.py " + arguments);
    }
    json answer(const std::string& text, int status, const std::string& options = "") {
        const Outcome outcome = check(text, "--format json " + options);
        EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
        const json parsed = json::parse(outcome.out, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << outcome.out << outcome.err;
        return parsed;
    }
    /// The program computes and prints the same in both modes, and at least so many tensors were looked at.
    void expect_equal(const std::string& text, int tensors) {
        const json a = answer(text, 0);
        EXPECT_EQ(a["verdict"], "agree") << text << a.dump(1);
        EXPECT_GE(a["tensors"]["compared"], tensors) << text;
        EXPECT_EQ(a["tensors"]["different"], 0);
        EXPECT_EQ(a["runs"], 2);
        EXPECT_TRUE(a["first"].is_null() && a["cause"].is_null() && a["output"].is_null());
    }
};

constexpr const char* kBins =
    "x = Tensor(np.array([41.0, 82.0, 20.0], np.float32))\n"  // line 4
    "def bins(x):\n"
    "    q = x / 41.0\n"
    "    return q.astype(ms.int32)\n"
    "b = bins(x)\n"
    "print(b.asnumpy().tolist())\n";

constexpr const char* kConvNorm =
    "ms.set_seed(1)\n"
    "class Net(nn.Cell):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.conv = nn.Conv2d(3, 4, 3)\n"
    "        self.bn = nn.BatchNorm2d(4)\n"
    "    def construct(self, x):\n"
    "        return self.bn(self.conv(x))\n"  // line 11
    "net = Net()\n"
    "net.set_train(False)\n"
    "net.bn.moving_variance.set_data(Tensor(np.array([0.3, 0.7, 1.1, 2.3], np.float32)))\n"
    "y = net(Tensor(np.random.rand(2, 3, 8, 8).astype(np.float32)))\n"
    "print(y.shape, y.asnumpy().sum() > -1e9)\n";

}  // namespace

TEST_F(Check, EqualProgramsSaySo) {
    const Outcome outcome = check("x = Tensor([1.0, 2.0])\ny = ops.exp(x) * 2.0\nprint(y.asnumpy().shape)\n");
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("(2,)\nEqual: run.py"));
    EXPECT_THAT(outcome.out, HasSubstr("bit for bit"));
    EXPECT_EQ(outcome.err, "");
}

TEST_F(Check, RandomOpsDropoutAndUnseededNumbersAreTheSameInBoth) {
    expect_equal(
        "x = Tensor(np.random.rand(8, 8).astype(np.float32))\n"
        "import random\n"
        "y = x * random.random() + Tensor(np.random.default_rng().random((8, 8)).astype(np.float32))\n"
        "drop = nn.Dropout(p=0.5)\ndrop.set_train()\n"
        "z = drop(y) + ops.standard_normal((8, 8)) * ops.rand(8, 8)\n"
        "print(z.asnumpy().sum())\n"
        "print(sorted({'a', 'b', 'c'}, key=hash))\n",
        3);
}

TEST_F(Check, TrainingLoopsAndJittedStepsAgree) {
    expect_equal(
        "net = nn.SequentialCell([nn.Dense(6, 8, activation='relu'), nn.Dense(8, 2)])\n"
        "loss_fn = nn.MSELoss()\n"
        "optimizer = nn.Adam(net.trainable_params(), learning_rate=0.05)\n"
        "gradient = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)\n"
        "@ms.jit\n"
        "def step(x, y):\n"
        "    loss, grads = gradient(x, y)\n"
        "    optimizer(grads)\n"
        "    return loss\n"
        "x, y = ops.standard_normal((16, 6)), ops.standard_normal((16, 2))\n"
        "for i in range(5):\n"
        "    print(i, step(x, y))\n"
        "print(step(x, y), step(x, y))\n",
        70);
}

TEST_F(Check, BranchesAndLoopsOfGraphsAreComparedTurnByTurn) {
    expect_equal(
        "@ms.jit\n"
        "def f(x):\n"
        "    y = ops.while_loop(lambda v: v.sum() < 100.0, lambda v: ops.matmul(v, v.T) * 0.5, x)\n"
        "    return ops.cond(y.sum() > 50.0, lambda: ops.cumsum(y, 0), lambda: ops.cumsum(y, 1))\n"
        "for k in range(3):\n"
        "    print(f(Tensor(np.full((3, 3), 1.0 + k, np.float32))).asnumpy().sum())\n",
        12);
}

TEST_F(Check, WhatNobodyLooksAtIsNoDifference) {
    expect_equal(
        "def f(x): return ops.exp(x) * 2.0\n"
        "for k in range(4):\n"
        "    y = f(Tensor([float(k)]))\n"
        "    del y\n"
        "print(f(Tensor([9.0])).asnumpy().shape)\n"
        "z = f(Tensor([5.0]))\n",
        1);
    const json nothing = answer("x = Tensor([1.0])\ny = x + 1.0\ndel y\n", 0);
    EXPECT_EQ(nothing["verdict"], "agree");
    EXPECT_EQ(nothing["tensors"]["compared"], 0);
}

TEST_F(Check, TheBitsOfANanMeanNothing) {
    // In the gradient of the power one run makes a NaN with a sign, the other one without.
    const json a = answer(
        "x = Tensor(np.array([100.0, 0.0], np.float32))\n"
        "def f(x):\n"
        "    p = ops.sigmoid(x)\n"
        "    return (ops.pow(1.0 - p, 0.5) * -ops.log(p)).mean()\n"
        "print(ms.grad(f)(x).asnumpy()[1])\n",
        0);
    EXPECT_EQ(a["verdict"], "agree");
}

TEST_F(Check, IntsAndBoolsAreComparedToo) {
    const json a = answer(kBins, 0);
    EXPECT_EQ(a["tensors"]["compared"], 1);  // the Cast; the Div is inside its kernel
}

TEST_F(Check, NamesTheOpInsideAKernelThatAnIntMakesVisible) {
    const json a = answer(kBins, 3, "--passes +divide-by-reciprocal");
    EXPECT_EQ(a["verdict"], "differ");
    EXPECT_EQ(a["first"]["op"], "Div");
    EXPECT_EQ(a["first"]["line"], 6);
    EXPECT_EQ(a["first"]["largest_ulp"], 1);
    EXPECT_EQ(a["first"]["within_tolerance"], true);
    EXPECT_EQ(a["first"]["source"], "q = x / 41.0");
    EXPECT_EQ(a["first_beyond"]["op"], "Cast");
    EXPECT_EQ(a["first_beyond"]["line"], 7);
    EXPECT_EQ(a["first_beyond"]["eager"], "1");
    EXPECT_EQ(a["first_beyond"]["graph_value"], "0");
    EXPECT_EQ(a["cause"]["pass"], "divide-by-reciprocal");
    EXPECT_EQ(a["cause"]["passes"], "-all,+divide-by-reciprocal");
    EXPECT_EQ(a["cause"]["op"], "Div");
    EXPECT_EQ(a["cause"]["line"], 6);
    EXPECT_EQ(a["output"]["line"], 1);
    EXPECT_EQ(a["output"]["graph"], "[0, 1, 0]");
    const Outcome text = check(kBins, "--passes +divide-by-reciprocal");
    EXPECT_EQ(text.status, 3);
    EXPECT_THAT(text.out, HasSubstr("Div at run.py:6"));
    EXPECT_THAT(text.out, HasSubstr("The pass divide-by-reciprocal"));
}

TEST_F(Check, NamesTheOneRewriteOfMany) {
    const json a = answer(
        "x = Tensor(np.array([41.0, 7.0, 10.0], np.float32))\n"
        "a = x / 2.0\n"
        "b = x / 4.0\n"
        "c = x / 8.0\n"
        "d = x / 41.0\n"  // line 8
        "e = x / 16.0\n"
        "print((a + b + c + d + e).shape)\n",
        0, "--passes +divide-by-reciprocal");
    EXPECT_EQ(a["verdict"], "close");
    EXPECT_EQ(a["first"]["line"], 8);
    EXPECT_EQ(a["cause"]["rewrite"], 4);
    EXPECT_EQ(a["cause"]["rewrites"], 5);
    EXPECT_EQ(a["cause"]["line"], 8);
    EXPECT_EQ(a["cause"]["passes_with"], "-all,+divide-by-reciprocal=4");
}

TEST_F(Check, ToleranceDecidesAboutTheStatusNotAboutTheReport) {
    const json a = answer(kConvNorm, 0);
    EXPECT_EQ(a["verdict"], "close");
    EXPECT_EQ(a["tensors"]["beyond"], 0);
    EXPECT_GT(a["tensors"]["different"], 0);
    EXPECT_EQ(a["first"]["op"], "BatchNorm");
    EXPECT_EQ(a["first"]["line"], 11);
    EXPECT_THAT(a["first"]["scope"], HasSubstr("bn-BatchNorm2d"));
    EXPECT_EQ(a["cause"]["pass"], "fold-conv-batchnorm");
    EXPECT_EQ(a["cause"]["rewrite"], 1);
    const json b = answer(kConvNorm, 3, "--rtol 0 --atol 0");
    EXPECT_EQ(b["verdict"], "differ");
    EXPECT_EQ(b["cause"]["pass"], "fold-conv-batchnorm");
    EXPECT_EQ(answer(kConvNorm, 0, "--rtol 0 --atol 0 --passes=-fold-conv-batchnorm")["verdict"], "agree");
}

TEST_F(Check, ASmallDifferenceDoesNotHideWhatMakesALargeOne) {
    const json a = answer(std::string(kConvNorm) + kBins, 3, "--passes +divide-by-reciprocal");
    EXPECT_EQ(a["first"]["op"], "BatchNorm");
    EXPECT_EQ(a["cause"]["pass"], "fold-conv-batchnorm");
    EXPECT_EQ(a["first_beyond"]["op"], "Cast");
    EXPECT_EQ(a["cause_beyond"]["pass"], "divide-by-reciprocal");
    EXPECT_EQ(a["cause_beyond"]["op"], "Div");
    EXPECT_TRUE(answer(kBins, 3, "--passes +divide-by-reciprocal")["cause_beyond"].is_null());
}

TEST_F(Check, EachOpThatDiffersIsNamedWithWhatMakesIt) {
    const json a = answer(std::string(kConvNorm) + kBins + "print((y.sum() * 2.0).asnumpy() > -1e9)\n", 3,
                          "--passes +divide-by-reciprocal");
    const json& rows = a["differences"];
    const auto cause_of = [&](const char* op) {
        for (const json& each : rows) {
            if (each["op"] == op) return each["cause"].is_null() ? -1 : each["cause"].get<int>();
        }
        return -2;
    };
    ASSERT_EQ(a["causes"].size(), 2u);
    EXPECT_EQ(a["causes"][0], a["cause"]);
    EXPECT_EQ(a["causes"][1], a["cause_beyond"]);
    EXPECT_EQ(a["causes"][0]["pass"], "fold-conv-batchnorm");
    EXPECT_EQ(a["causes"][1]["pass"], "divide-by-reciprocal");
    EXPECT_EQ(a["first"], rows[0]);
    EXPECT_EQ(a["first_beyond"]["cause"], 1);
    EXPECT_EQ(cause_of("BatchNorm"), 0);
    EXPECT_EQ(cause_of("Mul"), 0);  // it follows from the first
    EXPECT_TRUE(rows[0]["eager_values"].is_null() && a["profiles"]["eager"].is_null());
    EXPECT_TRUE(a["doing"].is_null());
}

TEST_F(Check, KeepsWhatOneLooksAtLater) {
    const json a = answer(std::string(kConvNorm) + kBins, 3, "--passes +divide-by-reciprocal --keep deep/kept");
    EXPECT_EQ(json::parse(content(*this / "deep/kept/check.json")), a);
    for (const char* run : {"eager", "graph"}) {
        const std::string profile = "deep/kept/" + a["profiles"][run].get<std::string>();
        EXPECT_EQ(status(profile), "ok");
        for (const json& each : a["differences"]) {
            const std::string bytes =
                content(*this / ("deep/kept/" + each[std::string(run) + "_values"].get<std::string>()));
            EXPECT_THAT(bytes, HasSubstr("\x93NUMPY"));
            const bool whole = each["dtype"] == "Int32" || each["dtype"] == "Float32";
            ASSERT_TRUE(whole) << each;
            EXPECT_EQ(bytes.size() % 64, each["elements"].get<std::size_t>() * 4 % 64);
            const std::string event = each[std::string(run) + "_event"].dump();
            EXPECT_GT(each[std::string(run) + "_event"], 0);
            EXPECT_EQ(integer("select count(*) from op_event where id = " + event, profile), 1);
        }
    }
    // The node is that of the op as the program asked for it.
    for (const json& each : a["differences"]) {
        EXPECT_EQ(text("select op from node where id = " + each["node"].dump(), "deep/kept/graph.fscope"), each["op"]);
    }
    EXPECT_EQ(text("select k.name from op_event e join op_kind k on k.id = e.kind_id where e.id = " +
                       a["first_beyond"]["eager_event"].dump(),
                   "deep/kept/eager.fscope"),
              "Cast");
    EXPECT_EQ(integer("select line from frame f join op_event e on e.frame_id = f.id where e.id = " +
                          a["first_beyond"]["eager_event"].dump(),
                      "deep/kept/eager.fscope"),
              a["first_beyond"]["line"]);
}

TEST_F(Check, KeepsNoMoreTensorsThanTheBudgetHas) {
    const std::string large = "big = ops.ones((64, 64), ms.float32)\nfor k in range(5):\n    big = big + y.sum()\n";
    const json a = answer(kConvNorm + large + "print(big.shape)\n", 0, "--keep kept --values-budget 20k");
    std::size_t kept = 0;
    for (const json& each : a["differences"]) kept += each["eager_values"].is_null() ? 0 : 1;
    EXPECT_GE(kept, 1u);
    EXPECT_LT(kept, a["differences"].size());
    EXPECT_EQ(answer(kBins, 0, "--keep kept")["profiles"]["graph"], "graph.fscope");  // a second check, the same folder
    write("file", "");
    EXPECT_EQ(shell("fusescope --check --keep file run.py").status, 4);
    EXPECT_EQ(shell("fusescope --record out.fscope --keep kept run.py").status, 2);
}

TEST_F(Check, FindsFurtherCausesForWhoLooks) {
    const std::string more = std::string(kConvNorm) +
                             "q = Tensor(np.array([41.0, 7.0, 10.0], np.float32)) / 41.0\n"
                             "print((q * 1.0).shape)\n";
    const json brief = answer(more, 0, "--passes +divide-by-reciprocal");
    EXPECT_EQ(brief["causes"].size(), 1u);
    const json a = answer(more, 0, "--passes +divide-by-reciprocal --keep kept");
    EXPECT_EQ(a["verdict"], "close");
    ASSERT_EQ(a["causes"].size(), 2u);
    EXPECT_EQ(a["causes"][1]["pass"], "divide-by-reciprocal");
    EXPECT_EQ(a["differences"].back()["cause"], 1);
    EXPECT_TRUE(a["cause_beyond"].is_null());
}

TEST_F(Check, ValuesThatDoNotFitAreFetchedByFurtherRuns) {
    const std::string text = "big = ops.ones((64, 64), ms.float32)\nfor k in range(5):\n    big = big + 1.0\n" +
                             std::string(kBins) + "print(big.sum())\n";
    const json a = answer(text, 3, "--passes +divide-by-reciprocal --values-budget 64");
    EXPECT_EQ(a["first_beyond"]["op"], "Cast");
    EXPECT_EQ(a["first_beyond"]["eager"], "1");
    EXPECT_EQ(a["first"]["op"], "Div");
    EXPECT_EQ(a["first"]["largest_ulp"], 1);
    EXPECT_EQ(a["tensors"]["unjudged"], 0);
    const json none = answer(text, 3, "--passes +divide-by-reciprocal --values-budget 0");
    EXPECT_EQ(none["tensors"]["unjudged"], none["tensors"]["different"]);
    EXPECT_EQ(none["cause"]["pass"], "divide-by-reciprocal");
}

TEST_F(Check, AProgramThatDoesNotRepeatItselfIsNotJudged) {
    const json a =
        answer("import time\nx = Tensor([float(time.time_ns() % 1000003)])\ny = ops.exp(x * 1e-6)\nprint(y)\n", 3);
    EXPECT_EQ(a["verdict"], "unsteady");
    EXPECT_EQ(a["first"]["line"], 6);
    EXPECT_TRUE(a["cause"].is_null());
}

TEST_F(Check, WhatIsPrintedIsCompared) {
    const json a = answer(
        "print(ms.get_context('mode') < 5)\n"
        "class Loud:\n    def __del__(self): pass\n"
        "x = ops.ones(3, ms.float32) + 1.0\n"
        "import _fusescope\n"
        "print('waiting' if _fusescope.tracing() else 'at once')\n",
        3);
    EXPECT_EQ(a["output"]["line"], 2);
    EXPECT_EQ(a["output"]["eager"], "at once");
    EXPECT_EQ(a["output"]["graph"], "waiting");
    EXPECT_EQ(a["tensors"]["different"], 0);
    // Times, and what changes from run to run anyhow, are not.
    EXPECT_EQ(answer("import os, time\nx = Tensor([1.0]) + 1.0\nprint(os.getpid(), time.time(), x)\n", 0)["verdict"],
              "agree");
}

TEST_F(Check, ScriptsThatEndBadlyAreComparedUpToThere) {
    const Outcome raised =
        check("x = Tensor([1.0, 2.0])\nprint((x + 1.0).asnumpy().shape)\nraise ValueError('no more')\n");
    EXPECT_EQ(raised.status, 1) << raised.out;
    EXPECT_THAT(raised.out, HasSubstr("Equal:"));
    EXPECT_THAT(raised.out, HasSubstr("raised with status 1: ValueError: no more"));
    EXPECT_THAT(raised.err, HasSubstr("line 6"));
    EXPECT_EQ(check("import sys\nprint(Tensor([1.0]) + 1.0)\nsys.exit(7)\n").status, 7);
    EXPECT_EQ(check("import os\nprint(Tensor([1.0]) + 1.0, flush=True)\nos._exit(5)\n").status, 5);
    EXPECT_EQ(check("import os, signal\nprint(Tensor([1.0]) + 1.0)\nos.kill(os.getpid(), signal.SIGKILL)\n").status,
              137);
    EXPECT_EQ(check("x = (\n").status, 1);
    EXPECT_EQ(shell("fusescope --check none.py").status, 2);
    EXPECT_EQ(check("", "--passes=-no-such").status, 2);
}

TEST_F(Check, EndingsThatDifferAreADifference) {
    const json a = answer(
        "import _fusescope, sys\nx = ops.ones(3, ms.float32) * 3.0\n"
        "if _fusescope.tracing(): raise RuntimeError('only in graphs')\n",
        3);
    EXPECT_EQ(a["verdict"], "differ");
    EXPECT_EQ(a["endings"]["eager"]["status"], 0);
    EXPECT_EQ(a["endings"]["graph"]["status"], 1);
    EXPECT_EQ(a["endings"]["graph"]["exception"], "RuntimeError: only in graphs");
    EXPECT_TRUE(a["cause"]["pass"].is_null());
}

TEST_F(Check, EachRunGetsTheArgumentsAndTheInput) {
    const std::string text = "import sys\nprint(sys.argv[1:], sys.stdin.read())\nprint(Tensor([1.0]) + 1.0)\n";
    write("run.py", kHead + text);
    write("input", "some\nlines");
    for (const char* line :
         {"fusescope --check run.py --check a <input", "cat input | fusescope --check run.py --check a"}) {
        const Outcome outcome = shell(line);
        EXPECT_EQ(outcome.status, 0) << line << outcome.out << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("['--check', 'a'] some\nlines\n")) << line;
        EXPECT_THAT(outcome.out, HasSubstr("Equal:")) << line;
    }
    EXPECT_EQ(shell("echo 'print(1)' | fusescope --check -").status, 0);
    // An input that nobody writes to and nobody closes is not waited for.
    write("two.py", "print(2)\n");
    EXPECT_EQ(shell("mkfifo open; exec 3<>open; fusescope --check two.py <open").status, 0);
}

TEST_F(Check, TheReportGoesWhereItIsWanted) {
    write("run.py", std::string(kHead) + "print('mine', Tensor([1.0]) + 1.0)\n");
    const Outcome file = shell("fusescope --check --format json -o out.json run.py");
    EXPECT_EQ(file.out, "mine [2.]\n");
    EXPECT_EQ(json::parse(content(*this / "out.json"))["verdict"], "agree");
    const Outcome alone = shell("fusescope --check --format json run.py");
    EXPECT_EQ(json::parse(alone.out)["script"], "run.py");
    EXPECT_THAT(alone.err, HasSubstr("mine [2.]"));
    EXPECT_THAT(shell("fusescope --check --format html run.py").out, HasSubstr("<html"));
    EXPECT_EQ(shell("fusescope --check -o /nowhere/out run.py").status, 4);
    EXPECT_EQ(shell("TMPDIR=/nowhere fusescope --check run.py").status, 4);
}

TEST_F(Check, ProcessesOfTheProgramDoNotDisturbIt) {
    expect_equal(
        "import multiprocessing as mp, os, subprocess, sys\n"
        "def work(k): return float((Tensor([float(k)]) * 2.0).asnumpy()[0])\n"
        "if __name__ == '__main__':\n"
        "    with mp.get_context('fork').Pool(2) as pool: print(pool.map(work, [1, 2, 3]))\n"
        "    subprocess.run(['echo', 'from a child'], check=True)\n"
        "    subprocess.Popen(['sleep', '20'])\n"
        "    print((Tensor([3.0]) * 2.0).asnumpy())\n",
        1);
}

TEST_F(Check, AScriptThatIgnoresSignalsEndsWithTheComparison) {
    write("run.py",
          "import os, signal, time\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, "
          "signal.SIG_IGN)\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n");
    const Outcome outcome = shell(
        "'" FUSESCOPE_PROGRAM
        "' --check run.py & check=$!; until [ -s pid ]; do sleep 0.05; done; kill -9 $check; sleep 0.5; "
        "if grep -q \"^State:.[RSD]\" /proc/$(cat pid)/status 2>/dev/null; then kill -9 $(cat pid); echo alive; else "
        "echo gone; fi");
    EXPECT_THAT(outcome.out, HasSubstr("gone"));
}

TEST_F(Check, AFullDiskIsToldApartFromADifference) {
    if (!mount_disk("size=64k")) GTEST_SKIP() << "this system lets nobody mount";
    write("run.py", std::string(kHead) + "for k in range(300): print((ops.ones((64, 64)) * k).asnumpy().sum())\n");
    for (int taken = 0; taken <= 64; taken += 16) {  // of its kilobytes, before the program begins
        const std::string fill = "head -c " + std::to_string(taken) + "k /dev/zero > disk/taken; ";
        const Outcome outcome = shell(fill + "TMPDIR=$PWD/disk fusescope --check run.py");
        EXPECT_EQ(outcome.status, 4) << taken << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr("TMPDIR")) << taken;
    }
}
