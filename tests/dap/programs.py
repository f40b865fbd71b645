"""Programs that have their own ways with processes, tracing and debugging.

    programs.py FUSESCOPE [NAME…]
"""
import sys
import time

from harness import Debugged, LOOP, ended, main, session


def children(body, **stops):
    """A program that forks runs as it does without a debugger; only its first process stops."""
    with Debugged(body, **stops) as c:
        stopped = 0
        while True:
            event, answer = c.wait("stopped", "exited")
            if event == "exited":
                return answer["exitCode"], stopped, c.text()
            c.stack()
            stopped += 1
            c.go()


@session
def forked_children_have_no_debugger():
    body = ("import os\ndef work(x):\n    y = ops.log(Tensor([0.0])) + x\n    print('child', y.asnumpy(), flush=True)\n"
            "pid = os.fork()\nif pid == 0:\n    work(1)\n    os._exit(7)\n"
            "print('parent', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n")
    everything = dict(lines=[6, {"line": 7, "condition": "y is not None"}, 12], functions=["work", "Log"],
                      filters=["raised", "nan", "inf"], watch=["inf"])
    assert children(body, **everything) == (0, 1, "child [-inf]\nparent 7\n")
    # One that ends like the program itself, and one that outlives it.
    body = "import os, sys\nif os.fork() == 0:\n    breakpoint()\n    print('child', flush=True)\n    sys.exit(3)\nprint(os.wait()[1] >> 8)\n"
    assert children(body) == (0, 0, "child\n3\n")
    started = time.time()
    body = "import os, time\nif os.fork() == 0:\n    time.sleep(30)\nprint('parent')\n"
    assert children(body) == (0, 0, "parent\n")
    assert time.time() - started < 10
    body = ("import multiprocessing\ndef f(x):\n    return x * x\n"
            "with multiprocessing.get_context('fork').Pool(2) as pool:\n    print(pool.map(f, [1, 2, 3]))\n")
    assert children(body, lines=[6, {"line": 6, "condition": "x > 1"}], functions=["f"]) == (0, 0, "[1, 4, 9]\n")


@session
def breakpoint_stops_in_the_debugger():
    with Debugged("def f(a):\n    breakpoint(header='here')\n    return a\nprint(f(2))\n") as c:
        stop = c.stopped()
        assert stop["reason"] == "breakpoint" and stop["description"] == "breakpoint()", stop
        assert c.line() == 5 and c.evaluate("a")["result"] == "2"
        c.go("next")
        c.stopped()
        assert c.line() == 6
        c.go()
        ended(c)
    # Where the user wants another, that one.
    with Debugged("breakpoint()\nprint('on')\n", env={"PYTHONBREAKPOINT": "0"}) as c:
        ended(c)
    with Debugged("import sys\nsys.breakpointhook = lambda: print('mine')\nbreakpoint()\n") as c:
        ended(c)
        assert c.text() == "mine\n"
    # Not where nobody debugs, nor in another thread.
    with Debugged("import sys\nprint(sys.breakpointhook is sys.__breakpointhook__)\n", noDebug=True) as c:
        ended(c)
        assert c.text() == "True\n"
    with Debugged("import threading\nt = threading.Thread(target=breakpoint)\nt.start()\nt.join()\nprint('on')\n") as c:
        ended(c)
        assert "another thread" in c.text("console")


@session
def a_script_may_trace_itself():
    body = ("import sys\nseen = []\ndef trace(frame, event, arg):\n    seen.append(event)\n    return trace\n"
            "sys.settrace(trace)\nassert sys.gettrace() is trace\n(lambda: 1)()\nsys.settrace(None)\n"
            "before = sys.gettrace()\nsys.settrace(before)\nassert before is None\nk = 3\nprint('call' in seen, k)\n")
    with Debugged(body, lines=[8, 11, 16]) as c:
        c.stopped()
        assert c.line() == 16, c.line()  # until it is done, the lines are the script's own
        c.ask("setBreakpoints", source={"path": c.stack()[0]["source"]["path"]}, breakpoints=[{"line": 17}])
        c.go()
        c.stopped()
        assert c.line() == 17 and "traces itself" in c.text("console")
        c.go()
        ended(c)
        assert c.text() == "True 3\n"

    # What is compiled watches lines too, and that is no trace function of the script.
    body = "@ms.jit\ndef f(x):\n    return x + 1\nprint(f(Tensor([1.0])))\n"
    with Debugged(body) as c:
        ended(c)
        assert not c.text("console"), c.output
    with Debugged(body, lines=[6]) as c:
        c.stopped()
        c.go()
        ended(c)


if __name__ == "__main__":
    sys.exit(main())
