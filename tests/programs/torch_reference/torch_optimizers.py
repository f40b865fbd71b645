"""The same as engine_optimizers.py by PyTorch; names what differs and ends with status 1."""
import ast
import pathlib
import sys
import warnings

import numpy as np
import torch
from torch.optim import lr_scheduler as schedule

warnings.simplefilter("ignore")
given = np.load(sys.argv[1])
bad = []
# The options stand in the other file alone.
source = ast.parse(pathlib.Path(__file__).with_name("engine_optimizers.py").read_text())
tables = {node.targets[0].id: eval(compile(ast.Expression(node.value), "tables", "eval")) for node in source.body
          if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("OPTIONS", "SCHEDULERS")}


def compare(name, value, tolerance=2e-4):
    if given[name].shape != np.shape(value) or not np.allclose(given[name], value, rtol=tolerance, atol=tolerance):
        bad.append(name)


def parameter():
    return torch.tensor(given["start"], requires_grad=True)


def steps(optimizer, p, count, after=lambda: None):
    for _ in range(count):
        p.grad = (3 * p * p - 3.0 + 3 * torch.cos(3 * p)).detach()
        optimizer.step()
        after()
    return p.detach().numpy()


for name, options in tables["OPTIONS"].items():
    p = parameter()
    value = steps(getattr(torch.optim, name.split()[0])([p], **options), p, 8)
    compare(f"{name}/False", value)
    compare(f"{name}/True", value)
for name, options in tables["SCHEDULERS"].items():
    optimizer, rates = torch.optim.SGD([{"params": [parameter()], "lr": 0.02}, {"params": [parameter()]}], 0.05), []
    extra = {"cycle_momentum": False} if name == "CyclicLR" else {}
    scheduler = getattr(schedule, name)(optimizer, **options, **extra)
    for _ in range(12):
        rates.append([group["lr"] for group in optimizer.param_groups])
        scheduler.step()
    compare(name, rates, 1e-6)
p = parameter()
optimizer = torch.optim.Adam([p], 0.1)
compare("scheduled", steps(optimizer, p, 6, schedule.StepLR(optimizer, 2, 0.5).step))
optimizer, rates = torch.optim.SGD([parameter()], 0.1), []
plateau = schedule.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, cooldown=1, min_lr=0.02)
for loss in (1.0, 0.9, 0.95, 0.91, 0.9, 0.92, 0.9, 0.9, 0.9, 0.9, 0.5, 0.6):
    plateau.step(loss)
    rates.append(optimizer.param_groups[0]["lr"])
compare("plateau", rates, 1e-6)
optimizer, rates = torch.optim.SGD([parameter()], 0.1), []
sequence = schedule.SequentialLR(optimizer, [schedule.ConstantLR(optimizer, 0.1, 2), schedule.ExponentialLR(optimizer, 0.9)], [3])
for _ in range(8):
    rates.append(optimizer.param_groups[0]["lr"])
    sequence.step()
compare("sequence", rates, 1e-6)
if bad:
    sys.exit("differs: " + ", ".join(bad))
