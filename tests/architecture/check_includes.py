"""Reads every #include and holds it against the layers: who may see whom, and which heavy header is seen where."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])

# Inside the engine, a layer may include itself and what stands before it. Interfaces that a lower layer declares and a
# higher one implements (TraceSink, apply) are what makes this order possible.
ENGINE = ["core", "expr", "ir", "cpu", "ops", "autodiff", "passes", "exec", "trace", "debug", "api", "codegen", "ascend", "python"]
EXTRA = {("ops", "engine/ops/op_ids.hpp"), ("cpu", "engine/ir/op_def.hpp"), ("cpu", "engine/ir/attribute.hpp")}

HEAVY = {  # header pattern -> folders that may include it
    r"sqlite3\.h|SQLiteCpp": ["profiler/db"],
    r"Python\.h|pybind11/|internal/pycore": ["engine/python"],
    r"llvm/|llvm-c/": ["engine/codegen"],
    r"dnnl\.hpp|oneapi/dnnl|dnnl\.h": ["engine/cpu"],
    r"graphviz/|gvc\.h|cgraph\.h": ["gui/graph"],
    r"sleef\.h": ["engine/expr"],
    r"Q[A-Z]\w*|qcustomplot\.h|Qsci/.*": ["gui", "tests/gui"],
    r"nlohmann/.*": ["profiler", "gui", "tests"],
    r"omp\.h": ["engine/cpu"],
}

def may(source: str, target: str) -> bool:
    """source: folder of the including file; target: path as written in the include."""
    part = source.split("/")[0]
    if target.startswith("fusescope/"):
        return True
    if part == "tests":
        return True
    if part == "include":
        return False
    if part == "engine":
        if not target.startswith("engine/"):
            return False
        mine, theirs = source.split("/")[1], target.split("/")[1]
        if mine not in ENGINE or theirs not in ENGINE:
            return False
        return ENGINE.index(theirs) <= ENGINE.index(mine) or (mine, target) in EXTRA
    if part == "profiler":
        if source.startswith("profiler/cli"):
            return target.startswith(("profiler/", "engine/"))
        return target.startswith("profiler/") and not target.startswith("profiler/cli/")
    if part == "gui":
        return target.startswith(("gui/", "profiler/")) and not target.startswith("profiler/cli/")
    return False

problems = []
files = 0
for part in ("include", "engine", "profiler", "gui"):
    for path in sorted((root / part).rglob("*")):
        if path.suffix not in (".cpp", ".hpp", ".h"):
            continue
        files += 1
        folder = path.parent.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^">]+)[">]', line)
            if not match:
                continue
            quote, target = match.groups()
            where = f"{path.relative_to(root)}:{number}"
            for pattern, allowed in HEAVY.items():
                if re.fullmatch(pattern, target) or (pattern.endswith("/") and target.startswith(pattern)) or (
                    "/" in pattern and re.match(pattern, target)
                ):
                    if not any(folder == a or folder.startswith(a + "/") for a in allowed):
                        problems.append(f"{where}: <{target}> may be included only in {', '.join(allowed)}")
            if quote == '"' and re.match(r"(engine|profiler|gui|tests|fusescope)/", target) and not may(folder, target):
                problems.append(f"{where}: {folder} must not include {target}")

for path in (root / "gui/panels").glob("*.cpp"):
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r'\s*#\s*include\s*"gui/panels/([^"]+)"', line)
        if match and pathlib.Path(match.group(1)).stem != path.stem and not match.group(1).startswith("panel."):
            problems.append(f"{path.relative_to(root)}: a panel must not know another ({match.group(1)})")

if files < 50:
    problems.append(f"only {files} sources were read: the check looked in the wrong place")
print("\n".join(problems) if problems else f"{files} sources respect the layers")
sys.exit(bool(problems))
