"""The programs of born/ say below each line what is born there, as "#: kind Op [index] rule", separated by semicolons:
Op' in its gradient, Op< given by the program, Op^ in an optimizer; ~ when nothing keeps it, which graphs need not see. What is said must be
found and nothing else, eagerly, in graph mode and compiled; harmless.py must not fail.

    birth_tables.py FUSESCOPE
"""
import collections
import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

fusescope = os.path.abspath(sys.argv[1])
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "born")
PHASES = {"": "forward", "'": "backward", "<": "input", "^": "optimizer"}
EXPECTED = re.compile(r"(~?)(nan|inf) (\w+)(['<^]?) (\[[\d, ]*\]) (\w+)((?: \w+=\w+)*)$")


def expectations(path):
    """By line: (kind, op, phase, index, rule), whether it is dropped, further details."""
    expected = collections.defaultdict(list)
    code = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip().startswith("#:"):
                code = number
                continue
            for text in line.strip()[2:].split(";"):
                dropped, kind, op, phase, index, rule, more = EXPECTED.match(text.strip()).groups()
                details = dict(word.split("=") for word in more.split())
                expected[code].append(((kind, op, PHASES[phase], index, rule), bool(dropped), details))
    return expected


def found(profile, path):
    lines = collections.defaultdict(dict)
    with sqlite3.connect(profile) as database:
        for kind, text in database.execute("SELECT kind, detail FROM finding WHERE kind IN ('nan', 'inf') ORDER BY id"):
            d = json.loads(text)
            if os.path.basename(d.get("file", "")) != os.path.basename(path):
                continue
            what = (kind, d["op"], d["phase"], json.dumps(d["index"]), d["rule"])
            lines[d["line"]][what] = {"reach": d["reach"], "step": str(d["step"]),
                                      "reached": "no" if d["reach"] == "absorbed" else "yes",
                                      "occurrence": d.get("arguments", {}).get("occurrence", "1")}
    return lines


faults = checked = 0
with tempfile.TemporaryDirectory() as scratch:
    for path in sorted(glob.glob(f"{folder}/*.py")):
        expected = expectations(path)
        for mode in ("eager", "graph", "jit"):
            environment = dict(os.environ, BORN_JIT="1" if mode == "jit" else "0")
            profile = f"{scratch}/run.fscope"
            command = [fusescope, "--record", profile, "--mode", "eager" if mode == "eager" else "graph", "--device",
                       "cpu", "--fail-on", "nan,inf", path]
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
            wrong = []
            harmless = all(dropped for line in expected.values() for _, dropped, _ in line)
            if done.returncode != (0 if harmless else 3):
                wrong.append(f"ended with {done.returncode}: {done.stderr}")
            got = found(profile, path)
            for line in sorted(set(expected) | set(got)):
                for what, dropped, details in expected[line]:
                    checked += 1
                    have = got[line].pop(what, None)
                    if have is None:
                        if not dropped or mode == "eager":
                            wrong.append(f"line {line}: not found: {what}")
                    elif mode == "eager" and dropped != (have["reach"] == "absorbed"):
                        wrong.append(f"line {line}: reached {have['reach']}: {what}")
                    else:
                        wrong += [f"line {line}: {k} is {have[k]}, not {v}: {what}" for k, v in details.items()
                                  if have[k] != v]
                wrong += [f"line {line}: found {what}" for what in got[line]]
            if wrong:
                faults += len(wrong)
                print(f"{os.path.basename(path)}, {mode}:", *wrong, sep="\n  ")
print(f"{checked} births looked at, {faults} faults")
sys.exit(1 if faults or checked < 400 else 0)
