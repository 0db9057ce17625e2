"""How far what a first call sees of a kernel is from what comes of it: every contender captured anew several times, in short and in long graphs.

    FRESH_SEED=N PYTHONPATH=src python benchmarks/gpu/glances.py OUT.jsonl [--count 60] [--limit-s 90]

A line a call that nobody chose (rows of softmax, products with few rows): ns of PyTorch's function and of each kernel that a first call
compares, by capture: `brief` as the first call makes them, `long` as measurements do. Between captures the memory of results moves.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import partial
from pathlib import Path

import shapes
import torch
from cases import Case, products, scored
from layers import formed

from hotloop.dispatch import glance, pace
from hotloop.dispatch.select import PEER

CAPTURES, LONG_CAPTURES, REPLAYS = 8, 4, 5


class Recorded:
    """A pace that keeps what several captures of each contender take."""

    def __init__(self):
        self.kept = []

    def timed(self, run, *, long=False):
        """Return the first capture's samples, as the first call would have them; its second, longer look is not recorded."""
        if long:
            return pace.Brief().timed(run, long=True)
        brief = [pace.Brief().timed(run) for _ in range(CAPTURES)]
        long = [pace.Replays().timed(run) for _ in range(LONG_CAPTURES)]
        self.kept.append({"brief": brief, "long": long})
        return brief[0]

    def told(self):
        """Return ns by contender, kind of graph, capture and replay; contenders take turns."""
        times = [{kind: [[] for _ in graphs] for kind, graphs in each.items()} for each in self.kept]
        for _ in range(REPLAYS):
            for capture in range(CAPTURES):
                for graphs, told in zip(self.kept, times, strict=True):
                    for kind, captured in graphs.items():
                        if capture < len(captured):
                            told[kind][capture].append(round(captured[capture](), 1))
        return times


def drawn(seed, count):
    """Yield calls that take microseconds."""
    for shape in shapes.drawn_rows(seed, count // 2):
        if shape[0] * shape[1] < 2**25:
            yield Case("glances", "softmax", {"shape": shape}, partial(scored, shape))
    rows = [(min(m, 256), n, k) for m, n, k in shapes.drawn(seed + 1, count - count // 2)]
    yield from products("glances", [(*row, "nt", number % 2 == 1) for number, row in enumerate(rows)])


def looked(case):
    """Return a row of what was seen of a call."""
    (operator, call), *_ = formed(case)
    with torch.no_grad():
        described = operator.described(call, gradient=False)
        choice = operator.chosen(described, call[0])
        told = {"name": case.name, **case.told}
        if not choice.unsure:
            return {**told, "sure": choice.source}
        clock = Recorded()
        settled = glance.fastest(operator, call, choice, clock)
        return {
            **told,
            "runs": f"{settled.choice.implementation} {settled.choice.config}",
            "why": settled.choice.source,
            "peer": PEER,
            "times_ns": clock.told(),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--limit-s", type=float, default=90.0)
    asked = parser.parse_args()
    ends = time.monotonic() + asked.limit_s
    with asked.out.open("a", encoding="utf-8") as sink:
        for case in drawn(int(os.environ["FRESH_SEED"]), asked.count):
            if time.monotonic() > ends:
                break
            sink.write(json.dumps(looked(case)) + "\n")
            sink.flush()


if __name__ == "__main__":
    main()
