"""Launches the rungs of a ladder a few times on the card of this machine, for a profiler to watch.

    python tests/device/ladder_once.py gemm gfx942

Needs PyTorch for ROCm, hotloop, and what the ladder's language needs: Triton, or ziglang for HIP. Verifies every rung that is
predicted for the target and prints its error over its bound.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hotloop.app import ladder_data
from hotloop.app.ladder_confirm import groups, question
from hotloop.app.ladder_measure import answer

LAUNCHES = 3


def main() -> None:
    """Launch; exit code 1 when a result is wrong."""
    family, target = sys.argv[1:3]
    ladder, forecast = ladder_data.ladder_for(family, target), ladder_data.forecast(family, target)
    if forecast is None:
        sys.exit(f"nothing is predicted for {family} on {target}")
    failed = False
    with TemporaryDirectory() as folder:
        for part in groups(ladder, forecast):
            names = tuple(dict.fromkeys(name for step in part.steps for name in (step.over, step.rung)))
            found = answer(question(ladder, part, names, Path(folder), seed=1, rounds=LAUNCHES))
            print(found.get("errors"), found.get("failed", ""))
            failed |= "failed" in found
    sys.exit(failed)


if __name__ == "__main__":
    main()
