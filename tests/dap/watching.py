"""Exceptions, bad values and watchpoints.

    watching.py FUSESCOPE [NAME…]
"""
import queue
import sys

from harness import Debugged, TRAIN, c_path, ended, main, session


WATCHED = [
    ("nan", "y = ops.log(Tensor([-1.0]))\n", 4),
    ("inf", "y = ops.exp(Tensor([200.0]))\n", 4),
    ("overflow", "y = Tensor([60000.0], ms.float16) * 1.0\ny = y + y\n", 5),
    ("underflow", "y = Tensor([1e-30]) * 1.0\ny = y * 1e-10\n", 5),
    ("zero", "y = Tensor([1.0]) * 2.0\ny = y * 0.0\n", 5),
    ("range(-1, 1)", "y = Tensor([0.5]) * 1.0\ny = y * 4.0\n", 5),
    ("norm(10)", "y = Tensor([3.0, 4.0]) * 1.0\ny = y * 3.0\n", 5),
    ("dead(0.5)", "y = ops.relu(Tensor([1.0, 2.0, 3.0, -1.0]))\ny = ops.relu(Tensor([1.0, -2.0, -3.0]))\n", 5),
    ("expr(max > 10 and mean < 9)", "y = Tensor([1.0, 11.0]) * 0.5\ny = Tensor([1.0, 11.0]) * 1.0\n", 5),
    ("range(0, 5) on op Mul", "y = Tensor([8.0]) + 1.0\ny = Tensor([8.0]) * 1.0\n", 5),
    ("unchanged", "for i in range(2):\n    y = Tensor([1.0]) * 2.0\n", 5),
    ("changed", "for i in range(2):\n    y = Tensor([1.0]) * float(i)\n", 5),
    ("change(5)", "for i in range(3):\n    y = Tensor([1.0]) * float(i * i * 3)\n", 5),
    ("relative_change(0.5)", "for i in range(3):\n    y = Tensor([1.0]) * (1.0 + i * i)\n", 5),
]


@session
def exceptions():
    body = "def bad():\n    raise KeyError('k')\ntry:\n    bad()\nexcept KeyError:\n    pass\nx = [1][5]\n"
    with Debugged(body, filters=["raised"]) as c:
        stop = c.stopped()
        assert stop["reason"] == "exception" and "KeyError" in stop["description"]
        info = c.ask("exceptionInfo", threadId=1)
        assert info["exceptionId"] == "KeyError" and c.line() == 5
        c.go()
        c.stopped()
        assert c.line() == 10
        c.go()
        ended(c, 1)
    with Debugged(body, filters=["uncaught"]) as c:
        stop = c.stopped()
        assert "IndexError" in stop["description"], stop
        assert c.line() == 10 and c.evaluate("bad.__name__")["result"] == "'bad'"
        assert "IndexError" in c.ask("exceptionInfo", threadId=1)["details"]["stackTrace"]
        c.go()
        ended(c, 1)
        assert "IndexError" in c.text("stderr")


@session
def shape_errors():
    body = "a = Tensor(np.ones((2, 3), np.float32))\nb = Tensor(np.ones((2, 3), np.float32))\nc = ops.matmul(a, b)\n"
    with Debugged(body, filters=["shape"]) as c:
        stop = c.stopped()
        assert "MatMul" in stop["description"] and c.line() == 6, stop
        c.go()
        ended(c, 1)


@session
def births():
    body = "x = Tensor([1.0, 0.0])\ny = ops.log(x)\nz = y * Tensor([1.0, 0.0])\nprint(z)\n"
    for mode in ("eager", "graph"):
        with Debugged(body, filters=["inf", "nan"], mode=mode) as c:
            stop = c.stopped()
            assert stop["description"] == "Inf was born in Log", stop
            assert c.line() == 5, c.stack()
            result = c.variables(c.scopes()["Op Log"])["result"]
            assert "-inf" in result["value"], result
            c.go()
            assert c.stopped()["description"] == "NaN was born in Mul"
            c.go()
            ended(c)


