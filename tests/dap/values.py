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
def questions_stop_nowhere():
    # What a question runs may come to a breakpoint, an op's or a mistake that stops; nobody could resume it there.
    body = ("def half(x):\n    y = x * 0.5\n    return y\na = Tensor(np.ones((2, 3), np.float32))\nb = ops.exp(a)\n"
            "c = half(b)\nprint('end')\n")
    for lines, functions in (([8], []), ([], ["Exp"])):
        with Debugged(body, lines=lines, functions=functions, filters=["shape", "raised", "nan"]) as c:
            c.stopped()
            path = c.stack()[-1]["source"]["path"]
            c.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 5}])
            for context in ("watch", "repl"):
                assert "0.5" in c.evaluate("half(a)", context)["result"]
                for wrong in ("ops.matmul(a, a)", "1 / 0", "int('x')"):
                    try:
                        c.evaluate(wrong, context)
                        raise AssertionError(wrong)
                    except Failed as e:
                        assert "RecursionError" not in str(e)
            c.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 10}])
            c.go()
            assert c.stopped()["reason"] == "breakpoint" and c.line() == 10
            c.go()
            ended(c)


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


@session
def odd_objects_are_shown_like_others():
    body = ("import collections, types\nclass Raises:\n    def __repr__(self): raise ValueError('no repr')\n"
            "class Exits:\n    def __repr__(self): raise SystemExit(3)\n"
            "class NoLength(list):\n    def __len__(self): raise ValueError\n    def __bool__(self): raise ValueError\n"
            "class NoClass:\n    @property\n    def __class__(self): raise ValueError\n"
            "class NoAttributes:\n    def __getattribute__(self, name): raise RuntimeError(name)\n"
            "class NoItems(dict):\n    def items(self): raise ValueError\n"
            "raises, exits, no_length, no_class = Raises(), Exits(), NoLength([1]), NoClass()\n"
            "no_attributes, no_items = NoAttributes(), NoItems(a=1)\nitself = {}\nitself['me'] = itself\n"
            "deep = []\nfor _ in range(5000): deep = [deep]\nglobals()[7] = 'seven'\nglobals()['a b'] = 2\n"
            "big, wide, some = list(range(1_000_000)), {i: i for i in range(50_000)}, set(range(50_000))\n"
            "array, queue, view = np.arange(6).reshape(2, 3), collections.deque([5]), types.MappingProxyType({'k': 6})\n"
            "print('here')\n")
    line = 4 + body.count("\n") - 1
    with Debugged(body, lines=[line]) as c:
        c.stopped()
        shown = c.variables(c.scopes()["Globals"])
        assert shown["raises"]["value"] == "<repr raised ValueError: no repr>"
        assert shown["exits"]["value"] == "<repr raised SystemExit: 3>"
        assert shown["no_class"]["type"] == "NoClass" and shown["no_attributes"]["type"] == "NoAttributes"
        assert shown["itself"]["value"] == "{'me': {...}}" and shown["deep"]["value"] == "[[[[[[[[[...]]]]]]]]]", (shown["itself"], shown["deep"])
        assert "7" not in shown and "evaluateName" not in shown["a b"]
        inside = lambda name, **page: c.variables(shown[name]["variablesReference"], **page)
        assert inside("no_length")["[0]"]["value"] == "1" and inside("no_items")["a"]["value"] == "1"
        assert inside("array")["[1]"]["value"] == "array int64 (3,) [3, 4, 5]"
        assert inside("queue")["[0]"]["value"] == "5" and inside("view")["k"]["value"] == "6"
        for name in ("big", "wide", "some"):  # a client that does not page gets an answer that it can show
            assert len(inside(name)) == 10_001 and "more" in inside(name)["…"]["value"], name
        assert list(inside("big", start=999_998, count=2)) == ["[999998]", "[999999]"]
        c.go()
        ended(c)


@session
def nothing_is_too_large_to_show():
    body = ("import types\nclass Many: pass\nmany, module = Many(), types.ModuleType('m')\n"
            "for i in range(50_000): setattr(many, 'a%d' % i, i); setattr(module, 'a%d' % i, i); globals()['g%05d' % i] = i\n"
            "text, nested, number = 'x' * 200_000_000, [[[list(range(3_000_000))] * 3] * 3] * 5, 1 << 5_000_000\n"
            "pairs, words, blob = {i: [i] * 1000 for i in range(20)}, {'k': 'y' * 100_000_000}, b'z' * 100_000_000\n"
            "def down(n):\n    return down(n - 1) if n else len(text)\n"
            "import sys; sys.setrecursionlimit(30_000)\ndown(20_000)\nprint('here')\n")
    with Debugged(body, lines=[{"line": 11, "condition": "n == 0"}]) as c:
        c.stopped()
        started = time.time()
        stack = c.ask("stackTrace", threadId=1, startFrame=0, levels=20)
        assert len(stack["stackFrames"]) == 20 and stack["totalFrames"] > 20_000
        for name in ("many", "module"):
            shown = c.evaluate(name, frame=stack["stackFrames"][0]["id"])
            parts = c.variables(shown["variablesReference"])
            assert len(parts) == 10_001 and parts["…"]["value"] == "40000 more", name
            page = c.variables(shown["variablesReference"], start=49_999, count=5)
            assert list(page) == ["a49999"], page
        scopes = {s["name"]: s["variablesReference"] for s in c.ask("scopes", frameId=stack["stackFrames"][0]["id"])["scopes"]}
        parts = c.variables(scopes["Globals"])
        assert len(parts) == 10_001 and "more" in parts["…"]["value"]
        for name in ("text", "nested", "number", "pairs", "words", "blob"):
            shown = c.evaluate(name, frame=stack["stackFrames"][0]["id"])
            assert len(shown["result"]) <= 160, name
        assert time.time() - started < 10, time.time() - started
        copied = c.evaluate("list(range(1000))", context="clipboard", frame=stack["stackFrames"][0]["id"])["result"]
        assert copied == repr(list(range(1000)))
        c.go()
        ended(c)


@session
def expressions_see_the_variables_of_the_frame():
    body = ("def f(n):\n    a, b = 1, [2, 3]\n    return a, b, n\nx = Tensor([1.0, 2.0], ms.int8)\nt = (1, 2)\nf(4)\n")
    with Debugged(body, lines=[6]) as c:
        c.stopped()
        say = lambda text: c.evaluate(text, "repl")["result"]
        assert say("[a + v for v in b]") == "[3, 4]" and say("(lambda: n)()") == "4"
        assert say("any(v > n for v in b)") == "False" and say(" a ") == "1"
        say("def count(k): return 0 if k == 0 else n + count(k - 1)")
        assert say("count(3)") == "12"
        say("exec('global made; made = [v for v in (1, 2)]')")
        assert say("made") == "[1, 2]"
        sums = c.evaluate("b + [a]")
        assert c.variables(sums["variablesReference"])["[2]"]["evaluateName"] == "(b + [a])[2]"
        # A value is shown as it was stored; what cannot be changed is told.
        x = c.evaluate("x")["variablesReference"]
        assert c.ask("setVariable", variablesReference=x, name="[0]", value=" 300 ")["value"] == "44"
        for name, value, why in (("t", "5", "a tuple cannot be changed"), ("x", "5", "the dtype of a Tensor")):
            reference = c.evaluate(name)["variablesReference"]
            try:
                c.ask("setVariable", variablesReference=reference, name="[0]" if name == "t" else "dtype", value=value)
                raise AssertionError(name)
            except Failed as e:
                assert why in str(e), e
        c.go()
        ended(c)


if __name__ == "__main__":
    sys.exit(main())
