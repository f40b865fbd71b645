"""What never ends, never reads or never answers must keep nobody else waiting.

    endless.py FUSESCOPE [NAME…]
"""
import os
import socket
import subprocess
import sys
import time

from dap_client import Client, Failed
from harness import Debugged, FUSESCOPE, LOOP, ended, main, session


def failure(client, seq, timeout=20):
    try:
        return "answered %r" % client.answer(seq, timeout)
    except Failed as e:
        return str(e)


ENDLESS = ["exec('while True: pass')", "input()", "__import__('time').sleep(1000)", "__import__('threading').Event().wait()",
           "__import__('queue').Queue().get()", "[print(end='') for _ in iter(int, 1)]",
           "ops.while_loop(lambda x: x > 0, lambda x: x * 1.0, Tensor(1.0))"]


@session
def typed_evaluations_are_interrupted():
    with Debugged("i = 1\nprint('end')\n", lines=[5]) as c:
        c.stopped()
        frame = c.stack()[0]["id"]
        for expression in ENDLESS:
            for how in ("pause", "cancel"):
                seq = c.send("evaluate", expression=expression, frameId=frame, context="repl")
                time.sleep(0.3)
                assert c.ask("threads")["threads"], expression  # what needs no Python is answered meanwhile
                started = time.time()
                if how == "pause":
                    c.ask("pause", threadId=1)
                else:
                    c.ask("cancel", requestId=seq)
                said = failure(c, seq)
                assert said == ("it was interrupted" if how == "pause" else "it was cancelled"), (expression, said)
                assert time.time() - started < 5, (expression, how)
                assert c.evaluate("i")["result"] == "1", expression
        # Code that catches everything gets another interrupt.
        seq = c.send("evaluate", expression="exec('n = 0\\nwhile n < 3:\\n try:\\n  m = 1\\n  while True: pass\\n except BaseException:"
                     " n += 1')", frameId=frame, context="repl")
        time.sleep(0.3)
        c.ask("pause", threadId=1)
        said = failure(c, seq)
        assert "answered" in said, said
        c.go()
        ended(c)
        assert c.text() == "end\n"


@session
def what_waits_is_cancelled_unasked():
    with Debugged("i = 1\nprint('end')\n", lines=[5]) as c:
        c.stopped()
        frame = c.stack()[0]["id"]
        first = c.send("evaluate", expression="__import__('time').sleep(1) or 5", frameId=frame, context="repl")
        second = c.send("evaluate", expression="exec('global i; i = 2')", frameId=frame, context="repl")
        c.ask("cancel", requestId=second)
        assert failure(c, second) == "cancelled"
        assert c.answer(first)["result"] == "5" and c.evaluate("i")["result"] == "1"
        c.ask("cancel", requestId=12345)
        c.ask("cancel")
        c.go()
        ended(c)


@session
def what_nobody_typed_has_a_limit():
    body = ("class Slow:\n    def __repr__(self):\n        while True: pass\n"
            "    @property\n    def never(self):\n        while True: pass\n"
            "a, b, c, n = Slow(), Slow(), Slow(), 5\nprint('end')\n")
    with Debugged(body, lines=[11]) as c:
        c.stopped()
        frame = c.stack()[0]["id"]
        started = time.time()
        shown = c.answer(c.send("variables", variablesReference=c.scopes()["Globals"]), timeout=40)["variables"]
        shown = {v["name"]: v["value"] for v in shown}
        assert shown["n"] == "5" and "took longer" in shown["a"] and "not asked" in shown["c"], shown
        assert 9 < time.time() - started < 20
        assert "took longer" in failure(c, c.send("evaluate", expression="a.never", frameId=frame, context="hover"), 40)
        c.go()
        ended(c)


@session
def a_disconnect_ends_an_evaluation():
    d = Debugged("import time\ni = 1\nopen(__file__ + '.done', 'w').close()\n", lines=[6])
    with d as c:
        c.stopped()
        c.send("evaluate", expression="exec('while True: pass')", frameId=c.stack()[0]["id"], context="repl")
        time.sleep(0.3)
        c.ask("disconnect", terminateDebuggee=False)
        c.process.wait(10)
        assert os.path.exists(d.path + ".done")


