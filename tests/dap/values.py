"""What a stopped program shows, and its streams.

    values.py FUSESCOPE [NAME…]
"""
import sys
import time

from dap_client import Failed
from harness import Debugged, LOOP, NET, ended, main, session


@session
def values():
    body = NET + ("d = {'a': 1, 'b': [1, 2, {'c': 3}]}\nbig = Tensor(np.arange(1000000, dtype=np.float32))\n"
                  "matrix = Tensor([[1.0, float('nan')], [3.0, 4.0]])\nwords = list(range(1000))\nlast = 1\n")
    with Debugged(body, lines=[19]) as c:
        c.stopped()
        names = c.variables(c.scopes()["Globals"])
        cell = c.variables(names["net"]["variablesReference"])
        assert {"first", "second"} <= set(cell), cell
        dense = c.variables(cell["first"]["variablesReference"])
        assert dense["weight"]["value"].startswith("Parameter") or "Float32[3, 4]" in dense["weight"]["value"], dense
        parts = c.variables(names["d"]["variablesReference"])
        inner = c.variables(parts["b"]["variablesReference"])
        assert inner["[1]"]["value"] == "2" and "c" in c.variables(inner["[2]"]["variablesReference"])
        big = names["big"]
        assert big["indexedVariables"] == 1000000
        page = c.variables(big["variablesReference"], filter="indexed", start=999990, count=10)
        assert page["[999999]"]["value"] == "999999.0" and len(page) == 10, page
        facts = c.variables(names["matrix"]["variablesReference"])
        assert "1 NaN" in facts["health"]["value"] and "(0, 1)" in facts["health"]["value"], facts
        row = c.variables(facts["[1]"]["variablesReference"])
        assert row["[0]"]["value"] == "3.0"
        assert c.evaluate("matrix.asnumpy()[1, 0]")["result"] == "3.0"
        assert c.evaluate("matrix[1, 0] + 1", context="hover")["result"].startswith("Float32[] [4")
        assert len(c.variables(names["words"]["variablesReference"], start=10, count=5)) == 5
        try:
            c.evaluate("no_such_name")
            raise AssertionError("an unknown name was evaluated")
        except Failed as e:
            assert "NameError" in str(e)
        c.go()
        ended(c)


@session
def setting():
    with Debugged("def f(n):\n    m = n\n    return m * 2\nprint(f(3))\nprint(total)\n".replace("total", "len('x')"),
                  lines=[6]) as c:
        c.stopped()
        local = c.scopes()["Locals"]
        assert c.ask("setVariable", variablesReference=local, name="m", value="50")["value"] == "50"
        c.evaluate("extra = 5", context="repl")
        assert c.evaluate("m")["result"] == "50"
        c.ask("setExpression", expression="m", value="60", frameId=c.stack()[0]["id"])
        c.go()
        ended(c)
        assert c.text().startswith("120\n"), c.output


@session
def inspecting_leaves_no_trace():
    body = ("ms.set_seed(1)\n@ms.jit\ndef f(x):\n    y = ops.exp(x)\n    z = y + 1.0\n    return z\n"
            "x = Tensor([0.0])\nprint(f(x))\nprint(ops.rand(2))\n")
    outputs = []
    for look in (False, True):
        with Debugged(body, lines=[8]) as c:
            c.stopped()
            if look:
                locals_ = c.variables(c.scopes()["Locals"])
                assert "waits in a graph" in locals_["y"]["value"], locals_
                c.evaluate("ops.rand(3)", context="repl")
            c.go()
            ended(c)
            outputs.append(c.text())
    assert outputs[0] == outputs[1], outputs


@session
def streams():
    body = ("import sys\nprint('out ünï', flush=True)\nprint('err', file=sys.stderr, flush=True)\n"
            "name = input('name? ')\nprint('hello', name)\nprint(sys.argv[1:], sys.stdin.isatty())\n")
    with Debugged(body, args=["a b", "ü"]) as c:
        while "name?" not in c.text():
            time.sleep(0.05)
        c.ask("evaluate", expression="Wörld", context="repl")
        ended(c)
        assert c.text() == "out ünï\nname? hello Wörld\n['a b', 'ü'] False\n", c.output
        assert "err\n" in c.text("stderr")


@session
def without_debugging():
    with Debugged(LOOP, lines=[6], noDebug=True, entry=True) as c:
        ended(c)
        assert c.text() == "total 90\n"


@session
def unicode_everywhere():
    body = "größe = Tensor([1.0])\n数据 = größe * 2.0\nprint('ok')\n"
    with Debugged(body, name="prögramm 数.py", lines=[6]) as c:
        c.stopped()
        names = c.variables(c.scopes()["Globals"])
        assert names["数据"]["value"] == "Float32[1] [2]" and c.stack()[0]["source"]["name"] == "prögramm 数.py"


if __name__ == "__main__":
    sys.exit(main())
