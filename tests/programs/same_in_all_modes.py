"""Runs one example in every mode and on every device: all print the same, times aside, and end as they should.

    same_in_all_modes.py FUSESCOPE SCRIPT
"""
import re
import subprocess
import sys
import tempfile

fusescope, script = sys.argv[1:]


def run(mode, device, folder):
    command = [fusescope, "--record", f"{folder}/run.fscope", "--mode", mode, "--device", device, script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    times = re.compile(r"\d+(\.\d+)? ?(ms|us|µs|s)\b")
    return done.returncode, times.sub("TIME", done.stdout), done.stderr


with tempfile.TemporaryDirectory() as folder:
    first = run("script", "script", folder)
    status, text, errors = first
    if status != 0 or "Traceback" in errors or not text.strip():
        sys.exit(f"ended with {status}\n{text}{errors}")
    for device in ("cpu", "ascend-model"):
        for mode in ("eager", "graph"):
            other = run(mode, device, folder)
            if other[:2] != (status, text):
                sys.exit(f"--mode {mode} --device {device} ended with {other[0]} and differs\n--- expected\n{text}"
                         f"--- got\n{other[1]}{other[2]}")
