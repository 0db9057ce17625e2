"""Predicted against measured order of spaces that locality decides (benchmarks/reuse), measured on an NVIDIA H200 by benchmarks/gpu/locality.py.

    python benchmarks/predict_locality.py MEASURED.jsonl OUT.jsonl [--only dispersion,product]
    python benchmarks/predict_locality.py --score OUT.jsonl

There is no AMD card and no recorded space of this kind. What decides these kernels is which bytes pass which cache, and that
follows from their addresses, which are the same on any GPU: code is compiled for waves of 32 lanes (gfx1100), its groups are executed, and the model is
given the caches, rates and latencies of the H200, from NVIDIA's papers. Instruction costs stay those of gfx1100, so absolute times say little; orders count.
Families were split before any was predicted: `seven`, `turn` and `rows` to look at, `dispersion` and `product` to report.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from predict_convolution import rho
from predict_opinion import recorded
from reuse.spaces import FAMILIES, SOURCE, Family

from hotloop.app.code.offline import compile_offline
from hotloop.app.predict import unrolled
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import HotloopError
from hotloop.isa.occupancy import ask as occupancy
from hotloop.isa.occupancy.result import Occupancy
from hotloop.predict.ask import Kernel, kernel
from hotloop.predict.card import Card, card
from hotloop.predict.model import predict
from hotloop.predict.opinion import silence
from hotloop.predict.private import private, resident
from hotloop.predict.reuse import Residency, flow
from hotloop.predict.sample import sample
from hotloop.predict.work import work
from hotloop.targets.span import Span
from hotloop.targets.target import Target

CLOSE, SECTOR = 1.05, 32
WRITES, GIB = 3495 / 4529, 1 << 30
"""Rate of writes to the second-level cache over that of reads; measured, MT4G (caps-tum/mt4g, sample_results, NVIDIA H100 80GB HBM3)."""
REGISTERS = 65_536
"""Of an SM; CUDA C++ programming guide, technical specifications."""
APART = ("-mllvm", "-amdgpu-load-store-vectorizer=0", "-mllvm", "-opt-disable=si-load-store-opt")
"""Neighbouring accesses of unknown alignment are merged for AMD, whose GPUs may read them so, in two passes, and never for NVIDIA."""
DEV = ("seven", "turn", "rows")
Row = dict[str, Any]


class Hopper(Target):
    """The instruction set of gfx1100, with what an H100's second-level cache takes of writes."""

    def span(self, name: str) -> Span | None:
        """Return a range."""
        return Span(WRITES, WRITES) if name == "write_share" else super().span(name)


def hopper() -> Card:
    """Return an H200: data sheet (SMs, clocks, memory), rate of L2 (A100 white paper) and what MT4G measured on an H100 with as many SMs and the same caches.

    From MT4G are the same figures as of AMD's cards: latencies from the median to the 95th percentile of single loads, the share of the data
    sheet's rate of device memory that reads and writes reach, and how much slower L2 takes writes than reads.
    """
    base = card("W7800")
    return replace(
        base, name="H200", target=Hopper(base.target.name), units=132, unit_simds=4, simds=4, dies=1, clock=Span(1.755e9, 1.98e9), arrays=0,
        array_bytes=0, l1_bytes=238_848, l2_bytes=52_428_800, mall_bytes=0, line_bytes=SECTOR, l2_bytes_per_s=5120 * 1.755e9,
        memory_bytes_per_s=Span(2561 * GIB / 3.35e12 * 4.8e12, 2806 * GIB / 3.35e12 * 4.8e12), latency_l1=Span(38, 38), latency_l2=Span(222, 231),
        latency_memory=Span(864, 1126),
    )  # fmt: skip


