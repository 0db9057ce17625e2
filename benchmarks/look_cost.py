"""What each look at whoever is called faster costs, in processor time, beside the duel that it follows.

    python benchmarks/look_cost.py [NAME ...] [--out FILE]

The kernels are clean ones of tests/planted, each beside itself with every launch made twice, so that it is called faster by about 2. A look is taken
twice only where the first one doubts the lead. Time that a look spends compiling is in it; whoever is not called faster is not looked at.
"""

from __future__ import annotations

import argparse
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
from hotloop.app.run.lent import keeping
from hotloop.app.verify.checker import _Shelf
from hotloop.stats.paired import PairedTest

NAMES = ("gemv", "nearest", "variance", "rowscan", "bilinear", "median3", "logsumexp", "escape")
LOOKS = ("_hidden_bytes", "_lost_local", "_lost_results", "_lost_private", "_lost_among", "_lost_joined", "_private_bytes")


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


def costs(desk, name: str) -> dict[str, object]:
    """Return seconds of the duel without looks, and of each look, and the verdict."""
    file = next(f for folder in strangers.FOLDERS if (f := strangers.PLANTED / folder / f"{name}.py").exists())
    kernel = userfile.load(file)
    workload = Workload(_Shelf(desk.engine, f"{name}."), kernel, kernel.problem, desk.device, desk.seed)
    program = workload.program(userfile.starting(kernel, kernel.implementations[0].name))
    twice = replace(program, launches=program.launches * 2)
    spent = Counter[str]()
    kept = {look: getattr(keeping, look) for look in LOOKS}
    for look, function in kept.items():
        setattr(keeping, look, _timed(look, function, spent))
    began_s = cpu_s()
    try:
        found = timing.duel(desk, workload, twice, program, PairedTest())
    finally:
        for look, function in kept.items():
            setattr(keeping, look, function)
    whole_s = cpu_s() - began_s
    verdict = str(found.comparison.verdict) if isinstance(found, timing.Duel) else str(found)[:200]
    looks = {look.strip("_"): round(spent_s, 2) for look, spent_s in spent.items()}
    return {"verdict": verdict, "duel_s": round(whole_s - sum(spent.values()), 2), **looks}


def _timed(look: str, function: Callable[..., object], spent: Counter[str]) -> Callable[..., object]:
    def called(*args: object, **more: object) -> object:
        began_s = cpu_s()
        try:
            return function(*args, **more)
        finally:
            spent[look] += cpu_s() - began_s

    return called


if __name__ == "__main__":
    raise SystemExit(main())
