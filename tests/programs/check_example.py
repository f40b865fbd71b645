"""`fusescope --check` finds one example equal in every bit, with the passes that may change rounding switched off, and
close with all of them.

    check_example.py FUSESCOPE SCRIPT
"""
import json
import subprocess
import sys

fusescope, script = sys.argv[1:]
listed = subprocess.run([fusescope, "--list-passes"], capture_output=True, text=True, check=True).stdout.splitlines()
rounding = [line.split()[0] for line in listed[1:] if line.strip() and "the same to the last bit" not in line
            and line.split()[1] == "on"]
if not rounding or len(rounding) > 4:
    sys.exit(f"these passes are said to change rounding: {rounding}")


def check(*options):
    done = subprocess.run([fusescope, "--check", "--format", "json", *options, script], capture_output=True, text=True,
                          timeout=100)
    answer = json.loads(done.stdout)
    if done.returncode != 0:
        sys.exit(f"{options}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return answer


strict = check("--passes=" + ",".join("-" + name for name in rounding))
if strict["verdict"] != "agree" or strict["runs"] != 2:
    sys.exit(json.dumps(strict, indent=1))
loose = check()
if loose["verdict"] == "close":
    if loose["cause"]["pass"] not in rounding:
        sys.exit(json.dumps(loose, indent=1))
elif loose["verdict"] != "agree":
    sys.exit(json.dumps(loose, indent=1))
print(strict["tensors"], loose["verdict"])
