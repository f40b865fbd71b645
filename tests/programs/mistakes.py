"""A wrong shape, dtype or index is explained: the op, the line, the shapes, where they come from, what would fit, and
the clash marked, in the message that is shown and in the finding. The same in every mode and on every device.

    mistakes.py FUSESCOPE
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

fusescope = os.path.abspath(sys.argv[1])
HEAD = "import numpy as np\nimport mindspore as ms\nfrom mindspore import Tensor, nn, ops\n"


def ones(*shape):
    return f"Tensor(np.ones({shape}), ms.float32)"


# Name: lines from the fourth on; kind, op, line, shapes, index; (op, line) of the root; rule of the fit; lines that the
# message has, without the space at their ends.
CASES = {
    "a reduction without keep_dims": (
        f"x = {ones(2, 3)}\ntotal = x.sum(axis=1)\np = x / total", "shape", "Div", 6, ["(2, 3)", "(2,)"], None,
        ("ReduceSum", 5), "fit_keep_dims",
        ["    x      (2, 3)   Tensor, line 4", "    total     (2,)  ReduceSum of (2, 3) over axis 1, line 5",
         "               ^", "try: keep_dims=True in the ReduceSum at line 5: total is then (2, 1)"]),
    "the same behind elementwise ops": (
        f"x = {ones(4, 3)}\nnorm = ops.sqrt((x * x).mean(axis=-1) + 1e-6)\ny = x / norm", "shape", "Div", 6,
        ["(4, 3)", "(4,)"], None, ("ReduceMean", 5), "fit_keep_dims", []),
    "in a jitted function": (
        f"@ms.jit\ndef f(x):\n    total = x.sum(axis=1)\n    return x / total\nf({ones(2, 3)})", "shape", "Div", 7,
        ["(2, 3)", "(2,)"], None, ("ReduceSum", 6), "fit_keep_dims", []),
    "a missing axis": (
        f"images = {ones(2, 3, 4)}\nmean = {ones(2, 3)}\nd = images - mean", "shape", "Sub", 6, ["(2, 3, 4)", "(2, 3)"],
        None, ("Tensor", 5), "fit_expand_dims", ["try: ops.expand_dims(mean, 2), which is (2, 3, 1)"]),
    "a product of a row": (
        f"a = {ones(5, 3)}\nb = {ones(4, 3)}\nc = ops.matmul(a, b)", "shape", "MatMul", 6, ["(5, 3)", "(4, 3)"], None,
        ("Tensor", 5), "fit_transpose",
        ["    a  (5, 3)     Tensor, line 4", "    b     (4, 3)  Tensor, line 5", "           ^", "try: b.T, which is (3, 4)"]),
    "a batch of products": (
        f"a = {ones(2, 5, 3)}\nb = {ones(4, 3, 6)}\nc = ops.matmul(a, b)", "shape", "MatMul", 6,
        ["(2, 5, 3)", "(4, 3, 6)"], None, None, None,
        ["    a  (2, 5, 3)     Tensor, line 4", "    b  (4,    3, 6)  Tensor, line 5", "        ^"]),
    "a product the wrong way round": (
        f"a = {ones(4, 5)}\nb = {ones(3, 4)}\nc = ops.matmul(a, b)", "shape", "MatMul", 6, ["(4, 5)", "(3, 4)"], None,
        ("Tensor", 4), "fit_swap_operands", ["try: the operands the other way round: b times a"]),
    "a matrix and a vector": (
        f"a = {ones(3, 4)}\nv = {ones(3)}\nc = ops.matmul(a, v)", "shape", "MatMul", 6, ["(3, 4)", "(3,)"], None,
        ("Tensor", 4), "fit_transpose", ["    a  (3, 4)   Tensor, line 4", "    v     (3,)  Tensor, line 5", "           ^"]),
    "a bias of another length": (
        f"x, w = {ones(2, 5)}, {ones(3, 5)}\nb = {ones(2)}\ny = ops.dense(x, w, b)", "shape", "Dense", 6,
        ["(2, 5)", "(3, 5)", "(2,)"], None, None, None,
        ["    w.T     (5, 3)   Tensor, line 4", "    b          (2,)  Tensor, line 5", "                ^"]),
    "a bias of a convolution": (
        f"x, w = {ones(1, 3, 8, 8)}, {ones(4, 3, 3, 3)}\nb = {ones(3)}\ny = ops.conv2d(x, w, b)", "shape", "BiasAdd", 6,
        ["(1, 4, 6, 6)", "(3,)"], None, None, None, ["    b           (3,)       Tensor, line 5", "                 ^"]),
    "labels for other rows": (
        f"x = {ones(4, 3)}\ny = Tensor([0, 1, 2], ms.int32)\nloss = ops.cross_entropy(x, y)", "shape", "CrossEntropy", 6,
        ["(4,)", "(3,)"], None, None, None, ["    wanted  (4,)", "    y       (3,)  Tensor, line 5", "             ^"]),
    "labels in a column": (
        f"x = {ones(3, 3)}\ny = Tensor([[0], [1], [2]], ms.int32)\nloss = nn.CrossEntropyLoss()(x, y)", "shape",
        "CrossEntropy", 6, ["(3,)", "(3, 1)"], None, ("Tensor", 5), "fit_reshape", ["try: y.reshape((3,))"]),
    "a normalisation of another size": (
        f"ln = nn.LayerNorm((4,))\nx = {ones(4, 2)}\ny = ln(x)", "shape", "LayerNorm", 6,
        ["(4, 2)", "(4,)", "(4,)"], None, None, None,
        ["    x      (4, 2)   Tensor, line 5", "    gamma     (4,)  Parameter, line 4", "               ^"]),
    "a normalisation of channels last": (
        f"bn = nn.BatchNorm2d(3)\nx = {ones(2, 8, 8, 3)}\ny = bn(x)", "shape", "BatchNorm", 6,
        ["(2, 8, 8, 3)", "(3,)", "(3,)", "(3,)", "(3,)"], None, ("Tensor", 5), "fit_channels_first", []),
    "a gradient of another Parameter": (
        f"p = ms.Parameter({ones(2, 3)}, name='p')\ng = {ones(3, 2)}\nnn.SGD([p], 0.1)((g,))", "shape", "SGD", 6,
        ["(2, 3)", "(3, 2)"], None, ("Tensor", 5), "fit_transpose", ["    g  (3, 2)  Tensor, line 5", "        ^  ^"]),
    "a layer of another size": (
        f"fc = nn.Dense(16, 10)\nx = {ones(2, 64)}\ny = fc(x)", "shape", "MatMul", 6, ["(2, 64)", "(10, 16)"], None,
        ("Dense", 4), "fit_layer", ["    weight.T     (16, 10)  Parameter, line 4", "try: nn.Dense(64, 10) at line 4"]),
    "a layer of a net, sized for no padding": (
        "class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(1, 2, 3)\n        self.relu = nn.ReLU()\n        self.fc = nn.Dense(32, 3)\n"
        "    def construct(self, x):\n        x = self.relu(self.conv(x))\n"
        f"        return self.fc(ops.flatten(x))\nNet()({ones(1, 1, 6, 6)})", "shape", "MatMul", 12,
        ["(1, 72)", "(3, 32)"], None, ("Conv2d", 7), "fit_pad_mode",
        ["in cell fc (Default/fc-Dense)"]),
    "a layer of a net, too small": (
        "class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Dense(30, 3)\n"
        f"    def construct(self, x):\n        return self.fc(x)\nNet()({ones(1, 72)})", "shape", "MatMul", 9,
        ["(1, 72)", "(3, 30)"], None, ("Dense", 7), "fit_layer", ["try: nn.Dense(72, 3) at line 7"]),
    "an image that was not flattened": (
        f"w = {ones(32, 3)}\nx = {ones(2, 2, 4, 4)}\ny = ops.matmul(x, w)", "shape", "MatMul", 6,
        ["(2, 2, 4, 4)", "(32, 3)"], None, ("Tensor", 5), "fit_flatten", []),
    "channels last": (
        f"conv = nn.Conv2d(3, 4, 3)\nimage = {ones(1, 8, 8, 3)}\nconv(image)", "shape", "Conv2D", 6,
        ["(1, 8, 8, 3)", "(4, 3, 3, 3)"], None, ("Tensor", 5), "fit_channels_first",
        ["    image   (1, 8, 8, 3)  Tensor, line 5", "                ^"]),
    "a weight the other way round": (
        f"kernel = {ones(3, 2)}\nfc = nn.Dense(3, 2, weight_init=kernel)", "shape", "Parameter", 5, ["(2, 3)", "(3, 2)"],
        None, ("Tensor", 4), "fit_swap_weight", ["    kernel  (3, 2)  Tensor, line 4"]),
    "rows of several lengths": (
        f"a = {ones(2, 3)}\nb = {ones(2, 4)}\nc = ops.concat([a, b], axis=0)", "shape", "Concat", 6,
        ["(2, 3)", "(2, 4)"], None, None, None, ["    a  (2, 3)  Tensor, line 4", "           ^"]),
    "ints where truths are wanted": (
        f"m = Tensor([1, 0], ms.int32)\nx = {ones(2)}\ny = ops.where(m, x, x)", "dtype", "Select", 6,
        None, None, ("Tensor", 4), "fit_cast", ["    m  Int32    (2,)  Tensor, line 4", "       ^^^^^",
                                                "try: m.astype(ms.bool_)"]),
    "an index beyond the table": (
        f"table = {ones(4, 2)}\nids = Tensor([1, 5, 0], ms.int32)\nprint(ops.gather(table, ids, 0))", "index", "Gather",
        6, ["(4, 2)", "(3,)"], [1], None, None,
        ["IndexError: Gather: index 5 at position (1,) of the indices is outside [0, 4), the extent of axis 0 of the tensor"]),
}
faults = 0
with tempfile.TemporaryDirectory() as folder:
    for name, (body, kind, op, line, shapes, index, root, fit, said) in CASES.items():
        script, profile = f"{folder}/script.py", f"{folder}/run.fscope"
        with open(script, "w", encoding="utf-8") as file:
            file.write(HEAD + body + "\n")
        for mode, device in (("eager", "cpu"), ("graph", "cpu"), ("eager", "ascend-model"), ("graph", "ascend-model")):
            command = [fusescope, "--record", profile, "--mode", mode, "--device", device, script]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            with sqlite3.connect(profile) as database:
                rows = database.execute(
                    "SELECT kind, detail FROM finding WHERE kind IN ('shape', 'dtype', 'index')").fetchall()
            wrong = []
            if done.returncode != 1 or len(rows) != 1:
                wrong.append(f"ended with {done.returncode} and {len(rows)} findings")
            for found, text in rows:
                d = json.loads(text)
                arguments = d.get("arguments", {})
                got = (found, d["op"], d["line"], d.get("shapes") if shapes else None, d.get("index"),
                       arguments.get("fit"))
                if got != (kind, op, line, shapes, index, fit):
                    wrong.append(f"finding {got}")
                at = d.get("root")
                if root and (not at or (at["op"], at["line"]) != root):
                    wrong.append(f"root {at}")
                if not d["advice"] and fit:
                    wrong.append("no advice")
            if mode == "eager" or kind != "index":
                lines = [text.rstrip() for text in done.stderr.splitlines()]
                wrong += [f"no line {text!r}" for text in said if text.rstrip() not in lines]
            if wrong:
                faults += 1
                print(f"{name}, {mode}, {device}: {'; '.join(wrong)}\n{done.stderr}")
sys.exit(1 if faults else 0)
