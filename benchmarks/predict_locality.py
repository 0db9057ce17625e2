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
from hotloop.predict.ask import _room, _waves, kernel
from hotloop.predict.card import Card, card
from hotloop.predict.model import predict
from hotloop.predict.opinion import silence
from hotloop.predict.private import private, resident
from hotloop.predict.reuse import Residency, flow
from hotloop.predict.sample import sample
from hotloop.predict.work import work
from hotloop.targets.span import Span

CLOSE, SECTOR = 1.05, 32
APART = ("-mllvm", "-amdgpu-load-store-vectorizer=0")
"""Neighbouring loads of unknown alignment are merged for AMD, whose GPUs may read them so, and never for NVIDIA."""
DEV = ("seven", "turn", "rows")
Row = dict[str, Any]


def hopper() -> Card:
    """Return an H200 (data sheet and H100 white paper: SMs, caches, clocks, memory; latencies as in timing.toml; rate of L2: A100 white paper)."""
    base = card("W7800")
    share = base.target.span("memory_share") or Span(0.7, 0.92)
    return replace(
        base, name="H200", units=132, unit_simds=4, simds=4, dies=1, clock=Span(1.755e9, 1.98e9), arrays=0, array_bytes=0,
        l1_bytes=253_952, l2_bytes=52_428_800, mall_bytes=0, line_bytes=SECTOR, l2_bytes_per_s=5120 * 1.755e9,
        memory_bytes_per_s=Span(share.low * 4.8e12, share.high * 4.8e12), latency_l1=Span(30, 41), latency_l2=Span(200, 263),
        latency_memory=Span(479, 700),
    )  # fmt: skip


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
    room = _room(compiled, launch)
    place = Residency(grid=posed.grid, unit_groups=max(1, room.groups))
    taken = sample(compiled.program, launch, min(place.groups, place.unit_groups * device.units))
    lines, sectors = (flow(taken, device, place, line) for line in (int(device.fact("l1_line_bytes")), SECTOR))
    moved = replace(
        sectors, wave_lines=lines.wave_lines, load_lines=lines.load_lines
    )  # a look-up is a line's, what moves are sectors
    waves = _waves(room, taken.group_waves, device)
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
