"""Steps by line and by op, forwards and back.

    stepping.py FUSESCOPE [NAME…]
"""
import sys
import time

from dap_client import Failed
from harness import Debugged, LOOP, c_path, ended, main, session


@session
def stepping():
    body = "def inner(a):\n    b = a + 1\n    return b\ndef outer():\n    x = inner(1)\n    y = inner(x)\n    return y\nz = outer()\nprint(z)\n"
    with Debugged(body, lines=[8]) as c:
        c.stopped()
        c.go("next")
        c.stopped()
        assert c.line() == 9
        c.go("stepIn")
        c.stopped()
        assert c.line() == 5 and c.stack()[0]["name"] == "inner"
        c.go("stepOut")
        c.stopped()
        assert c.stack()[0]["name"] == "outer" and c.line() == 10, c.stack()
        c.go("next")
        c.stopped()
        assert c.stack()[0]["name"] == "<module>", c.stack()
        c.go()
        ended(c)


@session
def stepping_leaves_libraries_alone():
    with Debugged("a = np.ones(3)\nb = a + 1\n", lines=[4]) as c:
        c.stopped()
        c.go("stepIn")
        c.stopped()
        assert c.line() == 5, c.stack()
    with Debugged("a = np.ones(3)\nb = a + 1\n", lines=[4], justMyCode=False) as c:
        c.stopped()
        c.go("stepIn")
        c.stopped()
        assert c.stack()[0]["name"] == "ones"


@session
def entry():
    with Debugged(LOOP, entry=True) as c:
        assert c.stopped()["reason"] == "entry"
        here = c.stack()
        assert len(here) == 1 and here[0]["line"] == 1 and here[0]["source"]["name"] == "program.py", here
        c.go()
        ended(c)


@session
def code_without_a_file_belongs_to_whoever_runs_it():
    # namedtuple() makes code as it runs, in Python's own folder; exec() here is the program's.
    body = "import collections\nP = collections.namedtuple('P', 'a b')\nexec('q = 1\\nr = 2')\nprint(q)\n"
    with Debugged(body, entry=True) as c:
        seen = []
        for _ in range(9):
            c.stopped()
            seen.append((c.stack()[0]["source"]["name"], c.line()))
            if c.line() == 7:
                break
            c.go("stepIn")
        program = "program.py"
        assert seen == [(program, 1), (program, 2), (program, 3), (program, 4), (program, 5), (program, 6),
                        ("<string>", 1), ("<string>", 2), (program, 7)], seen
        c.go()
        ended(c)


@session
def stepping_over_await_stays_in_the_coroutine():
    body = ("import asyncio\nasync def ticks():\n    await asyncio.sleep(0)\n    yield 1\nasync def work():\n"
            "    await asyncio.sleep(0)\n    async for t in ticks(): pass\n    a = await asyncio.gather(asyncio.sleep(0), "
            "asyncio.sleep(0))\n    return a\nasyncio.run(work())\nprint('end')\n")
    with Debugged(body, lines=[9]) as c:
        c.stopped()
        lines = []
        for _ in range(6):
            c.go("next")
            c.stopped()
            lines.append(c.line())
            if c.line() == 14:
                break
        assert lines == [10, 10, 11, 12, 14] or lines == [10, 11, 12, 14], lines
        c.go()
        ended(c)


@session
def ops_one_by_one():
    body = "x = Tensor([1.0, 2.0])\ny = ops.exp(x) + 1.0\nz = y * y\nprint(z)\n"
    for mode in ("eager", "graph"):
        with Debugged(body, lines=[4], mode=mode) as c:
            c.stopped()
            seen = []
            for _ in range(3):
                c.go("next", granularity="instruction")
                stop = c.stopped()
                seen.append(stop["description"])
                assert c.line() in (5, 6), c.stack()
            graph = mode == "graph"
            assert [s.split()[1] for s in seen] == ["Exp", "Add", "Mul"], seen
            assert all(("run op by op" in s) == graph for s in seen), seen
            scopes = c.scopes()
            assert "Op Mul" in scopes and "Last op Add" in scopes, scopes
            last = c.variables(scopes["Last op Add"])["result"]
            assert last["value"].startswith("Float32[2] [3.71828, 8.38906"), last
            c.go()
            ended(c)


@session
def ops_inside_jit():
    body = ("@ms.jit\ndef f(x):\n    a = ops.exp(x)\n    return ops.log(a) * 2.0\n"
            "x = Tensor([1.0, 2.0])\nf(x)\nprint(f(x + 1.0))\n")
    with Debugged(body, functions=["Log"]) as c:
        c.stopped()
        top = c.stack()[0]
        assert top["line"] == 7 and "Log" in top["name"], c.stack()
        c.go()
        c.stopped()  # the second call runs the compiled function's graph, op by op too
        assert c.stack()[0]["line"] == 7
        assert any(f["line"] == 10 for f in c.stack()), c.stack()
        c.go()
        ended(c)
        assert "[4. 6.]" in c.text(), c.output


