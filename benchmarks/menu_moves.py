"""Which moves of the menu fresh runs try, what was said of them beforehand, and what came of them.

    python benchmarks/menu_moves.py [--part development|kept] [--only gemm,blur] [--budget 40] [--seed 1] [--sources FOLDER] [--every] [--out moves.jsonl]

Optimizes each kernel once, without shipped configurations and with an empty store, so that only what hotloop ships and what the run
itself learns decide. One line of JSON a run: each move of the menu with its mechanism's interval, the promised one, the chance that it
had, verdict and speedup; the final comparison; the load. Finalists of the search stand apart. With ``--every`` moves are tried however
unlikely, which shows what those that are left to the search would have brought.

    python benchmarks/menu_moves.py --table moves.jsonl [...]

prints kept moves and intervals that held of recorded runs, by kernel and together.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import stand
from diagnosis_worth import EXAMPLES, Entry

from hotloop.app import userfile
from hotloop.app.bare import wish
from hotloop.app.run import climb
from hotloop.app.run.moves import choice
from hotloop.app.run.plan import Plan
from hotloop.app.session import Options
from hotloop.errors import HotloopError
from hotloop.model.step import Decision, Step
from hotloop.report.view import RunRecord
from hotloop.techniques.calibration import SEARCH, Calibration, Record
from hotloop.techniques.menu import MARGIN

EVERY_SHARE = 0.95
"""Part of the budget that the menu gets where all moves are tried."""
SHIPPED = ("known-best", "baseline", SEARCH)

DEVELOPMENT = (
    Entry("gemm-128", "gemm", "128x128x128"),
    Entry("gemm-256", "gemm", "256x256x256"),
    Entry("attention", "attention", "batch=1,heads=2,kv_heads=2,length_q=64,length_k=64,size=32"),
    Entry("conv3d", "conv3d_depthwise", "c=4,d=7,h=24,w=40"),
    Entry("softmax rows", "reduction", "rows=128,columns=1024"),
    Entry("rmsnorm", "reduction", "rows=128,columns=1024,operation=rmsnorm"),
    Entry("polybench gemm", "gemm.cl", sizes="ni=128,nj=128,nk=128"),
    Entry("polybench 2DConvolution", "2DConvolution.cl", sizes="ni=512,nj=512"),
    Entry("polybench atax", "atax.cl", sizes="nx=512,ny=512"),
    Entry("polybench mvt", "mvt.cl", sizes="n=512"),
    Entry(
        "polybench 3DConvolution",
        "3DConvolution.cl",
        sizes="ni=48,nj=48,nk=48",
        launches="i=0:ni(Convolution3D_kernel)",
    ),
)
"""Kernels that rules and numbers may be made from."""
KEPT = (
    Entry("softmax", str(EXAMPLES / "softmax.py"), "rows=256,columns=512"),
    Entry("blur", str(EXAMPLES / "blur.py"), "width=512,height=256"),
    Entry("transpose", str(EXAMPLES / "transpose.py"), "rows=512,columns=512"),
    Entry("softmax as shipped", str(EXAMPLES / "softmax.py")),
    Entry("blur as shipped", str(EXAMPLES / "blur.py")),
    Entry("polybench gesummv", "gesummv.cl", sizes="n=512"),
    Entry("polybench syrk", "syrk.cl", sizes="ni=128,nj=128"),
    Entry(
        "polybench doitgen",
        "doitgen.cl",
        sizes="nr=32,nq=32,np=32",
        launches="r=0:nr(doitgen_kernel1 doitgen_kernel2)",
    ),
    Entry("polybench gemver", "gemver.cl", sizes="n=512"),
    Entry("polybench covariance", "covariance.cl", sizes="m=128,n=128"),
)
"""Kernels that are only looked at to judge."""
SECOND = (
    Entry("transpose as shipped", str(EXAMPLES / "transpose.py")),
    Entry("polybench syr2k", "syr2k.cl", sizes="ni=128,nj=128"),
    Entry("polybench 2mm", "2mm.cl", sizes="ni=128,nj=128,nk=128,nl=128"),
    Entry("polybench 3mm", "3mm.cl", sizes="ni=128,nj=128,nk=128,nl=128,nm=128"),
    Entry("polybench correlation", "correlation.cl", sizes="m=128,n=128"),
    Entry(
        "polybench jacobi2D", "jacobi2D.cl", sizes="n=256", launches="t=0:10(runJacobi2D_kernel1 runJacobi2D_kernel2)"
    ),
    Entry("polybench bicg", "bicg.cl", sizes="nx=1024,ny=512"),
    Entry("layer norm rows", "reduction", "rows=512,columns=768,operation=layernorm"),
    Entry("wide convolution", "conv3d_depthwise", "c=2,d=5,h=48,w=80"),
    Entry("thin product", "gemm", "512x64x256"),
)
"""A second draw, made after the first one had been looked at."""
MAIN = (Entry("main job", "gemm", "1024x1024x1024"),)
PARTS = {"development": DEVELOPMENT, "kept": KEPT, "second": SECOND, "main": MAIN}


def ran(entry: Entry, seed: int, budget_s: float, sources: Path | None, *, every: bool) -> dict[str, Any]:
    """Optimize one kernel and return what became of the menu's moves."""
    named = wish.wish((entry.sizes,), entry.launches) if entry.sizes else None
    spec = str(sources / entry.spec) if entry.sizes and sources else entry.spec
    kernel = replace(userfile.find(spec, wish=named), presets=())
    load, plan = os.getloadavg()[0], Plan(budget_s=budget_s, peers=False)
    with tempfile.TemporaryDirectory() as folder, _however_unlikely() if every else nullcontext():
        request = climb.Request(
            kind="optimize",
            kernel=kernel,
            spec=spec,
            problem=userfile.problem_of(kernel, entry.shape),
            plan=replace(plan, menu_share=EVERY_SHARE) if every else plan,
            options=Options(store=str(Path(folder) / "store.sqlite"), seed=seed, search=seed),
            fresh=True,
        )
        record = climb.run(request)
    overall = record.overall
    final = overall.speedup if overall and overall.verdict.value == "FASTER" else 1.0
    return {
        "kernel": entry.name,
        "seed": seed,
        "budget_s": budget_s,
        "every": every,
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "final": final,
        "stop": record.stop_reason,
        "findings": [(f.rule, round(f.share, 3)) for f in record.findings],
        "moves": list(_moves(record)),
        "search": [_move(step, 0.0) for step in record.steps if step.technique == SEARCH],
    }


