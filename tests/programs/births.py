"""Where a NaN or Inf is born is told by op, line and element: the same eagerly and inside a fused kernel of a graph.

    births.py FUSESCOPE
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

fusescope = os.path.abspath(sys.argv[1])
HEAD = "import mindspore as ms\nfrom mindspore import Tensor, ops\n"
# Name: lines from the third on, then kind, op, line and index of the first finding.
CASES = {
    "log of zero": ("x = Tensor([1.0, 0.0, 4.0])\ny = x * 2.0\nz = ops.log(y)\nprint((z + 1.0).asnumpy())",
                    "inf", "Log", 5, [1]),
    "zero over zero": ("x = Tensor([[0.0, 1.0]])\ny = x - x\nz = y / (x * 0.0)\nprint((z * 3.0).sum())",
                       "nan", "Div", 5, [0, 0]),
    "root of a negative number": ("x = Tensor([4.0, -1.0])\ny = ops.sqrt(x + 0.5)\nprint(ops.relu(y).asnumpy())",
                                  "nan", "Sqrt", 4, [1]),
    "overflow of exp before a sum": ("x = Tensor([1.0, 200.0])\nprint(ops.exp(x).sum())", "inf", "Exp", 4, [1]),
    "inf minus inf": ("x = Tensor([100.0, 1.0])\ny = ops.exp(x)\nprint((y - y * 2.0).asnumpy())",
                      "inf", "Exp", 4, [0]),
    "in the gradient": ("def f(x):\n    return ops.sqrt(x).sum()\nprint(ms.grad(f)(Tensor([0.0, 4.0])).asnumpy())",
                        "inf", None, 4, [0]),
    "in the data": ("x = Tensor([1.0, float('nan')])\nprint((x + 1.0).asnumpy())", "nan", "Tensor", 3, [1]),
    "float16": ("x = Tensor([300.0], ms.float16)\nprint((x * x * 0.5).asnumpy())", "inf", "Mul", 4, [0]),
    "nothing wrong": ("x = Tensor([1.0, -float('inf')])\nprint(ops.softmax(x).asnumpy())", None, None, None, None),
}
faults = 0
with tempfile.TemporaryDirectory() as folder:
    for name, (body, kind, op, line, index) in CASES.items():
        script, profile = f"{folder}/script.py", f"{folder}/run.fscope"
        for mode in ("eager", "graph"):
            with open(script, "w", encoding="utf-8") as file:
                file.write(HEAD + body + "\n")
            done = subprocess.run([fusescope, "--record", profile, "--mode", mode, "--device", "cpu", script],
                                  capture_output=True, text=True, timeout=60)
            with sqlite3.connect(profile) as database:
                rows = database.execute(
                    "SELECT kind, detail FROM finding WHERE kind IN ('nan', 'inf') ORDER BY id").fetchall()
            got = None
            if rows:
                detail = json.loads(rows[0][1])
                got = (rows[0][0], detail["op"] if op else None, detail["line"], detail["index"])
            if done.returncode or got != ((kind, op, line, index) if kind else None):
                faults += 1
                print(f"{name}, {mode}: {got} {done.stderr}")
sys.exit(1 if faults else 0)
