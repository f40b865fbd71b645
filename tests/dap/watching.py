"""Exceptions, bad values and watchpoints.

    watching.py FUSESCOPE [NAME…]
"""
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


if __name__ == "__main__":
    sys.exit(main())