@contextmanager
def _however_unlikely() -> Iterator[None]:
    """Let the menu try moves whatever their chance is, also those that their machine code speaks against."""
    with patch.object(choice, "WORTH", 0.0), patch.object(choice.Choice.moves, "__defaults__", (0.0,)):
        yield


def _moves(record: RunRecord) -> Iterator[dict[str, Any]]:
    own: list[Record] = []
    target = record.device.target
    for step in record.steps:
        if step.technique in SHIPPED or step.predicted is None:
            continue
        learned = Calibration(tuple(own))
        chance = learned.chance(step.technique, target, step.predicted, MARGIN)
        yield _move(step, chance)
        if step.comparison is not None:
            own.append(Record(step.technique, target, step.predicted, step.comparison.speedup))


def _move(step: Step, chance: float) -> dict[str, Any]:
    duel = step.comparison
    promised = step.promised or step.predicted
    return {
        "technique": step.technique,
        "rule": step.rule,
        "change": step.change,
        "why": step.why,
        "mechanism": [step.predicted.low, step.predicted.high] if step.predicted else None,
        "promised": [promised.low, promised.high] if promised else None,
        "chance": round(chance, 3),
        "decision": step.decision.value,
        "kept": step.decision is Decision.KEEP,
        "verdict": duel.verdict.value if duel else "REFUSED",
        "speedup": [duel.speedup, duel.low, duel.high] if duel else None,
        "reason": step.reason,
        "elapsed_s": round(step.elapsed_s, 2),
    }


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line for each kernel and one for all."""
    lines = [
        "| kernel | menu moves | kept | lost to a refusal | unclear | timed | promised intervals that held | final |"
    ]
    lines.append("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in dict.fromkeys(row["kernel"] for row in rows):
        of = [row for row in rows if row["kernel"] == name]
        finals = ", ".join(f"{row['final']:.2f}" for row in of)
        lines.append(f"| {name} | {_cells([move for row in of for move in row['moves']])} | {finals} |")
    every = [move for row in rows for move in row["moves"]]
    return [*lines, f"| **all {len(rows)} runs** | {_cells(every)} | |"]


def _cells(moves: Sequence[dict[str, Any]]) -> str:
    timed = [move for move in moves if move["speedup"]]
    held = sum(move["promised"][0] <= move["speedup"][0] <= move["promised"][1] for move in timed)
    verdicts = [move["verdict"] for move in moves]
    kept = sum(move["kept"] for move in moves)
    return f"{len(moves)} | {kept} | {verdicts.count('REFUSED')} | {verdicts.count('UNCLEAR')} | {len(timed)} | {held}"


def main() -> int:
    """Run what the command line names and keep each run as it ends, or print what files hold."""
    parser = stand.parser(__doc__)
    parser.add_argument("--part", choices=tuple(PARTS), default="development")
    parser.add_argument("--only", default="", help="names of kernels, by commas")
    parser.add_argument("--budget", type=float, default=40.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sources", type=Path, help="folder with PolyBench's OpenCL sources")
    parser.add_argument("--every", action="store_true", help="try moves however unlikely they are")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path, nargs="+", help="print what these files hold")
    asked = parser.parse_args()
    if asked.table:
        rows = [json.loads(line) for path in asked.table for line in path.read_text().splitlines()]
        print("\n".join(table(rows)))
        return 0
    for entry in PARTS[asked.part]:
        if (asked.only and entry.name not in asked.only.split(",")) or (entry.sizes and not asked.sources):
            continue
        try:
            row = ran(entry, asked.seed, asked.budget, asked.sources, every=asked.every)
        except HotloopError as error:
            print(f"{entry.name}: {error}", file=sys.stderr, flush=True)
            continue
        print("\n".join(table([row])[2:3]), file=sys.stderr, flush=True)
        if asked.out:
            with asked.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