@session
def a_birth_when_no_value_fits():
    # The history drops what it has just noted; what is born inside a graph is explained all the same.
    body = ("@ms.jit\ndef f(x, y):\n    return (ops.log(x - y) * 2.0).sum()\n"
            "a = Tensor(np.ones(5000, np.float32))\nprint(f(a, a * 2.0))\n")
    d = Debugged(body, launch=False)
    with d as c:
        c.ask("initialize", adapterID="fusescope")
        c.ask("launch", program=d.path, profile=d.folder + "/run.fscope", watch="health", valuesBudget="1K")
        c.wait("initialized")
        c.ask("configurationDone")
        ended(c)
    rows = d.profile().execute("SELECT json_extract(detail, '$.rule') FROM finding WHERE kind = 'nan'").fetchall()
    assert rows == [("log_of_negative",)], rows


@session
def watchpoints():
    for text, body, line in WATCHED:
        with Debugged(body, watch=[text]) as c:
            stop = c.stopped()
            assert stop["reason"] == "data breakpoint" and text in stop["text"], (text, stop)
            assert c.line() == line, (text, c.stack())
            hits = {h["id"]: h["hits"] for h in c.ask("fusescope/hits")["hits"]}
            assert hits[stop["hitBreakpointIds"][0]] == 1
            where = c.ask("fusescope/hits")["hits"][-1]["list"]
            assert [h["line"] for h in where] == [line], where
            assert all(h["event"] > 0 or not h["op"] for h in where), where  # gradients are no op of their own
            c.go()
            c.wait("exited", "stopped")
    with Debugged("y = 1\n", launch=False) as c:
        pass
    d = Debugged("y = 1\n", watch=["nan on nothing", "rnage(1, 2)", "range(1)", "norm(x)", "nan on op Nope"])
    with d as c:
        assert all(not b["verified"] and b["message"] for b in d.result["breakpoints"]), d.result
        ended(c)


@session
def each_parameter_is_compared_with_itself():
    # Two Parameters of one shape, written by one line: the first stays as it is, the second does not.
    body = ("a, b = (ms.Parameter(Tensor([v, v]), name=n) for n, v in (('a', 1.0), ('b', 2.0)))\n"
            "def write(k):\n    for p, v in ((a, 1.0), (b, k)):\n        ops.assign(p, Tensor([v, v]))\n"
            "write(2.0)\nwrite(2.0)\nwrite(3.0)\nprint('end')\n")
    with Debugged(body, watch=["changed on parameters"]) as c:
        c.stopped()
        assert any(f["line"] == 10 for f in c.stack()), c.stack()
        c.go()
        ended(c)
    # Gradients of one loss are told one by one: each is compared with its own of the step before.
    body = ("a, b = (ms.Parameter(Tensor([1.0, 2.0]), name=n) for n in 'ab')\n"
            "step = ms.grad(lambda k: (a * 2.0 + b * k).sum(), None, ms.ParameterTuple([a, b]))\n"
            "for k in (3.0, 3.0, 4.0):\n    g = step(Tensor(k))\nprint('end')\n")
    with Debugged(body, watch=["changed on gradients"]) as c:
        c.stopped()
        assert c.evaluate("float(k)")["result"] == "4.0", c.stack()
        c.go()
        ended(c)


@session
def parameters_and_gradients():
    with Debugged(TRAIN, watch=["norm(0) on gradients"]) as c:
        assert "gradient" in c.stopped()["text"]
    with Debugged(TRAIN, watch=["range(1e9, 2e9) on parameters"]) as c:
        c.stopped()
        assert c.line() == 12, c.stack()
    with Debugged(TRAIN, lines=[11]) as c:
        c.stopped()
        info = c.ask("dataBreakpointInfo", name="net.weight", frameId=c.stack()[0]["id"])
        assert info["dataId"] == "weight", info
        assert c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"][0]["verified"]
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[])
        c.go()
        stop = c.stopped()
        assert stop["reason"] == "data breakpoint" and c.line() == 12, stop
    with Debugged(TRAIN, options=[{"filterId": "watch", "condition": "norm(0) on gradients"}]) as c:
        c.stopped()


@session
def an_expression_that_raises_is_told_once():
    body = "for i in range(5):\n    y = Tensor([0.0]) * 1.0\nz = Tensor([5.0]) * 1.0\nprint('end')\n"
    for wrong, error in (("1 / max > 5", "ZeroDivisionError"), ("nothing > 3", "NameError"), ("exec('raise SystemExit')", "SystemExit")):
        d = Debugged(body, watch=["expr(%s)" % wrong, "range(-1, 4)"])
        with d as c:
            first, second = d.result["breakpoints"]
            changed = c.wait("breakpoint")
            assert changed["breakpoint"]["id"] == first["id"] and not changed["breakpoint"]["verified"], changed
            assert error in changed["breakpoint"]["message"]
            c.stopped()
            assert c.line() == 6
            assert c.text("console").count("raised (") == 1, c.output
            c.go()
            ended(c)
    # What is no expression is told when it is set.
    d = Debugged(body, watch=["expr(max >)", "expr(import os)", "range(-1, 4)"])
    with d as c:
        assert [b["verified"] for b in d.result["breakpoints"]] == [False, False, True], d.result
        assert "not a Python expression" in d.result["breakpoints"][0]["message"]
        c.stopped()


