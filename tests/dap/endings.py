"""How sessions and programs end: pauses, crashes, kills, clients that are none.

    endings.py FUSESCOPE [NAME…]
"""
import os
import signal
import socket
import subprocess
import sys
import time

from dap_client import Client, Failed
from harness import Debugged, FUSESCOPE, LOOP, ended, main, session


@session
def pause_in_a_loop_of_one_instruction():
    with Debugged("print('up', flush=True)\nwhile True: pass\n") as c:
        while "up" not in c.text():
            time.sleep(0.05)
        time.sleep(0.2)
        c.ask("pause", threadId=1)
        assert c.stopped()["reason"] == "pause" and c.line() == 5
        c.ask("pause", threadId=1)  # it stands already
        assert c.evaluate("1 + 1")["result"] == "2"


@session
def texts_of_exceptions_stop_nowhere():
    body = "class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n"
    with Debugged(body, filters=["raised", "uncaught"]) as c:
        assert c.stopped()["description"] == "E raised"
        c.go()
        assert c.stopped()["description"] == "E was not caught"
        assert c.line() == 7


@session
def pause_and_end():
    with Debugged("print('up', flush=True)\nwhile True:\n    i = 1\n") as c:
        while "up" not in c.text():
            time.sleep(0.05)
        time.sleep(0.2)
        c.ask("pause", threadId=1)
        assert c.stopped()["reason"] == "pause" and c.line() in (5, 6)
        c.go()
        c.ask("terminate")
        assert c.wait("exited")["exitCode"] in (128 + signal.SIGTERM, 128 + signal.SIGKILL)
    with Debugged("x = Tensor([1.0])\nprint('up', flush=True)\nwhile True:\n    x = x * 1.0\n") as c:
        while "up" not in c.text():
            time.sleep(0.05)
        c.ask("pause", threadId=1)
        assert c.stopped()["reason"] == "pause"


@session
def a_loop_inside_a_graph():
    body = ("@ms.jit\ndef f(x):\n    return ops.while_loop(lambda x, n: x > 0.0,\n"
            "                          lambda x, n: (x * 2.0 / 2.0, n + 1.0), (x, Tensor(0.0)))\n"
            "print('up', flush=True)\nf(Tensor(1.0))\n")
    with Debugged(body) as c:
        while "up" not in c.text():
            time.sleep(0.05)
        time.sleep(0.2)
        for _ in range(2):
            c.ask("pause", threadId=1)
            assert c.stopped()["reason"] == "pause" and c.line() == 9
            c.go()
        c.ask("pause", threadId=1)
        c.stopped()
        # From here on op by op, as any graph that is stepped through.
        seen = set()
        for _ in range(8):
            c.ask("fusescope/stepOp", threadId=1)
            seen.add(c.stopped()["description"].split()[1])
        assert {"Mul", "Div", "Add", "Greater"} <= seen, seen
        c.ask("stepBack", threadId=1)
        assert c.stopped()["reason"] in ("step", "history"), c.output
        c.go()
        c.ask("terminate")
        assert c.wait("exited")["exitCode"] in (128 + signal.SIGTERM, 128 + signal.SIGKILL)


@session
def programs_that_print_without_end():
    with Debugged("import sys\nwhile True:\n    sys.stdout.write('x' * 5000 + '\\n')\n") as c:
        while not c.output:
            time.sleep(0.05)
        c.ask("pause", threadId=1)
        assert c.stopped()["reason"] == "pause"
        c.go()


@session
def children_that_stay():
    # A child that the program forked holds all that it had open; the session ends with the program.
    with Debugged("import os, time\nif os.fork() == 0:\n    time.sleep(15)\n    os._exit(0)\nprint('done')\n") as c:
        started = time.time()
        ended(c)
        assert time.time() - started < 10 and "done" in c.text()


@session
def garbage_in_the_channel():
    body = ("import os\nfor n in range(3, 300):\n    try:\n        if os.readlink('/proc/self/fd/%d' % n).startswith('socket'):\n"
            "            os.write(n, b'x' * 10000)\n    except OSError:\n        pass\nprint('done')\n")
    with Debugged(body) as c:
        ended(c)
        assert "done" in c.text() and "lost the program" in c.text("important"), c.output


@session
def hung_programs():
    with Debugged("import time, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\n"
                  "time.sleep(1000)\n") as c:
        while "up" not in c.text():
            time.sleep(0.05)
        started = time.time()
        c.ask("disconnect", terminateDebuggee=True)
        assert time.time() - started < 5


@session
def crashes():
    cases = [("import ctypes\nctypes.string_at(0)\n", 128 + signal.SIGSEGV, "SIGSEGV"),
             ("import os\nos.abort()\n", 128 + signal.SIGABRT, "SIGABRT"),
             ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", 128 + signal.SIGKILL, "SIGKILL"),
             ("import os\nos._exit(7)\n", 7, "os._exit(7)"),
             ("raise SystemExit(5)\n", 5, "")]
    for body, code, word in cases:
        d = Debugged("x = Tensor([1.0]) + 1.0\nimport time\ntime.sleep(0.3)\n" + body)
        with d as c:
            ended(c, code)
            said = c.text("important") + c.text("console")
            assert word in said, (body, c.output)
            if code >= 128:
                assert "Add" in said and "program.py:4" in said, said
            count, = d.profile().execute("SELECT count(*) FROM op_event").fetchone()
            assert count >= 1, body


