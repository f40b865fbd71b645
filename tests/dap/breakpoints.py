"""Where a program stops: lines, conditions, log messages, functions, ops, Cells.

    breakpoints.py FUSESCOPE [NAME…]
"""
import sys
import time

from harness import Debugged, LOOP, NET, c_path, ended, main, session


@session
def plain_lines():
    with Debugged(LOOP, lines=[6]) as c:
        for i in range(3):
            stop = c.stopped()
            assert stop["reason"] == "breakpoint" and stop["allThreadsStopped"] and len(stop["hitBreakpointIds"]) == 1
            assert c.line() == 6 and c.evaluate("i")["result"] == str(i)
            if i < 2:
                c.go()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[])
        c.go()
        ended(c)
        assert c.text() == "total 90\n", c.output


@session
def conditions_and_hits():
    with Debugged(LOOP, lines=[{"line": 6, "condition": "i == 7"}]) as c:
        c.stopped()
        assert c.evaluate("i, k")["result"] == "(7, 12)"
        c.go()
        ended(c)
    for condition, first in (("4", "3"), (">= 4", "3"), ("== 2", "1"), ("% 5", "4"), ("> 8", "8")):
        with Debugged(LOOP, lines=[{"line": 6, "hitCondition": condition}]) as c:
            c.stopped()
            assert c.evaluate("i")["result"] == first, condition
    with Debugged(LOOP, lines=[{"line": 6, "hitCondition": "often"}]) as c:
        ended(c)
    with Debugged(LOOP, lines=[{"line": 6, "condition": "nothing > 1"}]) as c:
        c.stopped()  # once, so that the user sees where
        c.go()
        ended(c)
        assert "nothing" in c.text("console")


@session
def conditions_in_functions():
    body = ("def outer(a):\n    b = a + 1\n    def inner(c):\n        d = b + c\n        return d\n"
            "    return sum(inner(c) for c in range(5))\nprint(outer(10))\n")
    with Debugged(body, lines=[{"line": 8, "condition": "b == 11 and c == 3 and any(x == c for x in [1, 3])"}]) as c:
        c.stopped()
        assert c.evaluate("(b, c, d)")["result"] == "(11, 3, 14)"
        assert [f["name"] for f in c.stack()][:3] == ["outer.<locals>.inner", "outer.<locals>.<genexpr>", "outer"]
        c.go()
        ended(c)


@session
def conditions_of_every_place():
    body = ('"""doc"""\nfrom math import sqrt\n@ms.jit\ndef f(x):\n    y = x * 2\n    return y\n'
            "def g(n):\n    global seen\n    seen = n\n    if n > 3:\n        n = 0\n    elif n == 2:\n        n = 5\n"
            "    for _ in (1, 2):\n        n += 1\n    return (n +\n            1)\n"
            "print([g(n) for n in range(5)], f(Tensor([1.0])), __doc__)\n")
    with Debugged(body) as c:
        ended(c)
        plain = c.text()
    # A condition that never holds changes nothing, wherever it stands.
    for line in range(4, 22):
        with Debugged(body, lines=[{"line": line, "condition": "1 == 2"}]) as c:
            ended(c)
            assert c.text() == plain, (line, c.output)
    with Debugged(body, lines=[{"line": 15, "condition": "n == 2"}, {"line": 18, "condition": "_ == 2 and n == 6"}]) as c:
        c.stopped()
        assert c.line() == 15 and c.evaluate("n")["result"] == "2"
        c.go()
        c.stopped()
        assert c.line() == 18, c.stack()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[])
        c.go()
        ended(c)
    # Set again with the same condition, it stays; with another, it is another.
    with Debugged(LOOP, lines=[{"line": 6, "condition": "i == 2"}]) as c:
        c.stopped()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": "i == 2"}, {"line": 7}])
        c.go()
        c.stopped()
        assert c.line() == 7 and c.evaluate("i")["result"] == "2"
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": "i == 5"}])
        c.go()
        c.stopped()
        assert c.line() == 6 and c.evaluate("i")["result"] == "5"
        c.go("next")
        c.stopped()
        assert c.line() == 7
        c.go()
        ended(c)
    # A step that ends where the condition holds stops once.
    with Debugged(LOOP, lines=[{"line": 5}, {"line": 6, "condition": "i == 0"}]) as c:
        c.stopped()
        c.go("next")
        c.stopped()
        assert c.line() == 6
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": "i == 0"}])
        c.go()
        ended(c)


