"""Fit what dispatch foresees of products (`hotloop.kernels.gemm.learned`) to surveys of a device, and tell how right it is elsewhere.

    PYTHONPATH=src python benchmarks/gpu/learn.py SURVEY.jsonl.gz [...] [--out src/hotloop/kernels/gemm/learned.json] [--folds 5]

Surveys are written by `survey.py`. Shapes are cut into folds at random; those of each are foreseen by what the others tell, so the table
that this prints is of products that had no part in the fit. Needs SciPy (``pip install 'hotloop[bench]'``), for sums without negative
weights.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from math import log
from pathlib import Path
from random import Random
from statistics import geometric_mean

import numpy as np

from hotloop.dispatch.select import GLANCED
from hotloop.kernels.gemm import learned
from hotloop.kernels.gemm.expected import Work
from hotloop.kernels.gemm.learned import PEER

LEAST = 40
"""Measurements of a configuration that are enough to learn of it."""
NOISE = {True: 0.3, False: 0.1}
"""Variance of a measurement beside that of what is learned: PyTorch's choices jump from one shape to the next."""
ROBUST = 3
"""Rounds in which products that fit badly count less."""


def read(paths: list[Path]) -> list[dict]:
    """Return the products of surveys; what a later one timed at the same product counts by its ratio to PyTorch's time there."""
    rows = [json.loads(line) for path in paths for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    met: dict[tuple, dict] = {}
    for row in rows:
        if "us" not in row:
            continue
        first = met.setdefault(pair(row), row)
        scale = first["us"][PEER] / row["us"][PEER]
        first["us"] = {name: us * scale for name, us in row["us"].items()} | first["us"]
    return list(met.values())


def pair(row: dict) -> tuple[Work, bool]:
    return Work(row["m"], row["n"], row["k"]), row["fused"]


def weights(name: str, given: list[tuple[tuple[Work, bool], float]]) -> np.ndarray:
    """Return the weights of parts that foresee times best, by the share that they are off."""
    from scipy.optimize import nnls  # so that --help, which says that it is needed, needs no SciPy

    parts = np.array([np.array(learned.parts(name, work, fused=fused)) / us for (work, fused), us in given])
    counts = np.ones(len(given))
    for _ in range(ROBUST + 1):
        found, _ = nnls(parts * counts[:, None], counts)
        counts = 1 / np.maximum(np.abs(parts @ found - 1), 0.05)
        counts /= counts.max()
    return found


def fitted(rows: list[dict], names: set[str]) -> dict[str, dict]:
    """Return what is learned of each configuration."""
    made = {}
    for name in sorted(names | {PEER}):
        given = [(pair(row), row["us"][name], number) for number, row in enumerate(rows) if name in row["us"]]
        found = weights(name, [(one, us) for one, us, _ in given])
        off = np.array([log(us / learned.base_us(found, name, work, fused=fused)) for (work, fused), us, _ in given])
        places = learned.places(name, [one for one, _, _ in given])
        spread = learned.alike(places, places, name) + NOISE[name == PEER] * np.eye(len(given))
        made[name] = {
            "weights": found,
            "pulls": np.linalg.solve(spread, off),
            "places": places,
            "rows": [n for *_, n in given],
        }
    return made


def chosen(rows: list[dict]) -> set[str]:
    """Return the configurations that were measured often enough and were somewhere the fastest kernel."""
    often = Counter(name for row in rows for name in row["us"] if name != PEER)
    best = {min((us, name) for name, us in row["us"].items() if name != PEER)[1] for row in rows}
    return {name for name in best if often[name] >= LEAST}


def told(rows: list[dict], names: set[str], folds: int) -> None:
    """Print how fast dispatch would be at products that are foreseen by others."""
    shapes = sorted({(row["m"], row["n"], row["k"]) for row in rows})
    Random(5).shuffle(shapes)
    fold = {shape: number % folds for number, shape in enumerate(shapes)}
    ratios: dict[bool, list[float]] = {False: [], True: []}
    glanced: dict[bool, list[float]] = {False: [], True: []}
    for number in range(folds):
        inside = [row for row in rows if fold[row["m"], row["n"], row["k"]] != number]
        known = {
            name: learned.Learned(one["weights"], one["places"], one["pulls"])
            for name, one in fitted(inside, names).items()
        }
        learned.measured = lambda known=known: known
        for row in rows:
            if fold[row["m"], row["n"], row["k"]] == number and not row.get("partial"):
                work, fused = pair(row)
                likely = [
                    (f"{kind} {config}", gain) for kind, config, gain in learned.fastest(row["us"], work, fused=fused)
                ]
                here = next((name for name, gain in likely[:1] if learned.sure(gain, fused=fused)), PEER)
                ratios[fused].append(row["us"][PEER] / row["us"][here])
                glanced[fused].append(
                    row["us"][PEER] / min(row["us"][name] for name in (PEER, *dict(likely[: GLANCED + fused])))
                )
    for fused, all_of in ratios.items():
        mean, kernels = geometric_mean(all_of), sum(ratio != 1 for ratio in all_of)
        slow = sum(ratio < 0.97 for ratio in all_of)
        kind = "with bias and GELU" if fused else "plain"
        print(
            f"{kind}: {len(all_of)} products, {kernels} by kernels, mean {mean:.4f}, least {min(all_of):.3f}, {slow} below 0.97; "
            f"with a glance at the {GLANCED + fused} likeliest {geometric_mean(glanced[fused]):.4f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surveys", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    asked = parser.parse_args()
    rows = read(asked.surveys)
    names = chosen(rows)
    print(f"{len(rows)} products, {len(names)} configurations")
    if asked.folds:
        told(rows, names, asked.folds)
    if asked.out:
        shapes = list(dict.fromkeys((row["m"], row["n"], row["k"]) for row in rows))
        where = {shape: number for number, shape in enumerate(shapes)}
        numbers = [2 * where[row["m"], row["n"], row["k"]] + row["fused"] for row in rows]
        made = {
            name: {
                "weights": [float(f"{x:.5g}") for x in one["weights"]],
                "rows": [numbers[row] for row in one["rows"]],
                "pulls": [float(f"{x:.4g}") for x in one["pulls"]],
            }
            for name, one in fitted(rows, names).items()
        }
        asked.out.write_text(
            json.dumps({"shapes": shapes, "learned": made}, separators=(",", ":")) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
