"""How many evaluations predicted orders save over whole spaces: a recorded kernel on a card is one space.

    python benchmarks/predict_spaces.py ROWS.jsonl [MORE.jsonl ...]

Reads rows of `predict_locality.py` and `predict_convolution.py`; rows without a family are the convolution's. For each space: evaluations
until within 5 % of its best by chance (the expectation of a random order), in the predicted order, and on average in those in which searches on a card began until the sixteenth run (`predict_search.py` replays searches). A
perfect order needs one. The last line is the geometric mean over the spaces of how many times fewer than by chance that is.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from predict_convolution import rho
from predict_opinion import CLOSE, begun, perfect, ratio

Row = dict[str, Any]


def gathered(files: list[Path]) -> dict[str, list[Row]]:
    """Return the rows of each space that have a prediction."""
    rows = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    made = defaultdict[str, list[Row]](list)
    for row in rows:
        if "predicted" in row and row["ms"]:
            made[row.get("family", "convolution")].append(row)
    return made


def late(rows: list[Row]) -> bool:
    """Tell whether a predicted order is more than 10 % worse than chance."""
    return ratio(rows) > 1.1


def main() -> None:
    """Print a line for each space, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    saved: list[tuple[float, float, float]] = []
    for name, rows in sorted(gathered(parser.parse_args().files).items()):
        best = min(row["ms"] for row in rows)
        close = sum(row["ms"] <= CLOSE * best for row in rows)
        chance = (len(rows) + 1) / (close + 1)
        order, begins = ratio(rows), begun(rows)
        saved.append((1 / order, 1 / begins, 1 / perfect(rows)))
        print(
            f"{name}: {len(rows)} configurations, {close} within 5 %, rho {rho([r['predicted'] for r in rows], [r['ms'] for r in rows]):.3f}; "
            f"by chance {chance:.1f}, predicted {order * chance:.0f}, as searches began {begins * chance:.1f}; "
            f"times fewer {1 / order:.1f}, {1 / begins:.1f}{', worse than chance' if late(rows) else ''}"
        )
    print(
        "geometric mean, times fewer: predicted {:.2f}, as searches began {:.2f}, a perfect order {:.2f}".format(
            *(geometric_mean(column) for column in zip(*saved, strict=True))
        )
    )


if __name__ == "__main__":
    main()
