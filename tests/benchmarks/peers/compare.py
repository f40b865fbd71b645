"""Times fusescope and PyTorch in turns on this machine and prints the ratios of the medians.

    /usr/bin/python3 compare.py PATH/TO/fusescope [--rounds N] [--only WORKLOAD]

Machines are shared and noisy: the two take turns within one run, PyTorch counts with its better number of threads, and
only ratios are worth quoting.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("fusescope")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--only", default="")
options = parser.parse_args()

environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
environment["OMP_WAIT_POLICY"] = "passive"


def lines(command, env):
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


ours, theirs = {}, {}
with tempfile.TemporaryDirectory() as folder:
    profile = os.path.join(folder, "run.fscope")
    mine = [options.fusescope, "--record", profile, "--watch", "off", "--device", "cpu", str(here / "workloads.py"), options.only]
    for _ in range(options.rounds):
        for name, value in lines(mine, dict(os.environ)).items():
            ours.setdefault(name, []).append(value)
        best = {}
        for threads in ("1", "2"):
            peer = ["/usr/bin/python3", str(here / "torch_workloads.py"), options.only]
            for name, value in lines(peer, {**environment, "T": threads}).items():
                best[name] = min(value, best.get(name, value))
        for name, value in best.items():
            theirs.setdefault(name, []).append(value)

print(f"{'workload':24s} {'fusescope us':>14s} {'PyTorch us':>14s} {'ratio':>8s}")
for name in ours:
    mine, peer = statistics.median(ours[name]), statistics.median(theirs[name])
    print(f"{name:24s} {mine:14.2f} {peer:14.2f} {mine / peer:8.2f}")
