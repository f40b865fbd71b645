"""A compiled function that cannot be kept compiled says so once, with the line, the reason and what to do; one that can
says nothing.

    kept_compiled.py FUSESCOPE
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

fusescope = os.path.abspath(sys.argv[1])
HEAD = ("import array, itertools, random, weakref\nimport numpy as np\nimport mindspore as ms\n"
        "from mindspore import Tensor, nn, ops\n")
TAIL = "\nfor _ in range(3):\n    f(Tensor([1.0, 2.0]))\n"
# Name: lines from the fifth on, then (line, word of the reason) for each finding.
CASES = {
    "nothing": ("k = 2.0\n@ms.jit\ndef f(x):\n    return x * k", []),
    "an object that nobody knows": (
        "a = array.array('f', [2.0])\n@ms.jit\ndef f(x):\n    y = x + 1.0\n    return y * a[0]",
        [(9, "array.array by `a`")]),
    "an iterator": ("i = itertools.count()\n@ms.jit\ndef f(x):\n    return x * float(next(i))", [(8, "next item")]),
    "an iterator in a closure": (
        "def make():\n    held = iter([1, 2])\n    def f(x):\n        y = x * 2.0\n        return y + bool(held)\n"
        "    return ms.jit(f)\nf = make()", [(9, "iterator or a generator by `held`")]),
    "a weak reference": (
        "class A:\n    k = 2.0\na = A()\nr = weakref.ref(a)\n@ms.jit\ndef f(x):\n    return x * r().k",
        [(11, "weak reference by `r`")]),
    "a large array": ("a = np.ones(1 << 20)\n@ms.jit\ndef f(x):\n    return x * float(a[0])", [(8, "8 MiB by `a`")]),
    "an attribute of what is handed out": (
        "class A: pass\nb = [A()]\n@ms.jit\ndef f(x):\n    b[0].k = 1\n    return x + 1.0", [(9, "attribute `k`")]),
    "an item": ("@ms.jit\ndef f(x):\n    d = {}\n    d['y'] = x + 1.0\n    return d['y']", [(8, "an item")]),
    "globals()": ("k = 2.0\n@ms.jit\ndef f(x):\n    return x * globals()['k']", [(8, "globals()")]),
    "a Parameter": ("@ms.jit\ndef f(x):\n    p = ms.Parameter(Tensor([1.0, 1.0]))\n    return x * p", [(7, "Parameter")]),
    "the context": ("@ms.jit\ndef f(x):\n    return x * float(ms.get_context('mode') + 1)", [(7, "get_context")]),
    "a tensor that is kept": (
        "class A: pass\na = A()\nkept = []\ndef g(x, to=kept.append):\n    to(x)\n@ms.jit\ndef f(x):\n    y = x + 1.0\n    g(y)\n"
        "    return x * 2.0", None),
}


def findings(script, mode, folder):
    profile = f"{folder}/run.fscope"
    done = subprocess.run([fusescope, "--record", profile, "--mode", mode, script], capture_output=True, text=True,
                          timeout=100)
    with sqlite3.connect(profile) as database:
        rows = database.execute("SELECT severity, message, detail FROM finding WHERE kind IN ('graph_break', 'side_effect') "
                                "ORDER BY id").fetchall()
    got = []
    for severity, message, text in rows:
        d = json.loads(text)
        if d["rule"] in ("not_kept_compiled", "python_side_effect"):
            got.append((d["line"], message, severity, d.get("advice")))
    return done, got


faults = 0
with tempfile.TemporaryDirectory() as folder:
    script = f"{folder}/script.py"
    for name, (body, expected) in CASES.items():
        with open(script, "w", encoding="utf-8") as file:
            file.write(HEAD + body + TAIL)
        for mode in ("eager", "graph"):
            done, got = findings(script, mode, folder)
            right = bool(got) if expected is None else len(got) == len(expected) and all(
                line == wanted_line and wanted in message for (line, message, *_), (wanted_line, wanted)
                in zip(got, expected))
            if done.returncode or not right or not all(severity == "warning" and advice for *_, severity, advice in got):
                faults += 1
                print(f"{name}, {mode}: {got}\n{done.stderr}")
sys.exit(1 if faults else 0)