@session
def setting_watchpoints_keeps_what_others_have_seen():
    body = "for i in range(12):\n    y = Tensor([1.0]) * float(i % 4)\nprint('end')\n"
    with Debugged(body, watch=["range(-1, 2)", "unchanged"], options=[{"filterId": "watch", "condition": "zero"}]) as c:
        def hits():
            return {h["id"]: (h["hits"], len(h["list"])) for h in c.ask("fusescope/hits")["hits"]}

        for _ in range(3):  # zero, range, zero
            stop = c.stopped()
            seen = hits()
            c.ask("setDataBreakpoints", breakpoints=[])
            assert hits() == seen, (seen, hits())
            c.ask("fusescope/setWatchpoints", watchpoints=["range(-1, 2)", "unchanged", "nan"])
            assert {k: v for k, v in hits().items() if k in seen} == seen, (seen, hits())
            c.ask("setExceptionBreakpoints", filters=["uncaught"], filterOptions=[{"filterId": "watch", "condition": "zero"}])
            assert {k: v for k, v in hits().items() if k in seen} == seen, (seen, hits())
            c.go()
        assert sorted(v for v in seen.values()) == [(0, 0), (0, 0), (1, 1), (2, 2)], seen
        # Removed, it is gone, with what it had.
        c.stopped()
        c.ask("fusescope/setWatchpoints", watchpoints=[])
        c.ask("setExceptionBreakpoints", filters=[])
        assert not hits()
        c.go()
        ended(c)


@session
def a_pause_that_an_op_takes_is_over():
    body = "print('up', flush=True)\nx = Tensor([1.0])\nwhile True: x = [x.abs() for _ in range(100000)][0]\n"
    with Debugged(body) as c:
        while "up" not in c.text():
            pass
        for _ in range(4):
            c.ask("pause", threadId=1)
            c.stopped()
            c.go()
            try:
                c.wait("stopped", timeout=0.5)
                raise AssertionError("a second stop")
            except queue.Empty:
                pass
            c.ask("pause", threadId=1)
            c.ask("pause", threadId=1)
            c.stopped()
            c.ask("pause", threadId=1)
            c.go()
            try:
                c.wait("stopped", timeout=0.5)
                raise AssertionError("a second stop")
            except queue.Empty:
                pass


@session
def other_threads_do_not_stop():
    body = ("import threading\ndef work():\n    for i in range(20):\n        x = ops.log(Tensor([0.0]) * float(i))\n        k = i\n"
            "t = threading.Thread(target=work)\nt.start()\nt.join()\nprint('end')\n")
    everything = dict(lines=[8, {"line": 8, "condition": "k > 3"}, {"line": 8, "logMessage": "{k}"}], functions=["Log", "work"],
                      watch=["zero", "expr(max > 1)"], filters=["nan", "inf", "raised", "shape"])
    for mode in ("eager", "graph"):
        with Debugged(body, mode=mode, **everything) as c:
            while mode == "graph" and c.wait("stopped", "exited")[0] == "stopped":
                c.go()  # what still waits when the script ends is run by the main thread
            if mode == "eager":
                ended(c)
            assert "end\n" == c.text() and ("thread" in c.text("console") or mode == "graph"), c.output
            assert c.text("console").count("Ops in other threads") <= 1
        # Steps and pauses of the main thread while another one runs ops.
        with Debugged(body.replace("t.join()", "while t.is_alive(): i = 1"), lines=[10], mode=mode) as c:
            c.stopped()
            for _ in range(30):
                c.go("next", granularity="instruction") if _ % 3 == 0 else c.go("next")
                event, answer = c.wait("stopped", "exited")
                if event == "exited":
                    break
                assert mode == "graph" or c.stack()[0]["name"].startswith("<module>"), c.stack()
            else:
                c.go()
                ended(c)


if __name__ == "__main__":
    sys.exit(main())
