"""What a script finds around itself under `fusescope --record`, and how it may end. Each case is a small script.

    script_environment.py FUSESCOPE
"""
import os
import pathlib
import subprocess
import sys
import tempfile

fusescope = os.path.abspath(sys.argv[1])
folder = pathlib.Path(tempfile.mkdtemp(prefix="a space and 中文 "))
faults = 0


def run(source, *arguments, mode="eager", stdin="", name="script.py"):
    script = folder / name
    script.write_text(source, encoding="utf-8")
    command = [fusescope, "--record", str(folder / "run.fscope"), "--mode", mode, str(script), *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, cwd=folder)


def expect(what, done, status, out=None, in_errors=(), not_in_errors=()):
    global faults
    problems = []
    if done.returncode != status:
        problems.append(f"status {done.returncode} instead of {status}")
    if out is not None and done.stdout != out:
        problems.append(f"printed {done.stdout!r} instead of {out!r}")
    problems += [f"no {text!r} in the errors" for text in in_errors if text not in done.stderr]
    problems += [f"{text!r} in the errors" for text in not_in_errors if text in done.stderr]
    if problems:
        faults += 1
        print(f"{what}: {'; '.join(problems)}\n{done.stderr}")


expect("arguments and __main__",
       run("import sys\nprint(sys.argv[1:], __name__, len(sys.argv[0]) > 0)", "-x", "--y=1 2"),
       0, "['-x', '--y=1 2'] __main__ True\n")
expect("working directory and sys.path",
       run("import os, sys\nprint(os.getcwd() == sys.path[0], os.path.isfile(__file__))"),
       0, "True True\n")
(folder / "sibling.py").write_text("value = 5\n")
expect("a module beside the script", run("import sibling\nprint(sibling.value)"), 0, "5\n")
expect("standard input", run("print(input() + '!')\nimport sys\nprint(sys.stdin.read())", stdin="one\ntwo"), 0,
       "one!\ntwo\n")
expect("sys.exit with a number", run("import sys\nsys.exit(7)"), 7)
expect("sys.exit with a text", run("import sys\nsys.exit('enough')"), 1, in_errors=["enough"])
expect("sys.exit with nothing", run("import sys\nsys.exit()"), 0)
expect("the user's environment", run("import os\nprint('GOMP_SPINCOUNT' in os.environ)"), 0, "False\n")
expect("atexit", run("import atexit\natexit.register(print, 'bye')\nprint('hi')"), 0, "hi\nbye\n")
expect("threads",
       run("import threading\nt = threading.Thread(target=print, args=('in a thread',))\nt.start()\nt.join()"),
       0, "in a thread\n")
expect("no numpy unless it is asked for",
       run("import sys, mindspore as ms\nprint('numpy' in sys.modules)"), 0, "False\n")

expect("a syntax error", run("x = (\n"), 1, in_errors=["SyntaxError", "line 1"], not_in_errors=["_fusescope_host"])
expect("an exception in the middle", run("print('before')\nraise KeyError('lost')"), 1, "before\n",
       in_errors=["Traceback", 'script.py", line 2, in <module>', "KeyError: 'lost'"])

# A user's mistake is shown by the user's lines alone, in each mode, also when a graph computes later.
CELL = """import mindspore as ms
from mindspore import Tensor, nn, ops
net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
y = net(ops.ones((4, 5)))
print(y)
"""
INDEX = """from mindspore import Tensor, ops
rows = ops.gather(ops.ones((4, 2)), Tensor([1, 9]), 0)
print(rows)
"""
PACKAGE = [os.sep + "mindspore" + os.sep]
for mode in ("eager", "graph"):
    expect(f"a shape error in a Cell, {mode}", run(CELL, mode=mode), 1, "",
           ['line 4, in <module>', "ValueError", "(4, 5)"], PACKAGE)
    expect(f"an index error, {mode}", run(INDEX, mode=mode), 1, "", ["line 2", "IndexError", "index 9"], PACKAGE)
full = dict(os.environ, FUSESCOPE_FULL_TRACEBACK="1")
done = subprocess.run([fusescope, "--record", str(folder / "run.fscope"), str(folder / "script.py")], env=full,
                      capture_output=True, text=True, timeout=60)
expect("the package's lines when asked for", done, 1, in_errors=PACKAGE)
sys.exit(1 if faults else 0)