@session
def conditions_after_a_step():
    # A step ended at a line whose condition did not hold that time.
    with Debugged(LOOP, lines=[{"line": 5}, {"line": 6, "condition": "i == 2"}]) as c:
        c.stopped()
        c.go("next")
        c.stopped()
        assert c.line() == 6 and c.evaluate("i")["result"] == "0"
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": "i == 2"}])
        c.go()
        c.stopped()
        assert c.line() == 6 and c.evaluate("i")["result"] == "2"
        c.go()
        ended(c)
    with Debugged(LOOP, lines=[{"line": 5}, {"line": 6, "condition": "i == 1"}]) as c:
        c.stopped()
        c.go("next")
        c.stopped()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": "i == 1"}])
        c.go()
        c.stopped()  # the very next time
        assert c.line() == 6 and c.evaluate("i")["result"] == "1"
        c.go()
        ended(c)


@session
def logpoints():
    with Debugged(LOOP, lines=[{"line": 6, "logMessage": "i is {i}, half {k/4} {oops}", "condition": "i > 7"}]) as c:
        ended(c)
        lines = c.text("console").splitlines()
        assert lines[0].startswith("i is 8, half 3.5 <NameError"), lines
        assert len(lines) == 2


@session
def logpoints_are_f_strings():
    body = ("def f(x, s, d, t):\n    k = 1\n    return k\nclass Odd:\n    def __format__(self, spec): return 'odd:' + spec\n"
            "    def __str__(self): raise ValueError('no text')\n    __repr__ = __str__\n"
            "f(3.14159, 'text', {'a:b': [1, 2], '}': 5, '!': 6}, Tensor([1.0, 2.0]))\nodd = Odd()\nk = 2\n")
    cases = [("plain", "plain"), ("{x}", "3.14159"), ("{x:>8.2f}|", "    3.14|"), ("{x=}", "x=3.14159"), ("{s!r}", "'text'"),
             ("{s!r:>8}", "  'text'"), ("{{x}} {{{x:.1f}}}", "{x} {3.1}"), ("{d['a:b'][1]}", "2"), ("{d['}']}", "5"),
             ('{d["!"]}', "6"), ("{ {1: 2}[1] }", "2"), ("{[c for c in s if c != 't']}", "['e', 'x']"), ("{x:{1 + 7}.{k+1}f}", "<NameError"),
             ("{x:{1 + 7}.1f}", "     3.1"), ("{(lambda: x)()}", "3.14159"), ("{x != 3}", "True"), ("{s:'>6}", "''text"),
             ("a } b", "a } b"), ("a { b", "a { b"), ("{}", "<SyntaxError"), ("{1 +}", "<SyntaxError"), ("{x", "{x"),
             ("C:\\new {x:.0f}", "C:\\new 3"), ('"\'"""{x:.0f}\'\'\'', '"\'"""3\'\'\''), ("ünï {s}", "ünï text"), ("{s}{s}", "texttext"),
             ("{t.shape} {x}", "(2,) 3.14159"), ("{1/0} {x:.0f}", "<ZeroDivisionError: division by zero> 3"), ("%d %s", "%d %s")]
    with Debugged(body, lines=[{"line": 5, "logMessage": message} for message, _ in cases]) as c:
        ended(c)
        told = [text for category, text in c.output if category == "console"]
        assert len(told) == len(cases)
        for (message, said), console in zip(cases, told):
            assert console == said + "\n" or (said.startswith("<") and console.startswith(said)), (message, said, console)
    with Debugged(body, lines=[{"line": 13, "logMessage": "{odd:a} {odd} {odd!s} on"}]) as c:
        ended(c)
        assert c.text("console") == "odd:a odd: <ValueError: no text> on\n", c.output


@session
def a_condition_may_have_space_around_it():
    for condition in (" i == 7", "\ti == 7  ", "\ni == 7\n"):
        with Debugged(LOOP, lines=[{"line": 6, "condition": condition}]) as c:
            c.stopped()
            assert c.evaluate("i")["result"] == "7"
            c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[{"line": 6, "condition": condition.replace("7", "9")}])
            c.go()
            c.stopped()
            assert c.evaluate("i")["result"] == "9"
            c.go()
            ended(c)
    with Debugged(LOOP, lines=[{"line": 6, "condition": "  "}], functions=[]) as c:
        c.stopped()  # no condition at all
        assert c.evaluate("i")["result"] == "0"
    with Debugged("def f(n):\n    return n\nfor i in range(5): f(i)\n", functions=[{"name": "f", "condition": " n == 3"}]) as c:
        c.stopped()
        assert c.evaluate("n")["result"] == "3"


