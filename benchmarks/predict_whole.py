"""Where the first configuration within 5 % stands in the predicted order of the whole recorded convolution, and what is known of those that are not predicted yet.

    python benchmarks/predict_whole.py ../shared/measured-amd/convolution-W7800 ROWS.jsonl [--part 0 --parts 2] [--limit-s 600]
    python benchmarks/predict_whole.py ../shared/measured-amd/convolution-W7800 --score ROWS.jsonl [MORE.jsonl ...]

Configurations that are one program are predicted once: reading through the read-only cache is an ordinary load in HIP, and padding has an effect only where the source adds columns. What stands in
ROWS is not predicted again, so that a run that was stopped goes on. No prediction can be below what the parameters alone say (`least_ms`); programs whose least time lies above the first good one's prediction come behind it, whatever is
predicted of them, and come last here. Of the others those measured fastest are predicted first: they decide, and no prediction sees a measured time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import sqrt
from pathlib import Path
from typing import Any

from predict_convolution import CHIP, half, measured, predicted

from hotloop.errors import HotloopError
from hotloop.predict.card import card

IMAGE, BORDER, FILTER, LANES, BANKS, CLOSE = 4096, 14, 15, 32, 32, 1.05
LEAST_MS = 0.75
"""Programs whose least time is above this come last; the first good one is predicted below it."""
Program = tuple[int, ...]
Points = dict[str, tuple[dict[str, int], float]]


def program(config: Mapping[str, int]) -> Program:
    """Return what of a configuration reaches the compiler: sizes of blocks and tiles, and columns of padding."""
    x, tile = config["block_size_x"], config["tile_size_x"]
    width = x * tile + BORDER
    padded = config["use_padding"] == 1 and x % BANKS and (width - x) % BANKS
    columns = (BANKS - (width - x)) % BANKS if padded else 0
    return x, config["block_size_y"], tile, config["tile_size_y"], columns


def programs(points: Points) -> dict[Program, list[str]]:
    """Return the names of the configurations that are each program."""
    made = defaultdict[Program, list[str]](list)
    for name, (config, _) in sorted(points.items()):
        made[program(config)].append(name)
    return made


def least_ms(one: Program) -> float:
    """Return a time that no prediction of a program can be below: every weight multiplied, every element that a work-item needs read once, both images moved.

    All multiplications are issued in pairs, local memory has no conflicts, a tenth of what is moved is kept from call to call, and nothing else takes time.
    """
    device = card(CHIP)
    x, y, tile_x, tile_y, _ = one
    groups = -(-IMAGE // (x * tile_x)) * -(-IMAGE // (y * tile_y))
    waves = -(-groups // device.units) * -(-x * y // LANES) / device.unit_simds
    rows, columns = (
        len({n * size + k for n in range(tile) for k in range(FILTER)}) for size, tile in ((y, tile_y), (x, tile_x))
    )
    local, vector = rows * columns * device.simds, FILTER**2 * tile_x * tile_y / 2
    moved = 0.9 * 4 * (IMAGE**2 + (IMAGE + BORDER) ** 2) / device.memory_bytes_per_s.middle
    terms = (waves * local / device.clock_hz, waves * vector / device.clock_hz, moved)
    return sqrt(sum(term**2 for term in terms)) * 1e3 + device.launch_ns.middle * 1e-6


def ordered(points: Points) -> list[Program]:
    """Return the programs in the order in which they are predicted."""
    known = programs(points)
    return sorted(known, key=lambda one: (least_ms(one) > LEAST_MS, min(points[name][1] for name in known[one])))


def read(files: list[Path]) -> Iterator[dict[str, Any]]:
    """Yield the rows that are there."""
    for path in files:
        if path.exists():
            yield from map(json.loads, path.read_text().splitlines())


def rank(order: list[tuple[float, float]], good_ms: float) -> tuple[float, float]:
    """Return where the first good one of (predicted, measured) stands, equal predictions in any order, and its prediction."""
    limit = min(time for time, ms in order if ms <= good_ms)
    equal = [ms <= good_ms for time, ms in order if time == limit]
    return sum(time < limit for time, _ in order) + (len(equal) + 1) / (sum(equal) + 1), limit


def score(points: Points, rows: list[dict[str, Any]]) -> None:
    """Print ranks of both halves and of all, with what is known of the others."""
    foreseen = {name: row["predicted"] for row in rows if "predicted" in row for name in row["names"]}
    for part in ("dev", "test", "all"):
        some = {name: ms for name, (_, ms) in points.items() if part in ("all", half(name))}
        good = CLOSE * min(some.values())
        close = sum(ms <= good for ms in some.values())
        place, limit = rank([(foreseen[name], ms) for name, ms in some.items() if name in foreseen], good)
        missing = {name: least_ms(program(points[name][0])) for name in some if name not in foreseen}
        open_ = [name for name, least in missing.items() if least < limit]
        chance = (len(some) + 1) / (close + 1)
        print(
            f"{part}: {len(some)} configurations, {close} within 5 %; predicted {len(some) - len(missing)}, behind by their parameters alone "
            f"{len(missing) - len(open_)}, open {len(open_)} (measured at {min((some[n] for n in open_), default=0):.2f} ms and more); rank {place:.1f} "
            f"(predicted {limit:.3f} ms), by chance {chance:.1f}: {chance / place:.1f} times fewer, if all open ones came before {chance / (place + len(open_)):.1f}"
        )


def main() -> None:
    """Predict what is missing, or score what is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--score", type=Path, nargs="+")
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--limit-s", type=float, default=600.0)
    given = parser.parse_args()
    points = measured(given.folder)
    if given.score:
        score(points, list(read(given.score)))
        return
    begin, known = time.monotonic(), programs(points)
    done = {name for row in read([given.out]) for name in row["names"]}
    for one in ordered(points)[given.part :: given.parts]:
        names = known[one]
        if done.issuperset(names):
            continue
        if time.monotonic() - begin > given.limit_s:
            break
        answer: dict[str, Any] = {"names": names, "ms": [points[name][1] for name in names]}
        try:
            answer |= predicted(given.folder, points[names[0]][0])
        except (HotloopError, TypeError) as error:
            answer["error"] = f"{type(error).__name__}: {error}"
        with given.out.open("a") as file:
            file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
