"""What each look at whoever is called faster costs, in processor time, beside the duel that it follows.

    python benchmarks/look_cost.py [NAME ...] [--out FILE]

The kernels are clean ones of tests/planted, each beside itself with every launch made twice, so that it is called faster by about 2. A look is taken
twice only where the first one doubts the lead. Time that a look spends compiling is in it; whoever is not called faster is not looked at.
"""

from __future__ import annotations

import argparse
import inspect
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import stand
import strangers
from checking_share import cpu_s

from hotloop.app import session, userfile
from hotloop.app.run import timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.verify.checker import _Shelf
from hotloop.stats.paired import PairedTest

NAMES = ("gemv", "nearest", "variance", "rowscan", "bilinear", "median3", "logsumexp", "escape")
LOOKS = frozenset(
    ("_hidden_bytes", "_lost_local", "_lost_results", "_lost_private", "_lost_among", "_lost_joined", "_private_bytes")
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    print(stand.conditions())
    with session.desk(session.Options(limit_s=60)) as desk:
        for name in asked.names:
            row = {"kernel": name, **costs(desk, name)}
            print(json.dumps(row), flush=True)
            if asked.out:
                with asked.out.open("a") as kept:
                    kept.write(json.dumps(row) + "\n")
    return 0


class _Watched:
    """An engine that notes what building and timing cost, by the look that asks for it."""

    def __init__(self, engine: object) -> None:
        self._engine, self.spent = engine, Counter[str]()

    def __getattr__(self, name: str) -> object:
        found = getattr(self._engine, name)
        return self._noted(found) if name in ("build", "time") else found

    def _noted(self, function: Callable[..., object]) -> Callable[..., object]:
        def called(*args: object, **more: object) -> object:
            look, began_s = _look(), cpu_s()
            try:
                return function(*args, **more)
            finally:
                self.spent[look] += cpu_s() - began_s if look else 0.0

        return called


def _look() -> str:
    """Return which look the caller belongs to, empty for none."""
    frame = inspect.currentframe()
    while frame and frame.f_code.co_name not in LOOKS:
        frame = frame.f_back
    return frame.f_code.co_name.strip("_") if frame else ""


def costs(desk, name: str) -> dict[str, object]:
    """Return seconds of the duel without looks, and of each look, and the verdict."""
    file = next(f for folder in strangers.FOLDERS if (f := strangers.PLANTED / folder / f"{name}.py").exists())
    kernel = userfile.load(file)
    watched = _Watched(desk.engine)
    desk = replace(desk, engine=watched)
    workload = Workload(_Shelf(desk.engine, f"{name}."), kernel, kernel.problem, desk.device, desk.seed)
    program = workload.program(userfile.starting(kernel, kernel.implementations[0].name))
    began_s = cpu_s()
    found = timing.duel(desk, workload, replace(program, launches=program.launches * 2), program, PairedTest())
    whole_s = cpu_s() - began_s
    verdict = str(found.comparison.verdict) if isinstance(found, timing.Duel) else str(found)[:200]
    looks = {look: round(spent_s, 2) for look, spent_s in watched.spent.items() if look}
    return {"verdict": verdict, "duel_s": round(whole_s - sum(looks.values()), 2), **looks}


if __name__ == "__main__":
    raise SystemExit(main())