@session
def hits_stay_when_others_are_set():
    # Clients send all breakpoints of a file when one of them changes.
    four = {"line": 6, "hitCondition": ">= 4"}
    with Debugged(LOOP, lines=[5, four, {"line": 7, "condition": "k >= 0", "hitCondition": "== 3"}]) as c:
        c.stopped()
        c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[four, {"line": 7, "condition": "k >= 0", "hitCondition": "== 3"}])
        for line, i in ((7, 2), (6, 3)):
            c.go()
            c.stopped()
            assert (c.line(), c.evaluate("i")["result"]) == (line, str(i)), (c.line(), c.evaluate("i"))
            c.ask("setBreakpoints", source={"path": c_path(c)}, breakpoints=[four, {"line": 8}])
        assert {h["hits"] for h in c.ask("fusescope/hits")["hits"]} == {4, 0}


@session
def breakpoints_move_to_code():
    with Debugged("def f():\n    # nothing here\n\n    return 1\nf()\n") as c:
        pass
    d = Debugged("def f():\n    # nothing here\n\n    return 1\nf()\n", lines=[5, 99])
    with d as c:
        first, last = d.result["breakpoints"]
        assert first["verified"] and first["line"] == 7, first
        assert not last["verified"] and last["message"]
        c.stopped()
        assert c.line() == 7


@session
def functions():
    body = "def work(n):\n    return n + 1\nclass A:\n    def go(self):\n        return work(3)\nprint(A().go())\n"
    with Debugged(body, functions=["work", "A.go"]) as c:
        assert c.stopped()["reason"] == "function breakpoint"
        assert c.stack()[0]["name"] == "A.go"
        c.go()
        c.stopped()
        assert c.stack()[0]["name"] == "work" and c.evaluate("n")["result"] == "3"
        c.go()
        ended(c)


@session
def op_kinds_and_cells():
    with Debugged(NET, functions=["Softmax"]) as c:
        stop = c.stopped()
        assert stop["description"] == "before Softmax" and c.line() == 10, stop
        op = c.variables(c.scopes()["Op Softmax"])
        assert op["input"]["value"].startswith("Float32[2, 2]") and op["axis"]["value"] == "I64(-1)"
        assert op["result"]["value"] == "Float32(2, 2)"  # not run yet: its type
        c.go()
        ended(c)
    for cell in ("net.second", "second"):
        with Debugged(NET, functions=[cell]) as c:
            c.stopped()
            scopes = c.scopes()
            shown = next(v for k, v in scopes.items() if k.startswith("Op "))
            assert "second" in c.variables(shown)["scope"]["value"]


@session
def functions_stop_where_they_begin():
    # Not in libraries, and a generator once: not each time that it goes on.
    body = ("def g():\n    yield 1\n    yield 2\nlist(g())\nclass A:\n    def __call__(self):\n        return 1\n"
            "import enum, argparse\nA()()\nprint((lambda: 3)())\n")
    with Debugged(body, functions=["g", "__call__", "<lambda>"]) as c:
        for name in ("g", "A.__call__", "<lambda>"):
            c.stopped()
            assert c.stack()[0]["name"] == name, c.stack()
            c.go()
        ended(c)


