"""Values, expressions and kills that mean the debugger harm.

    hostile.py FUSESCOPE [NAME…]
"""
import os
import signal
import subprocess
import sys
import time

from dap_client import Failed
from harness import Debugged, LOOP, ended, main, session

VALUES = ("import os, sys, threading\n"
          "class NoText:\n    def __repr__(self): return 5\n"
          "class Long:\n    def __repr__(self): return 'x' * 50_000_000\n"
          "class Stops:\n    def __repr__(self): breakpoint(); return 'stopped'\n"
          "class Computes:\n    def __repr__(self): return str((ops.exp(Tensor([0.0])) + ops.rand(1)).shape)\n"
          "class Fails:\n    def __repr__(self): return str(ops.matmul(Tensor([1.0]), Tensor(np.ones((3, 3), np.float32))))\n"
          "class Deep:\n    def __repr__(self): return repr(Deep())\n"
          "class Asks:\n    def __getattr__(self, name): return getattr(self, name + 'x')\n"
          "class Prints:\n    def __repr__(self): print('from repr'); return 'printed'\n"
          "class Odd(dict):\n    def __len__(self): return -1\n    def __iter__(self): raise OSError\n    keys = items = values = __iter__\n"
          "class Slots:\n    __slots__ = ('a', 'b')\n    def __init__(self): self.a = 1\n"
          "class Property:\n    @property\n    def p(self): raise KeyboardInterrupt\n    def __init__(self): self.here = 1\n"
          "class Meta(type):\n    def __instancecheck__(cls, o): raise TypeError\n    def __getattribute__(cls, n): raise TypeError(n)\n"
          "class OfMeta(metaclass=Meta): pass\n"
          "class Threads:\n    def __repr__(self):\n        t = threading.Thread(target=lambda: ops.exp(Tensor([0.0])))\n        t.start(); t.join()\n        return 'joined'\n"
          "a0, a1, a2, a3, a4, a5, a6 = NoText(), Long(), Stops(), Computes(), Fails(), Deep(), Asks()\n"
          "a7, a8, a9, b0, b1, b2, b3 = Prints(), Odd(k=1), Slots(), Property(), OfMeta(), Threads(), type('T' * 10_000, (), {})()\n"
          "b4, b5, b6 = {NoText(): 1}, [Deep()] * 3, np.empty(3, dtype=object)\n"
          "here = 1\nprint('end', here)\n")


@session
def values_of_all_kinds():
    line = 3 + VALUES.count("\n")
    with Debugged(VALUES, lines=[line], filters=["raised", "shape", "nan"], functions=["Exp"], watch=["zero"]) as c:
        c.stopped()
        shown = c.variables(c.scopes()["Globals"])
        names = [n for n in shown if n[0] in "ab" and n[1:].isdigit()]
        assert len(names) == 17, names
        assert all(len(shown[n]["value"]) <= 200 for n in names)
        assert shown["a3"]["value"] == "(1,)" and shown["b2"]["value"] == "joined" and shown["a7"]["value"] == "printed"
        assert "raised" in shown["a0"]["value"] and "RecursionError" in shown["a5"]["value"]
        for name in names:
            if shown[name]["variablesReference"]:
                c.variables(shown[name]["variablesReference"])
            for context in ("hover", "watch", "clipboard"):
                try:
                    c.evaluate(name, context)
                except Failed as e:
                    assert str(e)
        assert c.evaluate("here")["result"] == "1"
        c.go()
        ended(c)
        assert c.text().endswith("end 1\n")