@session
def back_in_time():
    body = ("ms.set_seed(3)\nx = ops.rand(4)\nfor i in range(6):\n    y = x * 2.0\n    x = ops.exp(y) / 10.0\n"
            "x.asnumpy()\nend = 1\n")  # graph mode runs what waits when the program looks
    for mode in ("eager", "graph"):
        with Debugged(body, lines=[10], mode=mode) as c:
            c.stopped()
            names, results = [], []
            for _ in range(6):
                c.go("stepBack")
                assert c.stopped()["reason"] == "step"
                top = c.stack()[0]
                kind = top["name"].split(" · ")[1]
                names.append((kind, top["line"]))
                op = c.variables(c.scopes(top["id"])["Op " + kind])
                results.append(op["result"]["value"])
            assert names == [("Div", 8), ("Exp", 8), ("Mul", 7)] * 2, names
            c.go("next", granularity="instruction")  # forwards again
            c.stopped()
            assert c.stack()[0]["line"] == 8
            c.go()
            stop = c.stopped()
            assert c.stack()[0]["line"] == 10 and stop["reason"] == "breakpoint", stop  # the present
            c.go()
            ended(c)


@session
def reverse_continue():
    body = "x = Tensor([1.0])\nfor i in range(5):\n    x = x + 1.0\n    y = x * 2.0\nend = 1\n"
    with Debugged(body, lines=[8]) as c:
        c.stopped()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 7}])
        for i in (5, 4):
            c.go("reverseContinue")
            c.stopped()
            op = c.variables(c.scopes(c.stack()[0]["id"])["Op Mul"])
            assert op["input"]["value"] == "Float32[1] [%d]" % (i + 1), op
        for _ in range(4):
            c.go("reverseContinue")
            stop = c.stopped()
        assert "begins" in stop["description"], stop


@session
def to_the_birth():
    body = "a = Tensor([0.0, 1.0])\nb = a * 1.0\nc = b + 1.0\nd = ops.log(b)\ne = d + c\n"
    with Debugged(body, filters=["inf"]) as c:
        c.stopped()
        c.ask("fusescope/goToBirth", input=0)
        c.stopped()
        assert c.stack()[0]["line"] == 5, c.stack()
        c.go()
        c.stopped()


@session
def memory_is_bounded():
    body = ("x = Tensor(np.ones(100000, np.float32))\nfor i in range(300):\n    x = ops.sin(x) + 1.0\nend = 1\n")
    with Debugged(body, lines=[7], valuesBudget="8M") as c:
        c.stopped()
        want = c.evaluate("x.asnumpy()[:3].tolist()")["result"]
        seen = None
        for _ in range(100):
            c.go("stepBack")
            c.stopped()
        top = c.stack()[0]
        kind = top["name"].split(" · ")[1]
        op = c.variables(c.scopes(top["id"])["Op " + kind])
        assert op["result"]["value"].startswith("Float32[100000] ["), op
        assert want and seen is None


@session
def back_through_training():
    body = ("ms.set_seed(0)\nnet = nn.SequentialCell(nn.Dense(300, 300), nn.ReLU(), nn.Dense(300, 1))\n"
            "optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)\n"
            "step = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)\n"
            "x = Tensor(np.random.default_rng(0).normal(size=(8, 300)).astype(np.float32))\nseen = []\n"
            "for i in range(40):\n    loss, grads = step(x)\n    optimizer(grads)\n    seen.append(float(loss))\nend = 1\n")
    for mode in ("eager", "graph"):
        with Debugged(body, lines=[14], mode=mode) as c:
            c.stopped()
            losses = [float(c.evaluate("seen[%d]" % i)["result"]) for i in range(40)]
            found = []
            for _ in range(4000):
                started = time.time()
                c.go("stepBack")
                if "begins" in c.stopped().get("description", ""):
                    break
                top = c.stack()[0]
                kind = top["name"].split(" · ")[1]
                scope = c.scopes(top["id"])["Op " + kind]
                assert time.time() - started < 2, kind  # goal 0.2 s on an idle machine
                if kind == "ReduceMean":
                    value = c.evaluate("result", frame=top["id"])["result"]
                    found.append(float(value.split("[")[-1].strip("]")))
                    if len(found) == 30:
                        break
            want = losses[::-1][:len(found)]
            assert len(found) == 30, (mode, len(found))
            assert all(abs(a - b) <= 1e-5 * abs(b) for a, b in zip(found, want)), (mode, found, want)