@session
def ops_with_conditions_and_hits():
    body = "x = Tensor([1.0])\nfor i in range(6):\n    x = ops.exp(x * 0.5)\nprint('end')\n"
    for mode in ("eager", "graph"):
        # The program's variables; in graphs these are of the place where the value is looked at.
        for condition, i in ((" i == 3", 3), ("i > 1 and any(v == i for v in (4, 5))", 4)) if mode == "eager" else ():
            with Debugged(body, functions=[{"name": "Exp", "condition": condition}], mode=mode) as c:
                c.stopped()
                assert c.evaluate("i")["result"] == str(i)
                hits = [h["hits"] for h in c.ask("fusescope/hits")["hits"]]
                assert hits == [1], hits
        for condition, first in ((">= 3", 3), ("== 2", 2), ("% 4", 4), ("5", 5)):
            with Debugged(body, functions=[{"name": "Exp", "hitCondition": condition}], mode=mode) as c:
                c.stopped()
                assert [h["hits"] for h in c.ask("fusescope/hits")["hits"]] == [first], condition
        # Operands are names too; the program's own come first.
        with Debugged(body, functions=[{"name": "Exp", "condition": "float(input) > 0.9"}], mode=mode) as c:
            c.stopped()
            assert float(c.variables(c.scopes()["Op Exp"])["input"]["value"].split("[")[2].strip("]")) > 0.9
        with Debugged("other = 5\n" + body, functions=[{"name": "Mul", "condition": "other == 5"}], mode=mode) as c:
            c.stopped()
        with Debugged(body, functions=[{"name": "Exp", "condition": "nothing"}], mode=mode) as c:
            c.stopped()  # once, so that the user sees where
            c.go()
            ended(c)
            assert c.text("console").count("nothing") >= 1, c.output
    with Debugged(body, functions=[{"name": "Exp", "hitCondition": "often"}]) as c:
        ended(c)
    d = Debugged(body, functions=[{"name": "Exp", "hitCondition": "often"}, {"name": "f", "hitCondition": "x"}, "Mul"])
    with d as c:
        first, second, third = d.result["breakpoints"]
        assert not first["verified"] and not second["verified"] and first["message"] and third["verified"]
    # Cells; and hits stay when the breakpoints are set again.
    with Debugged(NET.replace("y = net(x)", "for i in range(4): y = net(x)"),
                  functions=[{"name": "net.second", "condition": "True", "hitCondition": ">= 2"}]) as c:
        c.stopped()
        assert [h["hits"] for h in c.ask("fusescope/hits")["hits"]] == [2]
        c.ask("setFunctionBreakpoints", breakpoints=[{"name": "net.second", "condition": "True", "hitCondition": ">= 2"}, {"name": "Cos"}])
        c.go()
        c.stopped()
        assert [h["hits"] for h in c.ask("fusescope/hits")["hits"]] == [3, 0]


@session
def lines_are_looked_up_at_any_time():
    body = ("import time\nprint('up', flush=True)\nn = 0\nwhile not n:\n    time.sleep(0.01)\n    # nothing\n\n    k = (n +\n\n         2)\n"
            "# the end\n")
    for spin in ("time.sleep(0.01)", "pass", "ops.neg(Tensor([1.0]))"):
        with Debugged(body.replace("time.sleep(0.01)", spin)) as c:
            while "up" not in c.text():
                time.sleep(0.02)
            for stands in (False, True):
                path = c.program
                asked = [9, 10, 12, 13, 14, 400]
                placed = c.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": n} for n in asked])["breakpoints"]
                assert [p.get("line") for p in placed] == [11, 11, 13, 13, 14, 400] or placed[3]["line"] == 13, placed
                assert [p["verified"] for p in placed] == [True] * 4 + [False] * 2 and placed[4]["message"], placed
                missing, = c.ask("setBreakpoints", source={"path": "/nowhere/x.py"}, breakpoints=[{"line": 1}])["breakpoints"]
                assert not missing["verified"] and "No such file" in missing["message"], missing
                if not stands:
                    c.stopped()
            c.ask("setBreakpoints", source={"path": path}, breakpoints=[])



@session
def what_is_no_expression_is_unverified():
    d = Debugged(LOOP, lines=[{"line": 6, "condition": "i ="}, {"line": 7, "condition": "i = 3"}, {"line": 7, "condition": "i == 3"}])
    with d as c:
        first, second, third = d.result["breakpoints"]
        assert "i =" in first["message"] and not first["verified"] and not second["verified"] and third["verified"], d.result


@session
def clients_may_count_from_zero():
    d = Debugged(LOOP, launch=False)
    with d as c:
        c.ask("initialize", adapterID="fusescope", linesStartAt1=False, columnsStartAt1=False)
        c.ask("launch", program=d.path)
        c.wait("initialized")
        placed, = c.ask("setBreakpoints", source={"path": d.path}, breakpoints=[{"line": 5}])["breakpoints"]
        assert placed["verified"] and placed["line"] == 5, placed
        c.ask("fusescope/setWatchpoints", watchpoints=["zero"])
        c.ask("configurationDone")
        c.stopped()
        top = c.stack()[0]
        assert (top["line"], top["column"]) == (5, 0) and c.evaluate("i")["result"] == "0", top
        c.ask("setBreakpoints", source={"path": d.path}, breakpoints=[])
        c.go()
        ended(c)


if __name__ == "__main__":
    sys.exit(main())
