"""Predicted times of a ladder's rungs on a card that is not here, on the ladder's own problem.

    python benchmarks/predict_ladders.py attention gfx942 OUT.jsonl [RUNG ...]

Every rung is compiled, a few of its work-groups are executed on the CPU, and the time is predicted; the reported figures stand
beside it where the ladder has any.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from hotloop.app.emulate import rung as rungs
from hotloop.app.ladder import data
from hotloop.app.predict.answer import of_task
from hotloop.app.predict.quiet import Quiet
from hotloop.errors import HotloopError
from hotloop.predict.card import card


def main(family: str, target: str, out: Path, names: list[str]) -> None:
    """Predict every rung, or those named, and append a line for each."""
    ladder = data.ladder_for(data.family_of(family), target)
    drawn: dict[str, object] = {}
    for rung in ladder.rungs:
        if (names and rung.name not in names) or not rung.exists_on(target):
            continue
        begin, row = time.time(), {"family": family, "target": target, "rung": rung.name}
        try:
            kernel, pose = rungs.of(family, rung.name, target, whole=True)
            key = kernel.problem.key
            if key not in drawn:
                drawn = {key: kernel.inputs(kernel.problem, Quiet(1))}
            prediction = of_task(pose(kernel.problem, drawn[key], 0), card(target))
            row |= {"problem": kernel.problem.key, "chip": prediction.chip, "predicted_us": prediction.time_ns / 1e3, "low_us": prediction.low_ns / 1e3,
                    "high_us": prediction.high_ns / 1e3, "bound": prediction.bound, "doubts": prediction.doubts,
                    "terms": {t.name: t.ns / 1e3 for t in prediction.launches[0].terms}}  # fmt: skip
        except (HotloopError, MemoryError) as error:
            row["left_out"] = f"{type(error).__name__}: {error}"
        row["seconds"] = round(time.time() - begin, 1)
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
