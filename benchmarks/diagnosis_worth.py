"""What the diagnosis is worth: how soon the menu and a blind search reach 0.9 of the best result, from the same start.

    python benchmarks/diagnosis_worth.py [--only gemm,softmax] [--seeds 1,2] [--budget 60] [--limit 290] [--sources FOLDER] [--card] [--out results.json]

Each kernel is optimized twice per seed in the same way and the same time: by the menu of techniques with the search behind it, and
by the search alone, which is what `tune` does. Neither is told shipped configurations. Counted are candidates that were verified and
timed, and the wall time from the timed baseline on, the same for both; speedups are against the start. A speedup is reached when a
step that a duel confirmed is kept, on both sides, and never more than the run's last comparison confirmed: what a quick look of the
search promises counts as nothing. The best result is the largest speedup over the start that the runs of a kernel confirmed in their
last comparison; a kernel of which the start is within 0.9 does not count. A run that never reaches 0.9 counts with its whole time.

Kernels come in the order of their lists, the cheapest first. With ``--limit`` the seconds that are left are shared out: both runs of a
kernel get the same budget, at most ``--budget``. Runs that ``--out`` holds already are not made again.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from math import exp, log
from pathlib import Path
from typing import Any

import stand

from hotloop.app import userfile
from hotloop.app.bare import wish
from hotloop.app.events import Event, Searched, Took
from hotloop.app.run import climb
from hotloop.app.run.plan import Plan
from hotloop.app.session import Options
from hotloop.errors import HotloopError
from hotloop.model.step import Decision

REACHED = 0.9
COUNTED = "confirmed"
"""What the points of a kept run are: files from before counted quick looks, too."""
MODES = ("menu", "blind")
EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Entry:
    """One kernel of the benchmark, small enough that a run of a minute tries something."""

    name: str
    spec: str
    shape: str = ""
    sizes: str = ""
    """Of a bare source, which lies in the folder that the command names."""
    implementation: str = ""
    launches: str = ""
    """The launches of a bare source in their order, where its host has a loop."""


ENTRIES = (
    Entry("gemm", "gemm", "128x128x128"),
    Entry("gemm-256", "gemm", "256x256x256"),
    Entry("attention", "attention", "batch=1,heads=2,kv_heads=2,length_q=64,length_k=64,size=32"),
    Entry("conv3d", "conv3d_depthwise", "c=4,d=7,h=24,w=40"),
    Entry("softmax rows", "reduction", "rows=128,columns=1024"),
    Entry("rmsnorm", "reduction", "rows=128,columns=1024,operation=rmsnorm"),
    Entry("softmax", str(EXAMPLES / "softmax.py"), "rows=256,columns=512"),
    Entry("blur", str(EXAMPLES / "blur.py"), "width=512,height=256"),
    Entry("transpose", str(EXAMPLES / "transpose.py"), "rows=512,columns=512"),
    Entry("polybench gemm", "gemm.cl", sizes="ni=128,nj=128,nk=128"),
    Entry("polybench 2DConvolution", "2DConvolution.cl", sizes="ni=512,nj=512"),
    Entry("polybench atax", "atax.cl", sizes="nx=512,ny=512"),
    Entry("polybench mvt", "mvt.cl", sizes="n=512"),
)


CARD = (
    Entry("softmax rows", "reduction", "rows=4096,columns=4096", implementation="triton"),
    Entry("layernorm", str(EXAMPLES / "layernorm.py")),
    Entry("rmsnorm", "reduction", "rows=4096,columns=4096,operation=rmsnorm", implementation="cuda"),
    Entry("softmax", str(EXAMPLES / "softmax_triton.py")),
    Entry("transpose", str(EXAMPLES / "transpose_gluon.py")),
    Entry("matmul", str(EXAMPLES / "matmul_triton.py")),
    Entry("gemm", "gemm", "2048x2048x2048,dtype=float16", implementation="triton"),
    Entry(
        "attention",
        "attention",
        "batch=1,heads=8,kv_heads=8,length_q=1024,length_k=1024,dtype=float16",
        implementation="triton",
    ),
    Entry("conv3d", "conv3d_depthwise", "c=16,d=31,dtype=float16", implementation="triton"),
)
"""On an NVIDIA card."""
CARD_LIMIT_S = 290.0
"""For all runs there, unless the command says otherwise: a card is held for minutes."""
SHORTEST_S = 8.0
"""Budget below which a run would only start up: its kernel is left out, and named."""
STARTING_S = 3.0
"""What a run takes beyond its budget: it ends with the candidate in flight."""


@dataclass
class Curve:
    """Hears a run and keeps when which speedup was reached."""

    points: list[tuple[int, float, float]] = field(default_factory=list)
    """(candidates so far, seconds since the baseline, best speedup over the start): of kept steps, the product of their duels."""
    began_s: float = 0.0
    ended_s: float = 0.0
    candidates: int = 0
    menu: int = 0
    kept: int = 0
    """Moves of the menu, and those of them that were kept."""
    _speedup: float = 1.0
    _evaluated: int = 0

    def notify(self, event: Event) -> None:
        """Take note of steps and of looks of the search."""
        now_s = time.monotonic()
        if isinstance(event, Took):
            self._took(event, now_s)
        elif isinstance(event, Searched) and event.evaluated != self._evaluated:
            self.candidates += 1
            self._evaluated = event.evaluated
            self.ended_s = now_s

    def _took(self, event: Took, now_s: float) -> None:
        step = event.step
        if step.decision is Decision.BASELINE:
            self.began_s = self.ended_s = now_s
            return
        self.candidates += 1
        self._evaluated = 0
        kept = step.decision is Decision.KEEP
        if step.technique != "search":
            self.menu += 1
            self.kept += kept
        if kept and step.comparison is not None:
            self._speedup *= step.comparison.speedup
        self._reached(self._speedup, now_s)

    def _reached(self, speedup: float, now_s: float) -> None:
        self.ended_s = now_s
        if speedup > max((point[2] for point in self.points), default=1.0):
            self.points.append((self.candidates, round(now_s - self.began_s, 2), speedup))

    def until(self, speedup: float, final: float) -> tuple[int, float, bool]:
        """Return candidates and seconds until a speedup was reached, and whether it was; without it, all that was spent.

        No point counts for more than `final`, the speedup that the run's last comparison confirmed.
        """
        for candidates, seconds, reached in self.points:
            if min(reached, final) >= speedup:
                return candidates, seconds, True
        return self.candidates, round(self.ended_s - self.began_s, 2), False


@dataclass(frozen=True)
class Ran:
    """One run."""

    kernel: str
    mode: str
    seed: int
    final: float
    """Speedup over the start that the last comparison confirmed; 1 where it confirmed none."""
    stop: str
    curve: Curve
    budget_s: float = 0.0


def ran(entry: Entry, mode: str, seed: int, budget_s: float, sources: Path | None) -> Ran:
    """Run one kernel in one mode."""
    named = wish.wish((entry.sizes,), (), (), (), ()) if entry.sizes else None
    spec = str(sources / entry.spec) if entry.sizes and sources else entry.spec
    kernel = replace(userfile.find(spec, wish=named), presets=())
    diagnosed = mode == "menu"
    plan = Plan(
        budget_s=budget_s,
        implementation=entry.implementation,
        peers=False,
        techniques=diagnosed,
        strategies=("local",) if diagnosed else ("local", "surrogate"),
    )
    curve = Curve()
    with tempfile.TemporaryDirectory() as folder:
        options = Options(store=str(Path(folder) / "store.sqlite"), seed=seed, search=seed)
        request = climb.Request(
            kind="optimize" if diagnosed else "tune",
            kernel=kernel,
            spec=spec,
            problem=userfile.problem_of(kernel, entry.shape),
            plan=plan,
            options=options,
            fresh=True,
        )
        record = climb.run(request, curve)
    final = record.overall.speedup if record.overall else 1.0
    return Ran(entry.name, mode, seed, final, record.stop_reason, curve, budget_s)


def table(rows: Sequence[Ran]) -> list[str]:
    """Return a line for each kernel, means over its seeds, and the geometric means of the ratios."""
    lines = [
        "| kernel | best | menu: s | menu: candidates | menu: final | blind: s | blind: candidates | blind: final | menu moves kept |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    ratios: dict[str, list[float]] = {"seconds": [], "candidates": [], "final speedup (menu over blind)": []}
    for kernel in dict.fromkeys(row.kernel for row in rows):
        of = [row for row in rows if row.kernel == kernel]
        best = max(row.final for row in of)
        cells = {mode: _cells([row for row in of if row.mode == mode], best) for mode in MODES}
        if not all(cells.values()):
            continue
        if not all(row.curve.candidates for row in of) or REACHED * best <= 1.0:
            why = "too little was confirmed" if all(row.curve.candidates for row in of) else "no time for a candidate"
            lines.append(f"| {kernel} | {best:.2f} ×, {why}: does not count |" + " – |" * 7)
            continue
        (menu_s, menu_n), (blind_s, blind_n) = (cells[mode][0] for mode in MODES)
        ratios["seconds"].append(max(blind_s, 0.1) / max(menu_s, 0.1))
        ratios["candidates"].append(max(blind_n, 1) / max(menu_n, 1))
        finals = [_mean([row.final for row in of if row.mode == mode]) for mode in MODES]
        ratios["final speedup (menu over blind)"].append(finals[0] / finals[1])
        moves = [row.curve for row in of if row.mode == "menu"]
        kept = f"{sum(move.kept for move in moves)} of {sum(move.menu for move in moves)}"
        lines.append(f"| {kernel} | {best:.2f} × | {cells['menu'][1]} | {cells['blind'][1]} | {kept} |")
    for what, ratio in ratios.items():
        over = "" if "over" in what else ": blind over menu"
        lines.append(f"\n{what}{over}, geometric mean over {len(ratio)} kernels: {_mean(ratio):.2f}")
    return lines


def _mean(values: Sequence[float]) -> float:
    """Return the geometric mean, 1 of nothing."""
    return exp(sum(map(log, values)) / len(values)) if values else 1.0


def _cells(rows: Sequence[Ran], best: float) -> tuple[tuple[float, float], str] | None:
    if not rows:
        return None
    reached = [row.curve.until(REACHED * best, row.final) for row in rows]
    seconds, candidates = (sum(point[index] for point in reached) / len(reached) for index in (1, 0))
    never = sum(not point[2] for point in reached)
    mark = f" ({never} of {len(rows)} never)" if never else ""
    final = sum(row.final for row in rows) / len(rows)
    return (seconds, candidates), f"{seconds:.1f}{mark} | {candidates:.1f} | {final:.2f} ×"


def main() -> int:
    """Run what the command line names, print the table, keep every run."""
    parser = stand.parser(__doc__)
    parser.add_argument("--only", default="", help="names of kernels, by commas")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument(
        "--sources", type=Path, help="folder with PolyBench's OpenCL sources; without it these are left out"
    )
    parser.add_argument("--card", action="store_true", help="kernels for an NVIDIA card instead of a CPU's")
    parser.add_argument("--out", type=Path)
    parser.add_argument(
        "--limit", type=float, help=f"seconds for all runs (default: {CARD_LIMIT_S:g} with --card, else none)"
    )
    asked = parser.parse_args()
    chosen = [
        e
        for e in (CARD if asked.card else ENTRIES)
        if (not asked.only or e.name in asked.only.split(",")) and (asked.sources or not e.sizes)
    ]
    rows = before(asked.out)
    done = {(row.kernel, row.mode, row.seed) for row in rows}
    modes, seeds = asked.modes.split(","), [int(seed) for seed in asked.seeds.split(",")]
    left = [(seed, entry) for seed in seeds for entry in chosen]
    left = [(seed, entry) for seed, entry in left if any((entry.name, mode, seed) not in done for mode in modes)]
    limit_s = asked.limit or (CARD_LIMIT_S if asked.card else 0.0)
    until_s = time.monotonic() + limit_s
    kept = stand.conditions(budget_s=asked.budget, limit_s=limit_s)
    for at, (seed, entry) in enumerate(left):
        begun = next((row.budget_s for row in rows if (row.kernel, row.seed) == (entry.name, seed)), 0.0)
        budget_s = begun or asked.budget
        if limit_s and not begun:
            budget_s = min(budget_s, (until_s - time.monotonic()) / ((len(left) - at) * len(modes)) - STARTING_S)
        if budget_s < SHORTEST_S or (limit_s and time.monotonic() >= until_s):
            print(f"{entry.name} {seed}: left out, no time; the same command goes on", file=sys.stderr, flush=True)
            continue
        for mode in modes:
            if (entry.name, mode, seed) in done:
                continue
            tried(entry, mode, seed, budget_s, asked.sources, rows)
            stand.keep(asked.out, {**kept, "points": COUNTED, "runs": [_plain(row) for row in rows]})
    print("\n".join(table(rows)))
    return 0


def tried(entry: Entry, mode: str, seed: int, budget_s: float, sources: Path | None, rows: list[Ran]) -> None:
    """Add a run to the rows and tell of it; one that cannot be made is told and left out."""
    try:
        last = ran(entry, mode, seed, budget_s, sources)
    except HotloopError as error:
        print(f"{entry.name} {mode} {seed}: {error}", file=sys.stderr, flush=True)
        return
    rows.append(last)
    curve = last.curve
    line = f"{last.final:.2f} ×, {curve.candidates} candidates, {curve.kept} of {curve.menu} moves kept"
    print(f"{entry.name} {mode} {seed}: {line}, {budget_s:.0f} s", file=sys.stderr, flush=True)


def before(path: Path | None) -> list[Ran]:
    """Return the runs that a file holds already."""
    if path is None or not path.is_file():
        return []
    kept = json.loads(path.read_text())
    if kept.get("points") != COUNTED:
        raise SystemExit(
            f"{path}: its points count looks that no comparison confirmed; name another file, or delete it"
        )
    runs = kept["runs"]
    return [Ran(**{**run, "curve": Curve(**run["curve"])}) for run in runs]


def _plain(row: Ran) -> dict[str, Any]:
    return asdict(row)


if __name__ == "__main__":
    sys.exit(main())
