"""What recording adds to a program: the same script with nothing recording, and under each level of --watch, in turns.

    /usr/bin/python3 overhead.py BUILD/bin [--rounds N]

Prints medians over the rounds, each round the best of several repetitions; only differences within one run count.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("bin", type=pathlib.Path)
parser.add_argument("--rounds", type=int, default=3)
options = parser.parse_args()
script = pathlib.Path(__file__).parent / "workloads.py"

with tempfile.TemporaryDirectory() as folder:
    record = [options.bin / "fusescope", "--record", pathlib.Path(folder) / "run.fscope", "--device", "cpu", "--watch"]
    variants = {"plain": [options.bin / "run_plain"]}
    variants.update((level, record + [level]) for level in ("off", "health", "stats"))
    times = {}
    for _ in range(options.rounds):
        for variant, command in variants.items():
            done = subprocess.run([*map(str, command), str(script)], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{variant}: status {done.returncode}\n{done.stderr}")
            for line in done.stdout.splitlines():
                name, value = line.split()
                times.setdefault(name, {}).setdefault(variant, []).append(float(value))

for name, by_variant in times.items():
    plain = statistics.median(by_variant["plain"])
    for variant, values in by_variant.items():
        value = statistics.median(values)
        print(f"{name:16s} {variant:8s} {value:10.3f} us  {value - plain:+9.3f} us  {100 * (value / plain - 1):+7.1f} %")
