"""A small Debug Adapter Protocol client for tests: written from the protocol's specification, sharing nothing with the
adapter under test."""
import json
import os
import queue
import subprocess
import threading


class Failed(Exception):
    """The adapter refused a request."""


class Client:
    def __init__(self, fusescope, stderr=None):
        self.process = subprocess.Popen([fusescope, "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=stderr)
        self._begin(self.process.stdout, self.process.stdin)

    @classmethod
    def over(cls, stream):
        """A client on a connected socket's file object."""
        self = cls.__new__(cls)
        self.process = None
        self._begin(stream, stream)
        return self

    def _begin(self, incoming, outgoing):
        self._in, self._out = incoming, outgoing
        self._seq = 0
        self._events, self._responses = queue.Queue(), {}
        self._arrived = threading.Condition()
        self.closed = False
        self.output = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            length = None
            while True:
                line = self._in.readline()
                if not line:
                    with self._arrived:
                        self.closed = True
                        self._arrived.notify_all()
                    self._events.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            message = json.loads(self._in.read(length))
            if message["type"] == "event":
                if message["event"] == "output":
                    self.output.append((message["body"].get("category"), message["body"]["output"]))
                self._events.put(message)
            else:
                with self._arrived:
                    self._responses[message["request_seq"]] = message
                    self._arrived.notify_all()

    def send(self, command, **arguments):
        self._seq += 1
        body = json.dumps({"seq": self._seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self._out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._out.flush()
        return self._seq

    def answer(self, seq, timeout=20):
        with self._arrived:
            if not self._arrived.wait_for(lambda: seq in self._responses or self.closed, timeout):
                raise TimeoutError("no response to request %d" % seq)
            if seq not in self._responses:
                raise EOFError("the adapter went away")
            response = self._responses.pop(seq)
        if not response["success"]:
            raise Failed(response.get("message", ""))
        return response.get("body", {})

    def ask(self, command, **arguments):
        return self.answer(self.send(command, **arguments))

    def wait(self, *names, timeout=20):
        """The next event of one of these names; others before it are passed over."""
        while True:
            event = self._events.get(timeout=timeout)
            if event is None:
                raise EOFError("the adapter went away")
            if event["event"] in names:
                return event["body"] if len(names) == 1 else (event["event"], event["body"])

    def launch(self, program, lines=(), functions=(), filters=(), options=(), watch=(), entry=False, **more):
        """Up to configurationDone; `lines` are numbers or breakpoint objects of the program's file."""
        self.program = os.path.abspath(program)
        self.capabilities = self.ask("initialize", clientID="test", adapterID="fusescope", linesStartAt1=True)
        launched = self.send("launch", program=program, stopOnEntry=entry, **more)
        self.answer(launched)
        self.wait("initialized")
        result = None
        if lines:
            wanted = [l if isinstance(l, dict) else {"line": l} for l in lines]
            result = self.ask("setBreakpoints", source={"path": os.path.abspath(program)}, breakpoints=wanted)
        if functions:
            result = self.ask("setFunctionBreakpoints",
                              breakpoints=[f if isinstance(f, dict) else {"name": f} for f in functions])
        if watch:
            result = self.ask("fusescope/setWatchpoints", watchpoints=list(watch))
        self.ask("setExceptionBreakpoints", filters=list(filters), filterOptions=list(options))
        self.ask("configurationDone")
        return result

    def stopped(self):
        return self.wait("stopped")

    def stack(self):
        return self.ask("stackTrace", threadId=1)["stackFrames"]

    def line(self):
        return self.stack()[0]["line"]

    def scopes(self, frame=None):
        frame = frame or self.stack()[0]["id"]
        return {s["name"]: s["variablesReference"] for s in self.ask("scopes", frameId=frame)["scopes"]}

    def variables(self, reference, **more):
        return {v["name"]: v for v in self.ask("variables", variablesReference=reference, **more)["variables"]}

    def evaluate(self, expression, context="watch", frame=None):
        frame = frame or self.stack()[0]["id"]
        return self.ask("evaluate", expression=expression, frameId=frame, context=context)

    def go(self, how="continue", **more):
        return self.ask(how, threadId=1, **more)

    def text(self, category="stdout"):
        return "".join(text for kind, text in self.output if kind == category)

    def end(self):
        try:
            self.ask("disconnect", terminateDebuggee=True)
        except (EOFError, TimeoutError, BrokenPipeError):
            pass
        if self.process:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
            return self.process.wait(10)
