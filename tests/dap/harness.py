"""What the sessions share: a program that is debugged, and running the sessions of a file by name."""
import os
import sqlite3
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dap_client import Client  # noqa: E402

FUSESCOPE = os.path.abspath(sys.argv[1])
HEAD = "import numpy as np\nimport mindspore as ms\nfrom mindspore import Tensor, nn, ops\n"
TESTS = []


def session(function):
    TESTS.append(function)
    return function


class Debugged:
    """A client that has launched a program; lines of `body` begin at 4."""

    def __init__(self, body, *, name="program.py", launch=True, **options):
        self.folder = tempfile.mkdtemp(prefix="dap Ünï ")
        self.path = os.path.join(self.folder, name)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(HEAD + body)
        self.client = Client(FUSESCOPE)
        if launch:
            self.result = self.client.launch(self.path, profile=os.path.join(self.folder, "run.fscope"), **options)

    def __enter__(self):
        return self.client

    def __exit__(self, *error):
        self.client.end()

    def profile(self):
        return sqlite3.connect(os.path.join(self.folder, "run.fscope"))


def ended(client, code=0):
    body = client.wait("exited")
    assert body["exitCode"] == code, (body, client.output)
    client.wait("terminated")


LOOP = "total = 0\nfor i in range(10):\n    k = i * 2\n    total += k\nprint('total', total)\n"


def c_path(client):
    return client.stack()[-1]["source"]["path"]

NET = ("class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
       "        self.first = nn.Dense(4, 3)\n        self.second = nn.Dense(3, 2)\n"
       "    def construct(self, x):\n        return ops.softmax(self.second(ops.relu(self.first(x))))\n"
       "net = Net()\nx = Tensor(np.ones((2, 4), np.float32))\ny = net(x)\nprint(y.shape)\n")

TRAIN = ("net = nn.Dense(2, 1)\noptimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)\n"
         "def loss(x):\n    return (net(x) ** 2).mean()\nstep = ms.value_and_grad(loss, None, optimizer.parameters)\n"
         "x = Tensor(np.ones((4, 2), np.float32))\nfor i in range(5):\n    value, grads = step(x)\n"
         "    optimizer(grads)\nprint('done')\n")


def main():
    wanted = sys.argv[2:]
    faults = 0
    for test in TESTS:
        if wanted and test.__name__ not in wanted:
            continue
        started = time.time()
        try:
            test()
        except Exception:
            faults += 1
            print("FAILED", test.__name__)
            traceback.print_exc(file=sys.stdout)
        else:
            print("ok %s %.1f s" % (test.__name__, time.time() - started))
        sys.stdout.flush()
    return 1 if faults else 0
