"""Evaluations until within 5 % of the best, with another device's times: by the strategy that reads them, and by the local one.

    python benchmarks/warm_phases.py SPACES OUT.jsonl

SPACES holds recordings in Kernel Tuner's format. The start is the best of the other device, as `tune` has it from the store; it counts.
"""

import json
import sys
from pathlib import Path
from statistics import fmean, geometric_mean

from search_replay import read

from hotloop.model.space import Config
from hotloop.search.strategy import named

PAIRS = (
    ("hubold-convolution-RTX_Titan", "hubold-convolution-RTX_2080_Ti"),
    ("hubold-convolution-RTX_2080_Ti", "hubold-convolution-RTX_3060_laptop"),
    ("hub-conv-A4000", "hub-conv-A6000"),
    ("hub-conv-A6000", "hub-conv-A4000"),
    ("hubold-pnpoly-RTX_3060_laptop", "hubold-pnpoly-RTX_Titan"),
    ("hubold-pnpoly-RTX_Titan", "hubold-pnpoly-RTX_3060_laptop"),
)
RUNS, CAP = 10, 200

ratios = []
for here, there in PAIRS:
    mine, other = (read(Path(sys.argv[1]) / f"{name}.json.gz") for name in (here, there))
    names = [p.name for p in mine.parameters]
    table = {Config(dict(zip(names, key, strict=True))): ns for key, ns in other.times_ns.items()}
    start = min((c for c, ns in table.items() if ns is not None), key=table.__getitem__)
    tried = {}
    for strategy in ("surrogate", "local"):
        tried[strategy] = []
        for seed in range(RUNS):
            search = named(strategy)(mine.space(), seed, start=[start], elsewhere=[table])
            count = 0
            while count < CAP and (config := search.ask()) is not None:
                count += 1
                ns = mine.times_ns[tuple(config[name] for name in names)]
                search.tell(config, ns)
                if ns is not None and ns <= 1.05 * mine.best_ns:
                    break
            tried[strategy].append(count)
            if count < 2:
                break
    means = {name: fmean(counts) for name, counts in tried.items()}
    ratios.append(means["surrogate"] / means["local"])
    print(here, "by", there, means, flush=True)
    with Path(sys.argv[2]).open("a") as file:
        file.write(json.dumps({"here": here, "there": there, "tried": tried}) + "\n")
print("geometric mean of surrogate over local:", geometric_mean(ratios), "worst", max(ratios))
