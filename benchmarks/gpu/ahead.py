"""How much sooner configurations are ready when they compile ahead, and whether budgets are kept; on a GPU or a CPU.

    PYTHONPATH=src python benchmarks/gpu/ahead.py OUT.json [--budget 40] [--only reduction,layernorm] [--rounds 2]

Each case is `hotloop tune` with a fresh store as a command of its own, in turn with and without compiling ahead: configurations
tried, wall time of the whole command, and by how much it is beyond the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pace import CASES, ROOT, trials

ALONE = (
    "from hotloop.app.run.devices.queue import Queue; Queue._foresighted = lambda _: None; "
    "from hotloop.cli.start import main; main()"
)
AHEAD = "from hotloop.cli.start import main; main()"


def tuned(name, budget_s, code):
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-c",
            code,
            "tune",
            *CASES[name],
            "--budget",
            str(budget_s),
            "--no-peers",
            "--fresh",
            "-q",
            "--json",
        ]
        began_s = time.perf_counter()
        ended = subprocess.run(
            [*command, "--store", str(Path(folder) / "store.db")], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "HOTLOOP_AHEAD": "triton"},
        )  # fmt: skip
        wall_s = time.perf_counter() - began_s
        outcomes = trials(folder) if ended.returncode == 0 else {"failed": ended.stderr[-500:]}
    return {"wall_s": wall_s, "beyond_s": wall_s - budget_s, "outcomes": outcomes, "load": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--budget", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default="reduction,layernorm")
    given = parser.parse_args()
    rows = []
    for name in given.only.split(","):
        for index in range(2 * given.rounds):
            kind, code = (("ahead", AHEAD), ("alone", ALONE))[(index + index // 2) % 2]
            rows.append({"case": name, "kind": kind, "budget_s": given.budget, **tuned(name, given.budget, code)})
            print(json.dumps(rows[-1]), flush=True)
            given.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