@session
def a_program_that_is_let_go_goes_on():
    # Whatever was set: nobody reads what logpoints say, and nobody resumes.
    body = ("import sys\nfor i in range(100_000):\n    k = i\n    ops.neg(Tensor([1.0])) if i % 1000 == 0 else 0\n"
            "print(sys.stdin.read() + 'x' * 200_000)\nopen(__file__ + '.done', 'w').close()\n")
    for more in (dict(lines=[4, {"line": 6, "logMessage": "i is {i}" + "y" * 100}]),
                 dict(lines=[4, {"line": 6, "condition": "i % 3 == 0"}], functions=["Neg"], filters=["raised", "nan"],
                      watch=["zero"])):
        d = Debugged(body, **more)
        with d as c:
            c.stopped()
            c.go()
            time.sleep(0.3)
            c.ask("disconnect", terminateDebuggee=False)
            c.process.wait(30)
            assert os.path.exists(d.path + ".done"), more


@session
def input_that_nobody_reads():
    with Debugged("import sys, time\nprint('up', flush=True)\ntime.sleep(1.5)\nprint(len(sys.stdin.readline()))\n") as c:
        while "up" not in c.text():
            time.sleep(0.02)
        started = time.time()
        for _ in range(40):
            c.ask("fusescope/stdin", text="x" * 100_000)
        assert c.ask("threads")["threads"] and time.time() - started < 1.4
        c.ask("fusescope/stdin", text="\n")
        ended(c)
        assert c.text() == "up\n4000001\n"
    with Debugged("import time\ntime.sleep(30)\n") as c:
        for _ in range(8):
            said = failure(c, c.send("fusescope/stdin", text="x" * 10_000_000))
        assert "does not read" in said, said
    with Debugged("import os, time\nos.close(0)\nprint('up', flush=True)\ntime.sleep(30)\n") as c:
        while "up" not in c.text():
            time.sleep(0.02)
        assert "closed" in failure(c, c.send("fusescope/stdin", text="x"))


@session
def a_script_that_closes_everything():
    one_by_one = "for n in range(3, 400):\n    try: os.close(n)\n    except OSError: pass"
    for close in ("os.closerange(3, 4096)", one_by_one):
        # What it opens next may lie where the connection was, and holds what it writes and nothing else.
        body = ("import os\nfiles = [open(__file__ + str(n), 'w') for n in range(250)]\nfiles.clear()\n%s\n"
                "files = [open(__file__ + str(n), 'w') for n in range(250)]\nfor f in files: f.write('own')\n"
                "for f in files: f.close()\ny = Tensor([1.0]) + 1.0\nprint('on', flush=True)\n" % close)
        d = Debugged(body, lines=[8 + close.count("\n") + 4])
        with d as c:
            c.stopped()  # the debugger is still there
            assert all(open(d.path + str(n)).read() == "own" for n in range(250))
            c.go()
            ended(c)
            count, = d.profile().execute("SELECT count(*) FROM op_event").fetchone()
            assert count == 1, count
    # By other ways than Python's it loses the debugger, and runs on.
    body = ("import os, time, ctypes\nfor n in range(200, 400):\n    if 'socket' in os.path.realpath('/proc/self/fd/%d' % n):\n"
            "        ctypes.CDLL(None).close(n)\ntime.sleep(4)\nk = 1\nprint('on')\n")
    with Debugged(body, lines=[9]) as c:
        while "lost the program" not in c.text("important"):
            time.sleep(0.05)
        assert "runs on" in failure(c, c.send("stackTrace", threadId=1))
        ended(c)
        assert "on\n" in c.text()


@session
def nothing_starts_before_configuration_is_done():
    d = Debugged("print('ran', flush=True)\nk = 1\n", launch=False)
    with d as c:
        c.ask("initialize", adapterID="fusescope")
        c.ask("launch", program=d.path)
        c.wait("initialized")
        for command in ("fusescope/stepOp", "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue"):
            assert "configurationDone" in failure(c, c.send(command, threadId=1)), command
        assert failure(c, c.send("fusescope/goToBirth", input=0)).startswith("it is not known")
        c.ask("pause", threadId=1)
        time.sleep(0.3)
        assert not c.output, c.output
        c.ask("setBreakpoints", source={"path": d.path}, breakpoints=[{"line": 4}, {"line": 5}])
        c.ask("configurationDone")
        c.stopped()
        c.ask("configurationDone")  # once is enough
        time.sleep(0.3)
        assert c.line() == 4
        c.go()
        c.stopped()
        c.go()
        ended(c)


