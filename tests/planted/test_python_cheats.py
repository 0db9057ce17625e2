"""Candidates' Python files that try to change what judges them: `hotloop compare A.py B.py` calls none of them faster.

The table is data: tests/planted/cheats/python.toml. Each is run through the command as a user types it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CHEATS = tomllib.loads((Path(__file__).parent / "cheats" / "python.toml").read_text())["cheat"]
FILE = '''
import numpy as np
import hotloop as hl
{top}

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int n) {{
    const int i = get_global_id(0);
    if (i >= n) return;
    float v = x[i];
    for (int s = 0; s < {steps}; ++s) v += {dt}f * (1.0f - v * v * v);
    y[i] = {value};
}}
"""

@hl.kernel(problem=dict(n=4096), work=lambda p: hl.Work(flops=0, bytes=8 * p.n), awkward=lambda p: [dict(n=1), dict(n=101)],
           tolerance=hl.Tolerance(terms=lambda p: 64, absolute={absolute}))
class relax:
    def inputs(p, rng):
        {inputs}
        return dict(x=2 * rng.random(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("f8")
        for _ in range(800):
            v = v + 0.00125 * (1 - v * v * v)
        return dict(y=1 + v)

    opencl = hl.OpenCL(SOURCE, entry="k", options={options}, global_size=lambda p, c: (p.n,){local})
'''
KERNELS = {
    "honest": {"steps": 800, "dt": 0.00125, "value": "1.0f + v"},
    "slow": {"steps": 3200, "dt": 0.0003125, "value": "1.0f + v"},
    "wrong": {"steps": 10, "dt": 0.1, "value": "v"},
    "serial": {
        "steps": 560,
        "dt": 0.00125 * 800 / 560,
        "value": "1.0f + v",
        "local": ", local_size=lambda p, c: (p.n if p.n == 4096 else 1,)",
    },
}


def write(folder: Path, name: str, kind: str, top: str = "", inputs: str = "", option: str = "") -> None:
    given = {"inputs": inputs or "pass", "absolute": 1e-3, "local": "", "options": tuple(option.split())} | KERNELS[
        kind
    ]
    text = FILE.format(top=top, **given)
    (folder / name).write_text(text)


def compare(folder: Path, *more: str) -> tuple[int, str]:
    """Return exit code and verdict of the command; an answer that is no JSON has the verdict ''."""
    environment = {**os.environ, "HOTLOOP_STORE": str(folder / "store.db")}
    command = [sys.executable, "-m", "hotloop", "compare", "A.py", "B.py", "--json", *more]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False)
    try:
        found = json.loads(ran.stdout).get("comparison")
    except ValueError:
        return ran.returncode, ""
    return ran.returncode, found["verdict"] if found else ""


ENDING = (
    "exit",
    "ended",
    "os._exit",
    "endless",
    "socket",
    "printed",
    "signal",
    "virtual",
    "shape",
    "answers",
    "stay",
    "itself",
    "grows",
    "memory",
    "decoding",
    "language",
    "half",
    "descriptors",
    "inputs",
    "watcher",
    "element",
    "flood",
    "busy",
    "lease",
    "generator",
    "truth",
    "output is",
    "normalised",
    "direction",
)
"""Words in the names of cheats that end their file's process or keep it from defining a kernel: each has a run of its own."""
EVERY = bool(os.environ.get("HOTLOOP_EVERY_CHEAT"))


def together(kind: str) -> str:
    """Return all cheats of a kind that can stand in one file: were any to work, the run would show it."""
    shared = [one for one in CHEATS if one["kernel"] == kind and not one.get("alone")]
    chosen = [one for one in shared if not any(word in one["name"] for word in ENDING)]
    return "\n".join(f"try:\n    exec({one['top']!r}, globals())\nexcept Exception: pass" for one in chosen)


@pytest.mark.parametrize("kind", ["slow", "wrong"])
def test_no_file_wins_by_all_of_its_python_at_once(tmp_path, kind):
    write(tmp_path, "A.py", "honest")
    write(tmp_path, "B.py", kind, together(kind))
    before = (tmp_path / "A.py").read_bytes()
    code, verdict = compare(tmp_path)
    assert code != 0
    assert verdict.upper() not in ("FASTER", "SAME")
    assert (tmp_path / "A.py").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir() if one.name != "__pycache__") == ["A.py", "B.py"]


@pytest.mark.parametrize(
    "cheat",
    [one for one in CHEATS if EVERY or one["name"] in ("exit at once with 0", "a language whose times are virtual")],
    ids=lambda cheat: cheat["name"].replace(" ", "-"),
)
def test_no_file_wins_by_its_python(tmp_path, cheat):
    write(tmp_path, "A.py", "honest")
    write(tmp_path, "B.py", cheat["kernel"], cheat["top"], cheat.get("inputs", ""), cheat.get("option", ""))
    code, verdict = compare(tmp_path)
    print(f"RESULT {cheat['name']}: {code} {verdict}")
    assert code != 0, f"{cheat['name']}: {verdict}"
    assert verdict.upper() not in ("FASTER", "SAME")