@session
def dying_in_every_state():
    for state in range(7):
        d = Debugged("import time\nprint('x')\ntime.sleep(30)\n", launch=False)
        c = d.client
        try:
            if state >= 1:
                c.ask("initialize", adapterID="fusescope")
            if state >= 2:
                launched = c.send("launch", program=d.path)
            if state >= 3:
                c.answer(launched)
                c.wait("initialized")
            if state >= 4:
                c.ask("setBreakpoints", source={"path": d.path}, breakpoints=[{"line": 5}])
            if state >= 5:
                c.ask("configurationDone")
            if state >= 6:
                c.stopped()
        finally:
            child = subprocess.run(["pgrep", "-P", str(c.process.pid)], capture_output=True, text=True).stdout.split()
            c.process.stdin.close()  # the window is gone
            assert c.process.wait(10) == 0, state
            for pid in child:
                for _ in range(100):
                    if not os.path.exists("/proc/%s/status" % pid) or "Z (zombie)" in open("/proc/%s/status" % pid).read():
                        break
                    time.sleep(0.05)
                else:
                    raise AssertionError("state %d left the program running" % state)


@session
def debuggee_killed_in_every_state():
    for state in range(3):
        d = Debugged("import time\nprint('x')\ntime.sleep(30)\n", launch=False)
        c = d.client
        with d:
            c.ask("initialize", adapterID="fusescope")
            c.answer(c.send("launch", program=d.path))
            c.wait("initialized")
            if state >= 1:
                c.ask("setBreakpoints", source={"path": d.path}, breakpoints=[{"line": 5}])
                c.ask("configurationDone")
                c.stopped()
            if state >= 2:
                c.go()
                time.sleep(0.2)
            pid = subprocess.run(["pgrep", "-P", str(c.process.pid)], capture_output=True, text=True).stdout.split()[0]
            os.kill(int(pid), signal.SIGKILL)
            ended(c, 128 + signal.SIGKILL)
            try:
                c.ask("stackTrace", threadId=1)
                raise AssertionError("a dead program has a stack")
            except Failed as e:
                assert "ended" in str(e)


@session
def listening():
    process = subprocess.Popen([FUSESCOPE, "--dap", "--listen", "0"], stderr=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL)
    try:
        port = int(process.stderr.readline().rsplit(":", 1)[1])
        for _ in range(2):  # one client after the other
            connection = socket.create_connection(("127.0.0.1", port))
            c = Client.over(connection.makefile("rwb"))
            d = Debugged(LOOP, launch=False)
            d.client.end()
            c.launch(d.path, lines=[6])
            c.stopped()
            assert c.line() == 6
            c.end()
            connection.close()
    finally:
        process.kill()
        process.wait()


@session
def no_protocol_at_all():
    for bytes_ in (b"hello\r\n\r\n", b"Content-Length: -5\r\n\r\n{}", b"Content-Length: 99999999999\r\n\r\n",
                   b"Content-Length: 3\r\n\r\n[1]", b"x" * 10000, b"Content-Length: 2\r\n\r\n{}", b""):
        done = subprocess.run([FUSESCOPE, "--dap"], input=bytes_, capture_output=True, timeout=20)
        assert done.returncode == 0 and b"response" not in done.stdout, (bytes_, done)
    c = Client(FUSESCOPE)
    for request in ("threads", "stackTrace", "nonsense", "continue"):
        try:
            c.ask(request)
        except Failed:
            pass
    for wrong in ({}, {"program": "/nowhere.py"}, {"program": "/tmp", "cwd": "/nowhere"}, {"program": 5},
                  {"program": __file__, "watch": "loud"}, {"program": __file__, "valuesBudget": "much"},
                  {"program": __file__, "mode": "fast"}, {"program": __file__, "mode": 1},
                  {"program": __file__, "device": "gpu"}, {"program": __file__, "passes": "-nonsense"},
                  {"program": __file__, "passes": ["-all"]}, {"program": __file__, "args": "a b"},
                  {"program": __file__, "args": [["a"]]}, {"program": __file__, "env": ["A=1"]},
                  {"program": __file__, "env": {"A": []}}, {"program": __file__, "stopOnEntry": "yes"},
                  {"program": __file__, "justMyCode": 0}, {"program": __file__, "profile": 5}):
        fresh = Client(FUSESCOPE)
        try:
            fresh.ask("launch", **wrong)
            raise AssertionError("launched %r" % wrong)
        except Failed as e:
            key = list(wrong)[-1] if len(wrong) > 1 else ""
            assert key in str(e), (wrong, e)
            for allowed in {"device": ("cpu", "ascend-model"), "mode": ("eager", "graph"), "watch": ("off", "values"),
                            "passes": ("fuse-elementwise",) if isinstance(wrong[key], str) else ()}.get(key, ()) if key else ():
                assert allowed in str(e) or not isinstance(wrong[key], str), (wrong, e)
        fresh.end()
    c.end()


if __name__ == "__main__":
    sys.exit(main())