@session
def nonsense_is_refused():
    huge = 1 << 70
    requests = [(command, arguments) for command in (
        "setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints", "setDataBreakpoints", "dataBreakpointInfo",
        "fusescope/setWatchpoints", "fusescope/hits", "fusescope/goToBirth", "stackTrace", "scopes", "variables", "evaluate",
        "setVariable", "setExpression", "exceptionInfo", "fusescope/storeTensor", "fusescope/stdin", "cancel", "threads",
        "pause", "source", "loadedSources", "modules", "")
        for arguments in ({}, {"variablesReference": huge, "frameId": -huge, "start": huge, "count": -1, "input": -5},
                          {"variablesReference": 1e308, "frameId": "x", "name": [], "value": None, "expression": 3},
                          {"breakpoints": [None, 3, "x", {"line": huge}, {"line": -5, "condition": "\0", "name": "\0"},
                                           {"line": 5, "logMessage": "{" * 1000, "hitCondition": "9" * 50}],
                           "source": {"path": "\0/x"}, "filters": [3, None], "filterOptions": [{}, 5],
                           "watchpoints": ["", "(", "expr(" * 300, 7, "expr(1/0)"]},
                          {"expression": "(" * 5000, "name": "x" * 100_000, "value": "\0", "path": "/nowhere/\0"},
                          {"expression": "\0", "context": "repl"})]
    with Debugged("i = 1\nj = 2\nprint('end')\n", lines=[5]) as c:
        c.stopped()
        for command, arguments in requests:
            try:
                failure(c, c.send(command, **arguments))
            except TimeoutError:
                raise AssertionError("no answer to %s %r" % (command, arguments))
        c.ask("setBreakpoints", source={"path": c.stack()[0]["source"]["path"]}, breakpoints=[])
        c.ask("fusescope/setWatchpoints", watchpoints=[])
        c.ask("setFunctionBreakpoints", breakpoints=[])
        c.go()
        ended(c)
        assert c.text() == "end\n"


@session
def exit_in_expressions_ends_nothing():
    body = "for i in range(3):\n    k = i\nprint('end')\n"
    for wrong in ("exit()", "exec('raise SystemExit(3)')", "exec('raise BaseException')", "exec('raise GeneratorExit')"):
        with Debugged(body, lines=[{"line": 5, "condition": wrong}]) as c:
            c.stopped()  # once, where it raised
            for context in ("watch", "repl", "hover"):
                try:
                    c.evaluate(wrong, context)
                    raise AssertionError(wrong)
                except Failed:
                    pass
            # One that is set while the program stands is the tracer's to ask.
            c.ask("setBreakpoints", source={"path": c.stack()[0]["source"]["path"]},
                  breakpoints=[{"line": 5, "condition": wrong + " or 1"}])
            c.go()
            c.stopped()
            c.go()
            ended(c)
            assert c.text() == "end\n" and c.text("console").count("raised") == 2, (wrong, c.output)
        with Debugged(body, lines=[{"line": 5, "logMessage": "a {" + wrong + "} b"}]) as c:
            ended(c)
            assert c.text() == "end\n" and c.text("console").count(" b\n") == 3, c.output
        with Debugged("y = Tensor([1.0]) * 2.0\nprint('end')\n", watch=["expr(%s)" % wrong]) as c:
            ended(c)
            assert c.text() == "end\n", c.output


@session
def several_clients_at_once():
    process = subprocess.Popen([FUSESCOPE, "--dap", "--listen", "0"], stderr=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL)
    try:
        port = int(process.stderr.readline().rsplit(":", 1)[1])
        clients = []
        for n in range(3):
            connection = socket.create_connection(("127.0.0.1", port))
            c = Client.over(connection.makefile("rwb"))
            d = Debugged(LOOP, launch=False)
            d.client.end()
            c.launch(d.path, lines=[{"line": 6, "condition": "i == %d" % (n + 1)}])
            clients.append((n, c, connection))
        for n, c, connection in clients:
            c.stopped()
            assert c.evaluate("i")["result"] == str(n + 1)
        for n, c, connection in clients:
            c.go()
            ended(c)
            c.end()
            connection.close()
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