def resident_blocks(one: Kernel, launch: Launch) -> Occupancy:
    """Return how many blocks an SM of the H200 holds: at most 32, and as many as its registers are enough for.

    Registers are those of the code for gfx1100, whose SIMDs have three times as many. A block that does not fit with them is taken to have been
    compiled with fewer, as it was measured.
    """
    x, y, z = launch.workgroup
    used = one.function.resources
    assert used is not None
    registers = min(used.vgprs or used.total_vgprs or 0, REGISTERS // (x * y * z) // 8 * 8)
    return occupancy.ask(occupancy.Question(target="sm_90", vgprs=registers, workgroup=x * y * z)).occupancy


def predicted(family: Family, config: dict[str, int], device: Card) -> Row:
    """Return the prediction of one configuration."""
    posed = family.launch(config)
    assert posed is not None
    options = (*unrolled.OPTIONS, *APART)
    made = compile_offline(str(SOURCE), "gfx1100", parameters=family.macros(config), options=options)
    if not isinstance(made, Compiled):
        raise TypeError(str(made)[:200])
    compiled = kernel(made.listing, family.name)
    arguments = [Blank(value) if isinstance(value, int) else value for value in posed.buffers]
    launch = Launch(arguments=arguments, grid=posed.grid, workgroup=posed.group)
    room = resident_blocks(compiled, launch)
    place = Residency(grid=posed.grid, unit_groups=max(1, room.groups))
    taken = sample(compiled.program, launch, min(place.groups, place.unit_groups * device.units))
    lines, sectors = (flow(taken, device, place, line) for line in (int(device.fact("l1_line_bytes")), SECTOR))
    moved = replace(
        sectors, wave_lines=lines.wave_lines, load_lines=lines.load_lines
    )  # a look-up is a line's, what moves are sectors
    waves = max(1, room.groups * taken.group_waves // device.unit_simds)
    kept = private(
        compiled.function,
        taken.counts,
        device,
        place.groups * taken.group_waves,
        resident(place, taken.group_waves, device),
        moved.running_bytes,
    )
    prediction = predict(work(compiled.function, taken, moved, kept, device, place, waves), moved, kept, device)
    return {
        "predicted": prediction.time_ns / 1e6, "low": prediction.low_ns / 1e6, "high": prediction.high_ns / 1e6, "bound": prediction.bound,
        "terms": {term.name: term.ns / 1e6 for term in prediction.terms}, "waves": prediction.waves_per_simd, "doubts": prediction.doubts,
        "l1_hit": prediction.l1_hit, "l2_hit": prediction.l2_hit, "l2_bytes": prediction.l2_bytes, "moved_bytes": prediction.moved_bytes,
    }  # fmt: skip


def score(rows: list[Row]) -> None:
    """Print what each family's predicted order is worth."""
    for name in FAMILIES:
        scored = [row for row in rows if row["family"] == name and "predicted" in row]
        if len(scored) < 3:
            continue
        order = [row["ms"] for row in sorted(scored, key=lambda row: row["predicted"])]
        best = min(order)
        close = [n for n, ms in enumerate(order, 1) if ms <= CLOSE * best]
        chance = (len(order) + 1) / (len(close) + 1)
        predictions = [recorded(row) for row in scored]
        print(
            f"{name} ({'looked at' if name in DEV else 'unseen'}): {len(scored)} configurations, {sum(not r['doubts'] for r in scored)} trusted, "
            f"rho {rho([r['predicted'] for r in scored], [r['ms'] for r in scored]):.3f}, slowest over fastest {max(order) / best:.1f}, "
            f"regret of the first 1/5/10 {order[0] / best:.3f}/{min(order[:5]) / best:.3f}/{min(order[:10]) / best:.3f}, "
            f"until within 5 %: {close[0]}, by chance {chance:.1f} (ratio {close[0] / chance:.2f}); {silence(predictions) or 'an opinion'}"
        )


def main() -> None:
    """Predict what was measured, families in turn, or score what was predicted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path, nargs="?")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--only", default=",".join(FAMILIES))
    parser.add_argument("--score", type=Path)
    given = parser.parse_args()
    if given.score:
        score([json.loads(line) for line in given.score.read_text().splitlines()])
        return
    wanted = given.only.split(",")
    rows = [
        row
        for line in given.measured.read_text().splitlines()
        if "ms" in (row := json.loads(line)) and row["family"] in wanted
    ]
    configs = {(f.name, f.label(c)): c for f in FAMILIES.values() for c in f.configs(1 << 20)}
    device = hopper()
    for row in rows:
        begin, answer = time.time(), dict(row)
        try:
            answer |= predicted(FAMILIES[row["family"]], configs[row["family"], row["config"]], device)
        except (HotloopError, TypeError) as error:
            answer["error"] = f"{type(error).__name__}: {error}"[:300]
        answer["s"] = round(time.time() - begin, 1)
        with given.out.open("a") as file:
            file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
