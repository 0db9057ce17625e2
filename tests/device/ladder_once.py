"""Launches every even rung of the GEMM's Gluon ladder a few times on the card of this machine, for a profiler to watch.

    python tests/device/ladder_once.py gfx942

Needs PyTorch for ROCm, Triton and hotloop. Prints each rung's error over its bound.
"""

from __future__ import annotations

import sys

from hotloop.app import ladder_data
from hotloop.app.ladder import source_of
from hotloop.app.ladder_measure import answer

SIZE, LAUNCHES = 4096, 3


def main() -> None:
    """Launch; exit code 1 when a result is wrong."""
    target = sys.argv[1]
    ladder = ladder_data.ladder_for("gemm", target)
    kernels = [rung.kernel for rung in ladder.on(target) if not rung.series]
    message = {
        "ask": "rungs", "path": str(source_of(ladder)), "target": target, "kernels": kernels, "rounds": LAUNCHES,
        "seed": 1, "m": SIZE, "n": SIZE, "k": SIZE,
    }  # fmt: skip
    found = answer(message)
    print(found.get("errors"), found.get("failed", ""))
    sys.exit("failed" in found)


if __name__ == "__main__":
    main()
