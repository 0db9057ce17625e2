"""Predicted against measured order of the 15×15 convolution's tuning space on a Radeon PRO W7800 (gfx1100).

    python benchmarks/predict_convolution.py ../shared/measured-amd/convolution-W7800 OUT.jsonl [--half test] [--count 200] [--plain]
    python benchmarks/predict_convolution.py --score OUT.jsonl

Every configuration is compiled from the recorded source with today's clang, a few work-groups are executed on the CPU, and the
time is predicted; nothing in the model was fitted to these times. Configurations are split in two halves by the digest of their
name: the model was looked at with the half `dev` only, the half `test` is reported. The recorded times were taken with another
compiler; as in `hotloop predict`, loops are unrolled as far as ROCm 6.2 does it (hotloop.app.predict.unrolled), with `--plain`
as far as the clang here does. With `--library librocmllvm.so` of a package `rocm-llvm-python` that version of ROCm compiles. `--names FILE` predicts the configurations of another run, `--least 12` those with so many outputs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import older

from hotloop.app.code.offline import compile_offline
from hotloop.app.predict import unrolled
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import BASE, Blank, Memory
from hotloop.errors import HotloopError
from hotloop.predict.ask import ask, kernel
from hotloop.predict.card import card

CHIP, ENTRY = "W7800", "_Z18convolution_kernelPfS_S_"
_IMAGE, _BORDER, _FILTER = 4096, 14, 33 * 33
_CLOSE = 1.05
Row = dict[str, object]


def measured(folder: Path) -> dict[str, tuple[dict[str, int], float]]:
    """Return configuration and least time by name; `use_shmem` has no effect and is left out of names."""
    with gzip.open(folder / "times.json.gz", "rt") as file:
        data = json.load(file)
    times: dict[str, tuple[dict[str, int], float]] = {}
    for row in data["rows"]:
        config = {key: value for key, value in zip(data["keys"], row, strict=False) if key != "use_shmem"}
        name, ms = "_".join(map(str, config.values())), row[len(data["keys"])]
        if isinstance(ms, int | float):
            times[name] = config, min(ms, times.get(name, (config, ms))[1])
    return times


def outputs(config: Mapping[str, int]) -> int:
    """Return how many outputs a work-item has."""
    return config["tile_size_x"] * config["tile_size_y"]


def half(name: str) -> str:
    """Return the half that a configuration belongs to."""
    return "test" if hashlib.md5(name.encode()).digest()[0] % 2 else "dev"


def listing(
    folder: Path, config: Mapping[str, int], table: int, options: Sequence[str], library: Path | None
) -> tuple[str, tuple[str, ...]]:
    """Return the code with the address of the table of weights put in, a symbol that a loader would resolve, and doubts."""
    source = folder / "convolution.hip"
    if library is not None:
        return linked(of_library(library, source.read_text(), config), table), ()
    what = f"{source}:convolution_kernel"
    made = compile_offline(what, "gfx1100", parameters=config, options=tuple(options))
    if not isinstance(made, Compiled):
        raise TypeError(str(made)[:200])
    return linked(made.listing, table), unrolled.doubts(made.log, source.read_text())


def of_library(library: Path, text: str, config: Mapping[str, int]) -> str:
    """Return the code of an older ROCm, at -O3 as HIP compiles by default."""
    defined = "".join(f"#define {name} {value}\n" for name, value in config.items())
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "convolution.hip"
        kept.write_text(defined + text)
        return older.listing(library, kept, "gfx1100", 3)


def linked(code: str, table: int) -> str:
    """Put the address of the table of weights into code."""
    text = re.sub(r"s_getpc_b64 (s\[\d+:\d+\])", r"s_mov_b64 \1, 0", code)
    text = re.sub(r"d_filter@rel32@lo\+(\d+)", lambda m: hex(table + int(m[1]) - 4 & 0xFFFFFFFF), text)
    return re.sub(r"d_filter@rel32@hi\+\d+", hex(table >> 32), text)


def predicted(
    folder: Path, config: Mapping[str, int], options: Sequence[str] = unrolled.OPTIONS, library: Path | None = None
) -> Row:
    """Return the prediction of one configuration."""
    buffers = [Blank(4 * _IMAGE**2), Blank(4 * (_IMAGE + _BORDER) ** 2), Blank(4 * _FILTER)]
    memory = Memory(Memory.needed([b.nbytes for b in buffers]))
    table = [memory.place("", b.nbytes) for b in buffers][-1].address
    assert table > BASE
    x, y = (config[f"block_size_{axis}"] for axis in "xy")
    grid = tuple(-(-_IMAGE // (size * config[f"tile_size_{axis}"])) for size, axis in ((x, "x"), (y, "y")))
    begin = time.time()
    text, doubts = listing(folder, config, table, options, library)
    compiled = kernel(text, ENTRY)
    prediction = ask(compiled, Launch(arguments=buffers, grid=(*grid, 1), workgroup=(x, y, 1)), card(CHIP))
    return {
        "predicted": prediction.time_ns / 1e6, "low": prediction.low_ns / 1e6, "high": prediction.high_ns / 1e6, "bound": prediction.bound,
        "choice": [ns / 1e6 for ns in (prediction.choice_ns.low, prediction.choice_ns.high)],
        "terms": {term.name: term.ns / 1e6 for term in prediction.terms}, "waves": prediction.waves_per_simd, "doubts": (*prediction.doubts, *doubts),
        "s": time.time() - begin,
    }  # fmt: skip


def rho(one: Sequence[float], two: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    ranks = [{value: rank for rank, value in enumerate(sorted(values))} for values in (one, two)]
    return statistics.correlation([ranks[0][v] for v in one], [ranks[1][v] for v in two])


def score(rows: Sequence[Row]) -> None:
    """Print what the predicted order is worth."""
    scored = [(float(r["predicted"]), float(r["ms"]), r) for r in rows if "predicted" in r]  # type: ignore[arg-type]
    for what, chosen in (
        ("all", scored), ("trusted", [k for k in scored if not k[2]["doubts"]]), ("not trusted", [k for k in scored if k[2]["doubts"]]),
    ):  # fmt: skip
        if not chosen:
            continue
        factors = [max(p / m, m / p) for p, m, _ in chosen]
        inside = sum(float(r["low"]) <= m <= float(r["high"]) for _, m, r in chosen)  # type: ignore[arg-type]
        order = [m for _, m, _ in sorted(chosen, key=lambda k: k[0])]
        best = min(order)
        close = [n for n, m in enumerate(order, 1) if m <= _CLOSE * best]
        chance = (len(order) + 1) / (len(close) + 1)
        print(
            f"{what}: {len(chosen)} configurations, rho {rho([k[0] for k in chosen], [k[1] for k in chosen]):.3f}, "
            f"median factor {statistics.median(factors):.2f}, in the interval {inside / len(chosen):.0%}, "
            f"regret of the first 1/5/10 {order[0] / best:.3f}/{min(order[:5]) / best:.3f}/{min(order[:10]) / best:.3f}, "
            f"evaluations until within 5 %: {close[0]} predicted, {chance:.0f} random"
        )


def main() -> None:
    """Predict configurations in a random order, or score what was predicted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--score", type=Path)
    parser.add_argument("--half", choices=["dev", "test"], default="test")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--names", type=Path)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument(
        "--llvm", action="append", default=[], help="option of LLVM, e.g. -pragma-unroll-threshold=5000"
    )
    given = parser.parse_args()
    if given.score:
        score([json.loads(line) for line in given.score.read_text().splitlines()])
        return
    points = {name: row for name, row in sorted(measured(given.folder).items()) if half(name) == given.half}
    names = list(points)
    random.Random(1).shuffle(names)
    if given.names:
        names = [json.loads(line)["name"] for line in given.names.read_text().splitlines()]
    options = [word for option in given.llvm for word in ("-mllvm", option)] or (
        [] if given.plain else unrolled.OPTIONS
    )
    for name in [name for name in names if outputs(points[name][0]) >= given.least][: given.count]:
        config, ms = points[name]
        answer: Row = {"name": name, "ms": ms}
        try:
            answer |= predicted(given.folder, config, options, given.library)
        except (HotloopError, TypeError) as error:
            answer["error"] = f"{type(error).__name__}: {error}"
        with given.out.open("a") as file:
            file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
