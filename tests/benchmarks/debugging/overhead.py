"""What a debugger costs: an idle one against none, a conditional breakpoint on a busy line, and stepping back.

    /usr/bin/python3 overhead.py BUILD/bin [--rounds N]
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "dap"))
from dap_client import Client  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("bin", type=pathlib.Path)
parser.add_argument("--rounds", type=int, default=3)
options = parser.parse_args()
fusescope = str(options.bin / "fusescope")
workloads = str(here.parent / "recording" / "workloads.py")

LOOP = """import time
from mindspore import Tensor
x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
def work(n):
    t = x
    for i in range(n):
        t = x + y
    return t
def count(n):
    total = 0
    for i in range(n):
        total += i
    return total
for name, f in (("op", work), ("python", count)):
    f(1000)
    started = time.perf_counter()
    f(1000000)
    print(name, time.perf_counter() - started, flush=True)
"""
TRAIN = """import numpy as np
import mindspore as ms
from mindspore import Tensor, nn
net = nn.SequentialCell(nn.Dense(32, 64), nn.ReLU(), nn.Dense(64, 64), nn.ReLU(), nn.Dense(64, 1))
optimizer = nn.Adam(net.trainable_params(), 1e-3)
loss_fn = nn.MSELoss()
step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
rng = np.random.default_rng(0)
x = Tensor(rng.normal(size=(64, 32)).astype(np.float32))
y = Tensor(rng.normal(size=(64, 1)).astype(np.float32))
for i in range(100):
    loss, grads = step(x, y)
    optimizer(grads)
end = 1
"""


def lines_of(text):
    return {name: float(value) for name, value in (line.split() for line in text.splitlines())}


def debugged(path, **launch):
    client = Client(fusescope)
    client.launch(path, **launch)
    client.wait("exited", timeout=600)
    client.wait("terminated")
    text = client.text()
    client.end()
    return lines_of(text)


with tempfile.TemporaryDirectory() as folder:
    times = {}
    for _ in range(options.rounds):
        plain = subprocess.run([options.bin / "run_plain", workloads], capture_output=True, text=True, check=True)
        for name, value in lines_of(plain.stdout).items():
            times.setdefault(name, {}).setdefault("plain", []).append(value)
        for name, value in debugged(workloads, device="cpu").items():
            times.setdefault(name, {}).setdefault("idle debugger", []).append(value)
    for name, by_variant in times.items():
        plain = statistics.median(by_variant["plain"])
        idle = statistics.median(by_variant["idle debugger"])
        print(f"{name:16s} plain {plain:10.3f} us  idle debugger {idle:10.3f} us  {100 * (idle / plain - 1):+7.1f} %")

    path = pathlib.Path(folder) / "loop.py"
    path.write_text(LOOP)
    plain = lines_of(subprocess.run([options.bin / "run_plain", path], capture_output=True, text=True, check=True).stdout)
    idle = debugged(str(path))
    conditional = debugged(str(path), lines=[{"line": 7, "condition": "i == 2000000"}, {"line": 12, "condition": "i == 2000000"}])
    for name in plain:
        print(f"a million times, {name:7s} plain {plain[name]:6.3f} s  idle {idle[name]:6.3f} s  "
              f"conditional breakpoint {conditional[name]:6.3f} s  {conditional[name] / idle[name]:5.2f}x")

    for mode in ("eager", "graph"):
        path = pathlib.Path(folder) / "train.py"
        path.write_text(TRAIN)
        client = Client(fusescope)
        client.launch(str(path), lines=[14], mode=mode)
        client.stopped()
        waits = []
        for _ in range(300):
            started = time.perf_counter()
            client.go("stepBack")
            client.stopped()
            frame = client.stack()[0]["id"]
            reference = client.ask("scopes", frameId=frame)["scopes"][0]["variablesReference"]
            client.ask("variables", variablesReference=reference)
            waits.append(time.perf_counter() - started)
        client.end()
        print(f"step back, {mode}: median {1e3 * statistics.median(waits):.1f} ms, longest {1e3 * max(waits):.1f} ms")
