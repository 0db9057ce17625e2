"""Fit the estimate of the clustered kernel's time (`hotloop.kernels.gemm.hopper_cluster.likely`) to surveys, and tell how right it is elsewhere.

    PYTHONPATH=src python benchmarks/gpu/learn_clusters.py SURVEY.jsonl.gz [...] [--out src/hotloop/kernels/gemm/hopper_cluster/learned.json]

Surveys are written by ``survey.py --only hopper-cluster``. Products are cut into folds by a hash of their sizes; those of each are foreseen
by what the others tell, so what this prints is of products that had no part in the fit. Needs SciPy (``pip install 'hotloop[bench]'``).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from hashlib import sha256
from math import exp, log
from pathlib import Path
from statistics import median

import numpy as np
from learn import ROBUST, read

from hotloop.kernels.gemm.expected import Work
from hotloop.kernels.gemm.hopper_cluster.likely import parts
from hotloop.kernels.gemm.learned import _named
from hotloop.kernels.gemm.surveyed import CLUSTER

FOLDS = 4


def timings(rows: list[dict]) -> list[tuple[tuple[int, int, int, bool], list[float], float]]:
    """Return product, parts and µs of each timing of the kernel."""
    made = []
    for row in rows:
        product = row["m"], row["n"], row["k"], row["fused"]
        for name, us in row["us"].items():
            if name.startswith(f"{CLUSTER} "):
                made.append((product, parts(_named(name)[1], Work(*product[:3]), fused=product[3]), us))
    return made


def fitted(given: list[tuple[tuple[int, int, int, bool], list[float], float]]) -> np.ndarray:
    """Return the weights, none negative, that foresee times best by the share that they are off; timings that fit badly count less."""
    from scipy.optimize import nnls  # so that --help, which says that it is needed, needs no SciPy

    shares = np.array([np.array(one) / us for _, one, us in given])
    counts = np.ones(len(given))
    for _ in range(ROBUST + 1):
        weights, _ = nnls(shares * counts[:, None], counts)
        counts = 1 / np.maximum(np.abs(shares @ weights - 1), 0.05)
        counts /= counts.max()
    return weights


def told(given: list[tuple[tuple[int, int, int, bool], list[float], float]]) -> None:
    """Print how far off foreseen times are, and how much slower the configurations are that are foreseen to be fastest."""
    folds = [int(sha256(repr(product[:3]).encode()).hexdigest(), 16) % FOLDS for product, _, _ in given]
    seen: dict[tuple, list[tuple[float, float]]] = defaultdict(list)
    for fold in range(FOLDS):
        weights = fitted([one for one, mine in zip(given, folds, strict=True) if mine != fold])
        for (product, one, us), mine in zip(given, folds, strict=True):
            if mine == fold:
                seen[product].append((float(weights @ np.array(one)), us))
    off = [abs(log(foreseen / us)) for pairs in seen.values() for foreseen, us in pairs]
    print(f"{len(off)} timings of {len(seen)} products: half less than {exp(median(off)) - 1:.1%} away")
    for count in (1, 2, 3):
        lost = [min(us for _, us in sorted(pairs)[:count]) / min(us for _, us in pairs) for pairs in seen.values()]
        print(f"the best of {count} foreseen takes {exp(sum(map(log, lost)) / len(lost)) - 1:.1%} longer than the best")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surveys", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    given = timings(read(asked.surveys))
    told(given)
    if asked.out:
        weights = [float(f"{weight:.5g}") for weight in fitted(given)]
        asked.out.write_text(json.dumps({"weights": weights}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
