"""What the machine code of a rung says about trying it: the outcome table of a reported pipelining guide, as corrected.

The guide reverts when registers cost waves. Here whole resident work-groups count, because local memory often allows fewer
waves than the registers anyway (143 registers, 3 instead of 4 waves, change nothing where LDS allows 2). Nothing here claims
that a rung pays: that needs a measurement.
"""

from __future__ import annotations

from hotloop.model.ladder import Limits, Numerics, Rung
from hotloop.report.ladder.view import Built, Claimed, Decision

COMPUTE_BOUND = 0.85
"""Matrix utilization from which the guide skips both stages."""
_FIGURES = ("registers", "waves per SIMD", "bytes of LDS", "spilled registers")
_LESS = 0.98
"""Ratio below which an exposure or estimate counts as smaller: the model cannot resolve two percent."""


def decide(
    built: Built | None,
    below: Built | None,
    *,
    numerics: Numerics | None = None,
    failure: str = "",
    same_code: str = "",
    launch: bool = False,
) -> tuple[Decision, str]:
    """Return what to do with a rung that stands on another one, and why, in one sentence.

    Args:
        built: what the compiler made of it; None: nothing, see `failure`.
        below: the rung that it stands on; None: it is the first.
        numerics: what its execution found; None: not executed.
        failure: why it did not compile.
        same_code: a rung with the same instructions.
        launch: True when the rung changes the problem's arguments.
    """
    if built is None:
        return Decision.REFUSE, failure
    if numerics is not None and not numerics.passed:
        return Decision.REFUSE, f"wrong result when executed: error {numerics.worst_ratio:.3g} times its bound"
    if built.hazards:
        return Decision.REFUSE, f"a wait is missing: {built.hazards[0]}"
    if failed := next((gate for gate in built.gates if not gate.passed), None):
        return Decision.REFUSE, f"{failed.name}: {failed.words}"
    if built.spills:
        return Decision.REVERT, f"{built.spills} registers are spilled to memory"
    if below is None:
        return _first(built)
    if same_code:
        what = "only the arguments of the launch differ" if launch else "the compiler had done it already"
        return (Decision.MEASURE if launch else Decision.REVERT), f"the same machine code as {same_code}: {what}"
    return _step(built, below)


def _first(built: Built) -> tuple[Decision, str]:
    share = built.matrix_share
    if share is not None and share >= COMPUTE_BOUND:
        return Decision.SKIP, f"compute-bound: the matrix unit works {share:.0%} of the time, skip both stages"
    if share is None:
        return Decision.START, "where the ladder begins"
    return Decision.START, f"the matrix unit works about {share:.0%} of the time: pipelining has something to hide"


def _step(built: Built, below: Built) -> tuple[Decision, str]:
    lost, room = built.resident_lanes < _LESS * below.resident_lanes, _room(built, below)
    if lost and _slower(built, below):
        return Decision.REVERT, f"occupancy loss: {room}; even at best the time per {built.work} rises"
    if not built.matrix:
        return _vector(built, below, room, lost=lost)
    if built.work != below.work:
        return Decision.MEASURE, f"{built.work} instead of {below.work or 'no multiply-add'}; {room}"
    before, after = below.exposed, built.exposed
    if before is None or after is None:
        return Decision.MEASURE, room
    before, unit = before * built.macs_per_work / below.macs_per_work, built.work
    if built.macs_per_work != below.macs_per_work:
        unit = f"{built.work} of {built.macs_per_work:g} multiply-adds"
    if after > before and _untangled(built, below):
        fewer = (
            f"bank conflicts fall from {below.conflict_cycles} to {built.conflict_cycles} cycles per round of accesses"
        )
        return Decision.MEASURE, f"{fewer}, exposed cycles per {unit} rise from {before:.3g} to {after:.3g}; {room}"
    if after > before:
        return Decision.REVERT, f"hides less: {after:.3g} exposed cycles per {unit}, before {before:.3g}"
    if after > _LESS * before:
        return Decision.MEASURE, f"exposed cycles per {unit} stay at {after:.3g}; {room}"
    falls = f"exposed cycles per {unit} fall from {before:.3g} to {after:.3g}"
    if _slower(built, below) and built.instructions * below.works > below.instructions * built.works:
        more = f"{built.instructions / built.works:.3g} instructions for each, before {below.instructions / below.works:.3g}"
        return Decision.REVERT, f"{falls}, but {more}: even at best the time per {unit} rises"
    if lost and not _faster(built, below):
        return Decision.MEASURE, f"{falls}, at the price of occupancy: {room}; the bounds of the estimate overlap"
    return Decision.PROCEED, f"{falls}; {room}"