@session
def expressions_of_all_kinds():
    with Debugged("import sys\nhere = 1\nfor i in range(3):\n    k = i\nprint('end', here)\n", lines=[7]) as c:
        c.stopped()
        for text in ("sys.settrace(None)", "sys.settrace(lambda *a: None)", "sys.settrace(None)", "sys.exit(3)", "exit()", "raise SystemExit",
                     "raise KeyboardInterrupt", "__import__('os').kill(__import__('os').getpid(), 2)", "breakpoint()", "del here",
                     "here = 1", "1/0", "(", "\x00", "yield", "await x", "return 1", "lambda: (yield)", "def f(): return here",
                     "f()", "class A: x = here", "import os", "ops.log(Tensor([0.0]))", "x = ops.exp(Tensor([1.0]))", "x",
                     "sys.setrecursionlimit(50)", "sys.setrecursionlimit(1000)", "(lambda f: f(f))(lambda f: f(f))",
                     "__import__('threading').Thread(target=print, args=('t',)).start()", "__import__('gc').collect()",
                     "sys._getframe().f_back.f_back", "[].append(5)", "globals().clear.__name__", "print('from here')",
                     "sys.modules.pop('numpy') and None", "__builtins__", "ms.set_seed(5)", "ms.set_context(mode=0)", "a := 5", "(a := 5)"):
            for context in ("repl", "watch", "hover", "clipboard"):
                try:
                    c.evaluate(text, context)
                except Failed as e:
                    assert str(e), text
        assert c.evaluate("here")["result"] == "1" and c.line() == 7
        c.go("next")
        c.stopped()
        assert c.line() == 6, c.line()
        c.ask("setBreakpoints", source={"path": c.program}, breakpoints=[])
        c.go()
        ended(c)
        assert "end 1\n" in c.text()


@session
def killed_at_any_time():
    loop = "x = Tensor([1.0])\nfor i in range(10**9):\n    x = x * 1.0\n    k = i\n"
    states = {"running": lambda c: c.go(),
              "stepping": lambda c: c.send("fusescope/stepOp", threadId=1),
              "back": lambda c: c.send("stepBack", threadId=1),
              "evaluating": lambda c: c.send("evaluate", expression="exec('while True: pass')", context="repl"),
              "saying": lambda c: (c.ask("setBreakpoints", source={"path": c.program}, breakpoints=[{"line": 6, "logMessage": "{i}"}]), c.go()),
              "asking": lambda c: [c.send("stackTrace", threadId=1) for _ in range(200)]}
    for name, begin in states.items():
        for victim in ("program", "adapter", "client"):
            d = Debugged(loop, lines=[{"line": 7, "hitCondition": "== 50"}])
            c = d.client
            c.stopped()
            pid = int(subprocess.run(["pgrep", "-P", str(c.process.pid)], capture_output=True, text=True).stdout.split()[0])
            begin(c)
            time.sleep(0.1)
            if victim == "program":
                os.kill(pid, signal.SIGKILL)
                ended(c, 128 + signal.SIGKILL)
                c.end()
            elif victim == "adapter":
                c.process.kill()
                c.process.wait(10)
            else:
                c.process.stdin.close()
                c.process.wait(10)
            for _ in range(100):
                if not os.path.exists("/proc/%d/status" % pid) or "Z (zombie)" in open("/proc/%d/status" % pid).read():
                    break
                time.sleep(0.05)
            else:
                raise AssertionError("the program outlived its %s while %s" % (victim, name))


@session
def watchpoints_come_and_go():
    body = "y = Tensor([0.0]) * 1.0\nfor i in range(6):\n    y = Tensor([1.0]) * float(i)\nprint('end')\n"
    with Debugged(body, watch=["zero"], lines=[6]) as c:
        assert c.stopped()["reason"] == "data breakpoint" and c.line() == 4  # there before the start
        for n in range(3):
            c.go()
            stop = c.stopped()
            assert stop["reason"] == ("breakpoint" if n != 1 else "data breakpoint"), (n, stop)
        c.ask("fusescope/setWatchpoints", watchpoints=["range(-1, 2)"])  # in the middle
        c.ask("setBreakpoints", source={"path": c.program}, breakpoints=[])
        c.go()
        assert c.stopped()["reason"] == "data breakpoint" and c.evaluate("i")["result"] == "3"
        c.ask("fusescope/setWatchpoints", watchpoints=[])  # and removed
        c.go()
        ended(c)


if __name__ == "__main__":
    sys.exit(main())