def birth_of(client, operand):
    top = client.stack()[0]
    kind = top["name"].split(" · ")[1] if " · " in top["name"] else None
    scopes = client.scopes(top["id"])
    names = list(client.variables(next(v for k, v in scopes.items() if k == "Op " + kind or (kind is None and k.startswith("Op ")))))
    client.ask("fusescope/goToBirth", input=names.index(operand))
    client.stopped()
    top = client.stack()[0]
    return top["name"].split(" · ")[1], top["line"]


@session
def births_inside_a_graph_of_the_past():
    # The graph ran as a whole and is computed again: a birth is one of its ops, not its last one.
    body = ("@ms.jit\ndef f(x):\n    a = ops.exp(x)\n    b = ops.sin(x)\n    c = ops.cos(b)\n    return a, c * 2.0\n"
            "x = Tensor([1.0, 2.0])\np, q = f(x)\np, q = f(x)\nr = ops.neg(p)\nend = 1\n")
    with Debugged(body, lines=[14]) as c:
        c.stopped()
        c.go("stepBack")
        c.stopped()
        assert c.stack()[0]["name"].endswith("Neg"), c.stack()
        assert birth_of(c, "input") == ("Exp", 6), c.stack()
        c.go("next", granularity="instruction")
        c.stopped()
        assert c.stack()[0]["line"] == 7, c.stack()
        c.go("next", granularity="instruction")
        c.stopped()
        assert birth_of(c, "input") == ("Sin", 7), c.stack()
        try:
            c.ask("fusescope/goToBirth", input=0)  # the program's data
            raise AssertionError("data has a birth")
        except Failed as e:
            assert "not known" in str(e)
        c.go()
        assert c.stopped()["reason"] == "breakpoint" and c.line() == 14
        c.go()
        ended(c)


@session
def back_from_everywhere():
    body = ("x = Tensor([1.0])\ndef bad():\n    y = ops.exp(x)\n    raise ValueError('v')\ntry:\n    bad()\nexcept ValueError:\n    pass\n"
            "@ms.jit\ndef f(x):\n    z = ops.sin(x)\n    return ops.log(z - z)\nw = f(x)\nops.matmul(Tensor(np.ones((2, 3), np.float32)), "
            "Tensor(np.ones((2, 3), np.float32)))\n")

    def wander(c):
        here = c.line()
        for how in ("stepBack", "reverseContinue", "stepBack", "next", "stepIn", "stepOut", "reverseContinue", "stepBack"):
            c.go(how)
            stop = c.stopped()
            top = c.stack()[0]
            for scope in c.scopes(top["id"]).values():
                c.variables(scope)
            if " · " in top["name"]:
                c.evaluate("result" if "stop" not in stop else "1", frame=top["id"])
            if c.stack()[0]["line"] == here and " · " not in c.stack()[0]["name"]:
                break  # the present again
        while " · " in c.stack()[0]["name"] and not c.stack()[0]["name"].startswith("f"):
            c.go()
            c.stopped()

    # Where it begins there is nothing yet; at exceptions, births and the end everything is.
    for mode in ("eager", "graph"):
        with Debugged(body, entry=True, filters=["raised", "uncaught", "inf", "shape"], mode=mode) as c:
            reasons = []
            while True:
                event, answer = c.wait("stopped", "exited")
                if event == "exited":
                    break
                reasons.append(answer["reason"])
                assert len(reasons) < 60, reasons
                if reasons.count(answer["reason"]) == 1 and answer["reason"] != "step":
                    wander(c)
                c.go()
            assert answer["exitCode"] == 1 and "entry" in reasons and "exception" in reasons, (reasons, answer)
            assert "matmul" in c.text("stderr") or "MatMul" in c.text("stderr")


@session
def a_long_past_is_passed_over_quickly():
    # Only where a breakpoint stands is anything computed again.
    body = ("@ms.jit\ndef f(x):\n    for _ in range(40):\n        x = ops.sin(x) * 0.5\n    return x\n"
            "x = Tensor(np.ones((300, 300), np.float32))\ny = ops.exp(x)\nfor i in range(300):\n    x = f(x)\nend = 1\n")
    with Debugged(body, lines=[13], valuesBudget="4M") as c:
        c.stopped()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 10}])
        started = time.time()
        c.go("reverseContinue")
        c.stopped()
        assert c.stack()[0]["line"] == 10 and c.stack()[0]["name"].endswith("Exp"), c.stack()
        took = time.time() - started
        started = time.time()
        c.go("continue")
        c.stopped()
        assert c.stack()[0]["line"] == 13, c.stack()
        took += time.time() - started
        assert took < 2, took  # computing all again takes some seconds


if __name__ == "__main__":
    sys.exit(main())
