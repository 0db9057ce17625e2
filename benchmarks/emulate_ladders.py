"""Execute every rung of the AMD ladders on a small problem and compare with the float64 reference.

    python benchmarks/emulate_ladders.py gfx942 gfx950 gfx1012 gfx1100 --out results/emulate/ladders.json

Writes a row for each rung: what was executed, the largest error over its bound, findings, seconds. A rung that another
extra compiles (FlyDSL) is left out with its reason where that is not installed.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import rungs

from hotloop.app.emulate import judged, rung
from hotloop.app.emulate.execute import Adversary, Orders
from hotloop.errors import HotloopError
from hotloop.verify.cases import cases


def row(family: str, target: str, name: str, *, orders: Orders) -> dict[str, object]:
    began = time.perf_counter()
    told: dict[str, object] = {"family": family, "target": target, "rung": name}
    try:
        kernel, pose = rung.of(family, name, target)
        answer = judged.run(kernel, cases(kernel, kernel.problem, "quick", 1)[0], pose, Adversary(orders=orders))
    except (HotloopError, ValueError) as error:
        return {**told, "status": "not executed", "reason": str(error)}
    assert answer.result is not None
    return {
        **told,
        "status": "right" if answer.result.passed else "wrong",
        "reason": answer.result.reason,
        "findings": [f"{t.finding.trouble}: line {t.finding.line}: {t.finding.text}" for t in answer.findings],
        "notes": list(answer.notes),
        "error_ratio": answer.result.worst_ratio,
        "problem": answer.result.problem,
        "wave_instructions": answer.executed,
        "execution_s": round(answer.duration_s, 3),
        "total_s": round(time.perf_counter() - began, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--rung", action="append", default=[])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--once", action="store_true")
    chosen = parser.parse_args()
    rows: list[dict[str, object]] = []
    for target, family, name in rungs.named(chosen.targets, chosen.family, chosen.rung):
        rows.append(row(family, target, name, orders=Orders.ONCE if chosen.once else Orders.OPPOSITE))
        last = rows[-1]
        print(family, target, name, last["status"], last.get("findings") or "", last["reason"], flush=True)
        if chosen.out:
            chosen.out.parent.mkdir(parents=True, exist_ok=True)
            chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    executed = [r for r in rows if r["status"] != "not executed"]
    right = [r for r in executed if r["status"] == "right" and not r["findings"]]
    print(f"{len(right)} of {len(rows)} right and clean, {len(rows) - len(executed)} not executed")


if __name__ == "__main__":
    main()
