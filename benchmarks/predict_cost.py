"""What a prediction costs: processor time of a configuration, this process's and its compilers', over spaces that can be built here.

    python benchmarks/predict_cost.py ../shared/measured-amd/convolution-W7800 --half dev --count 24 --out ROWS.jsonl
    python benchmarks/predict_cost.py gemm@gfx1100 conv3d_depthwise@gfx942 --count 8

A folder is the recorded convolution (`predict_convolution.py`), of which configurations are drawn from a half; a family with a target is predicted
for its default problem at its start and at drawn configurations. One after the other in this process, nothing is looked up. The last line says how many
configurations two cores reach in 60 s if nothing else runs.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import predict_convolution

from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.predict.bench import bench
from hotloop.errors import HotloopError
from hotloop.search.sampler import sampler_of

SEED, BUDGET_S, CORES = 34, 60.0, 2
Row = dict[str, Any]


def spent_s() -> tuple[float, float]:
    """Return the processor time of this process and that of the processes that it waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def convolution(folder: Path, half: str, count: int) -> Iterator[tuple[str, Callable[[], Row]]]:
    """Yield drawn configurations of a half and what predicts them."""
    points = {
        k: row for k, row in sorted(predict_convolution.measured(folder).items()) if predict_convolution.half(k) == half
    }
    names = list(points)
    random.Random(SEED).shuffle(names)
    for name in names[:count]:
        config, ms = points[name]
        yield name, lambda config=config, ms=ms: {"ms": ms, **predict_convolution.predicted(folder, config)}  # type: ignore[misc]


def family(text: str, count: int) -> Iterator[tuple[str, Callable[[], Row]]]:
    """Yield the start and drawn configurations of a family and what predicts them."""
    name, _, target = text.partition("@")
    spec = specs.parse(name)
    made = bench(spec.kernel, spec.chosen, userfile.timed(spec.kernel, ""), target)
    sampler = sampler_of(spec.chosen.space)
    drawn = sampler.draw(np.random.default_rng(SEED), count - 1).tolist()
    for config in (spec.chosen.start, *(sampler.grid.decode(tuple(row)) for row in drawn)):
        yield str(config), lambda config=config: _answer(made.candidate(config))  # type: ignore[misc]


def _answer(ranked: Any) -> Row:
    foreseen = ranked.prediction
    return {"predicted": foreseen.time_ns / 1e6} if foreseen else {"error": ranked.why_not}


def main() -> None:
    """Predict, and print what it cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spaces", nargs="+")
    parser.add_argument("--half", choices=["dev", "test"], default="dev")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    for space in given.spaces:
        some = convolution(Path(space), given.half, given.count) if Path(space).is_dir() else family(space, given.count)
        own, others = [], []
        for name, predict in some:
            begin, row = spent_s(), {"space": Path(space).name, "name": name}
            try:
                row |= predict()
            except HotloopError as error:
                row["error"] = str(error)
            end = spent_s()
            row |= {"own_s": round(end[0] - begin[0], 3), "compilers_s": round(end[1] - begin[1], 3)}
            own.append(row["own_s"])
            others.append(row["compilers_s"])
            if given.out:
                with given.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        each = fmean(own) + fmean(others)
        print(
            f"{space}: {len(own)} configurations, own {fmean(own):.2f} s (median {median(own):.2f}), compilers {fmean(others):.2f} s; "
            f"{CORES} cores reach {CORES * BUDGET_S / each:.0f} in {BUDGET_S:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