def _vector(built: Built, below: Built, room: str, *, lost: bool) -> tuple[Decision, str]:
    """Return what follows for a kernel without matrix instructions: waits hardly move, conflicts and registers do."""
    before, after = below.conflict_cycles, built.conflict_cycles
    if after == before:
        return Decision.MEASURE, room
    moved = f"bank conflicts {'fall' if after < before else 'rise'} from {before} to {after} cycles per round of accesses; {room}"
    return (Decision.PROCEED if after < before and not lost else Decision.MEASURE), moved


def _untangled(built: Built, below: Built) -> bool:
    """Tell whether at least half of the bank conflicts are gone."""
    return below.conflict_cycles > 0 and 2 * built.conflict_cycles <= below.conflict_cycles


def _slower(built: Built, below: Built) -> bool:
    here, there = built.estimate, below.estimate
    return here is not None and there is not None and _LESS * here.low > there.low * _more(built, below)


def _faster(built: Built, below: Built) -> bool:
    here, there = built.estimate, below.estimate
    return here is not None and there is not None and here.low < _LESS * there.low * _more(built, below)


def _more(built: Built, below: Built) -> float:
    """Return the multiply-adds per unit of work in the new build over those in the old one."""
    return built.macs_per_work / below.macs_per_work


def _room(built: Built, below: Built) -> str:
    """Say what happened to registers and occupancy, and whether it matters."""
    here, there = (f"{b.resident_waves:g} waves of {b.wave}" for b in (built, below))
    if here != there:
        return f"{here} per SIMD instead of {there}"
    mine, theirs = dict(built.limits).get("vgprs", 0), dict(below.limits).get("vgprs", 0)
    if mine == theirs:
        return f"{here} per SIMD as before"
    limit = "LDS" if dict(built.limits).get("lds", mine + 1) <= mine else "another limit"
    return f"registers allow {mine} instead of {theirs} waves, but {limit} leaves {here} per SIMD either way"


def violations(built: Built | None, limits: Limits) -> tuple[str, ...]:
    """Return the limits that a rung breaks, each as a sentence; what is not known breaks its limit."""
    if built is None:
        return ("it does not compile",)
    rows = (
        ("vector registers", built.total_vgprs, limits.max_vgpr, False),
        ("spilled registers", built.spills, limits.max_spills, False),
        ("bytes of scratch memory per work-item", built.scratch_bytes, limits.max_scratch_bytes, False),
        ("bytes of LDS", built.lds_bytes, limits.max_lds_bytes, False),
        ("waves per SIMD", built.waves, limits.min_waves, True),
        (f"exposed cycles per {built.work or 'unit'}", built.exposed, limits.max_exposed_cycles, False),
    )
    broken = []
    for figure, value, bound, least in rows:
        if bound is None:
            continue
        if value is None:
            broken.append(f"{figure}: not known, the limit is {bound:g}")
        elif value < bound if least else value > bound:
            broken.append(f"{value:.4g} {figure}, the limit is {'at least' if least else 'at most'} {bound:g}")
    return tuple(broken)


def compare(rung: Rung, target: str, built: Built | None) -> tuple[Claimed, ...]:
    """Return the reported figures of a rung on a target, each beside the value from this compiler."""
    claims = rung.claims
    if claims is None or claims.target not in ("", target):
        return ()
    here = (None,) * 4 if built is None else (built.total_vgprs, built.waves, built.lds_bytes, built.spills)
    rows = zip(_FIGURES, (claims.vgprs, claims.waves, claims.lds_bytes, claims.spills), here, strict=True)
    return tuple(Claimed(figure, claim, value, claims.source) for figure, claim, value in rows if claim is not None)
