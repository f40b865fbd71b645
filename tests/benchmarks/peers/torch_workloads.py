"""The same workloads in PyTorch (Debian's python3-torch); prints `name microseconds` lines. T is the number of threads."""
import os
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(int(os.environ.get("T", "2")))
ONLY = sys.argv[1] if len(sys.argv) > 1 else ""


def bench(name, function, count, repeats=7, warm=5):
    if ONLY not in name:
        return
    for _ in range(warm):
        function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - start) / count)
    print(f"{name:28s} {statistics.median(times) * 1e6:12.2f}", flush=True)


torch.manual_seed(0)
fc = nn.Linear(1024, 1024)
optimizer = torch.optim.SGD(fc.parameters(), lr=0.1, momentum=0.9)
x, y = torch.randn(32, 1024), torch.randn(32, 1024)


def train_step():
    optimizer.zero_grad(set_to_none=True)
    F.mse_loss(F.relu(fc(x)), y).backward()
    optimizer.step()


bench("train_step", train_step, 100, warm=30)
a, b = torch.ones(2, 2), torch.ones(2, 2)
bench("eager_add_2x2", lambda: torch.add(a, b), 5000, warm=1000)


def hundred():
    z = a
    for _ in range(100):
        z = torch.add(z, b)


bench("eager_add_x100", hundred, 50)
if ONLY in "chain4_16M":
    u, v = torch.randn(1 << 24), torch.randn(1 << 24)
    bench("chain4_16M", lambda: torch.relu((u + v) * 2.0 - u) * v, 2, repeats=5, warm=2)
r = torch.randn(4096, 1024)
norm = nn.LayerNorm(1024)
with torch.no_grad():
    bench("softmax_4096x1024", lambda: F.softmax(r, -1), 5)
    bench("layernorm_4096x1024", lambda: norm(r), 5)
    bench("gelu_4096x1024", lambda: F.gelu(r), 5)
image = torch.randn(8, 64, 56, 56)
net = nn.Sequential(nn.Conv2d(64, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU()).eval()
with torch.no_grad():
    bench("convbnrelu_infer", lambda: net(image), 3, repeats=5)
