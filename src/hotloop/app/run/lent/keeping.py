"""Variables of a program that outlive its calls: what is kept there may be a result, or a table that is right for all inputs.

No clock can tell such a table from speed: once made, it serves content that was never met, too. So a program that keeps more
than its incumbent does is not called better than it; what a call needs beyond its arguments belongs into local memory or a
scratch area, which are spoiled before what counts is timed. What one group leaves in local memory for the next one of the same call
is met by timing programs whose groups overwrite it first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import exp, log
from typing import TYPE_CHECKING

from hotloop.app.run.lent import joined, parting
from hotloop.app.run.lent.inlined import inlined
from hotloop.model.outcome import Artifact
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import Timed, TimeRequest
from hotloop.units import size
from hotloop.verify.remnants.among import among
from hotloop.verify.remnants.cleared import cleared, doubled
from hotloop.verify.remnants.doubts import doubt, renamed
from hotloop.verify.remnants.wrapped import Where, telling, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program
    from hotloop.ports import Round

_LEAD, _LARGE, _LOST = 0.05, 0.2, 0.5
"""From which lead (ln) on groups that overwrite their local memory are timed, from which on a least time is exact enough, and which part
of the lead must then be lost to doubt it."""
_SMALL_LOST, _SURE_QUANTILE = 0.25, 0.25
"""Of a small lead: which part must be lost where private memory is overwritten (for one item in sixteen only), and the quantile of the rounds
that must say so, here and of local memory: what others do on the machine moves a time by more than such a lead, but not most of them one way."""
_ROUNDS, _MANY_ROUNDS, _SAMPLE_NS = 8, 16, 2e6
_WHERE: tuple[Where, ...] = ("nowhere", "elsewhere", "here")
_NOISE, _SMALL_NOISE = 0.2, 0.06
"""Part of the time of a call that overwrites as much elsewhere, or writes what is there already, by which it must be longer to say anything; of a lead that is not large each round is judged."""
_KEPT_TABLE_BYTES = 16
"""Variables that outlive a call which are too few for a table: with more, an incumbent's as many are no excuse, for nobody can tell what lies there."""
_TABLE_BYTES = 512
"""Private memory beyond the incumbent's that may hold a table: of neighbouring items that are computed together each has its own."""
_LOST_LOCAL = (
    "with local memory overwritten at the start of each group the lead is lost: groups may use what others left there"
)
_LOST_PRIVATE = "with private memory overwritten before it is used the lead is lost: it may be read before it is set, and hold what other work-items left"
_UNSEEN = (
    "the candidate has more private memory than the incumbent, and its kernels are not written so that anybody can tell what work-items leave "
    "there for others; write __kernel void NAME(...) and declarations of private variables without macros"
)
_OPEN = (
    "the candidate's text leaves open which private memory it has ('{}'), so that nobody can tell what work-items leave there for others; "
    "declare private variables without that"
)
_TELLING = "the candidate's text asks for '{}', by which a kernel can tell that it is looked at whether work-items leave anything for others; leave that out"
_RENAMED = (
    "the candidate's text gives a word of the language another meaning ('{}'), so that what is added to it to see what work-items leave there for "
    "others means something else, too; use another name"
)
_HIDDEN = (
    "the candidate has local memory that its text does not declare in plain sight, so that nobody can tell what groups leave there for "
    "others; write __local before each array"
)


def doubted(desk: Desk, workload: Workload, programs: tuple[Program, Program], comparison: Comparison) -> Comparison:
    """Return a comparison, UNCLEAR where the winner keeps more than the incumbent, or a table, between calls, or anything between groups."""
    if comparison.verdict is not Verdict.FASTER:
        return comparison
    incumbent, candidate = (_kept_bytes(desk, program) for program in programs)
    if candidate <= incumbent and candidate < _KEPT_TABLE_BYTES:
        return _lent(desk, workload, programs, comparison)
    reason = (
        f"the candidate has {size(candidate)} of variables that outlive a call, where results may be kept; "
        "use local memory or a scratch area"
    )
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason)


def _kept_bytes(desk: Desk, program: Program) -> int:
    built = desk.engine.build(program)
    return built.kept_bytes if isinstance(built, Artifact) else 0


def _lent(desk: Desk, workload: Workload, programs: tuple[Program, Program], comparison: Comparison) -> Comparison:
    """Return a comparison, UNCLEAR where the lead is lost when groups overwrite local, or private, memory before they use it."""
    if desk.device.kind != "cpu" or log(comparison.speedup) < _LEAD:
        return comparison
    reason = _lent_reason(desk, workload, (programs[0], inlined(programs[1])), comparison)
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason) if reason else comparison


def _lent_reason(desk: Desk, workload: Workload, programs: tuple[Program, Program], comparison: Comparison) -> str:
    """Return why groups may use what others of the call left somewhere; empty where no look says so."""
    candidate = programs[1]
    hidden_bytes = _hidden_bytes(desk, candidate)
    if hidden_bytes and hidden_bytes > _hidden_bytes(desk, programs[0]):
        return _HIDDEN
    if _sure(lambda: _lost_local(desk, workload, candidate, comparison)):
        return _LOST_LOCAL
    if parting.unseen(desk, workload, programs) and workload.kernel.varied:
        return parting.UNSEEN
    if parting.waits(workload, programs) and workload.kernel.varied:
        return parting.WAITING
    looked = parting.looks(workload, candidate)
    if any(_sure(partial(_lost_results, desk, workload, programs, part, comparison)) for part in looked):
        return parting.REASON
    needed_bytes = _private_bytes(desk, candidate)
    if reason := _private_reason(desk, workload, programs, needed_bytes, comparison):
        return reason
    if _sure(lambda: _lost_joined(desk, workload, candidate, needed_bytes, comparison)):
        return joined.REASON
    return ""


def _private_reason(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], needed_bytes: int, comparison: Comparison
) -> str:
    """Return the same of private memory."""
    candidate = programs[1]
    if (words := telling(candidate)) and workload.kernel.varied:
        return _TELLING.format(words)
    if (words := renamed(candidate.source, candidate.options)) and workload.kernel.varied:
        return _RENAMED.format(words)
    called = [program for where in _WHERE if (program := wrapped(candidate, where, needed_bytes))]
    declared = [program for other in (False, True) if (program := among(candidate, other=other))]
    seen, met = _builds(desk, called), _builds(desk, declared)
    if seen and _sure(lambda: _lost_private(desk, workload, called, comparison)):
        return _LOST_PRIVATE
    if met and _sure(lambda: _lost_among(desk, workload, [candidate, *declared], comparison)):
        return _LOST_PRIVATE
    theirs_bytes = _private_bytes(desk, programs[0])
    words = doubt(candidate.source, candidate.options)
    alike = bool(doubt(programs[0].source, programs[0].options))  # else the incumbent's bytes are no excuse
    if words and needed_bytes - (theirs_bytes if alike else 0) >= _TABLE_BYTES and workload.kernel.varied:
        return _OPEN.format(words)
    hidden = not seen or (bool(declared) and not met)
    return _UNSEEN if hidden and needed_bytes - theirs_bytes >= _TABLE_BYTES and workload.kernel.varied else ""


def _builds(desk: Desk, programs: Sequence[Program]) -> bool:
    return bool(programs) and isinstance(desk.engine.build(programs[0]), Artifact)


def _sure(lost: Callable[[], bool]) -> bool:
    """Tell whether a lead is lost in two looks: what others do on the machine may spoil one."""
    return lost() and lost()


def _lost_local(desk: Desk, workload: Workload, candidate: Program, comparison: Comparison) -> bool:
    """Tell whether most of a lead is lost in a program that overwrites local memory, beside one that writes what is there already.

    Where no program can have one more argument they are two texts.
    """
    lead, times_ns = log(comparison.speedup), list[tuple[float, ...]]()
    for shared in (True, False):
        programs = [program for other in (False, True) if (program := cleared(candidate, other=other, shared=shared))]
        times_ns = times_ns or (_times_ns(desk, workload, programs, lead) if programs else [])
    return _surely([there / before - exp(_LOST * lead) for before, there in times_ns])


def _lost_private(desk: Desk, workload: Workload, programs: Sequence[Program], comparison: Comparison) -> bool:
    """Tell whether most of a lead is lost where the third program overwrites what the second one does elsewhere, the first nowhere."""
    lead = log(comparison.speedup)
    part, noise = (_LOST, _NOISE) if lead >= _LARGE else (_SMALL_LOST, 0.0)
    times_ns = _times_ns(desk, workload, programs, lead)
    return _surely(
        [here - below - max(never * (exp(part * lead) - 1), noise * below) for never, below, here in times_ns]
    )


def _lost_among(desk: Desk, workload: Workload, programs: Sequence[Program], comparison: Comparison) -> bool:
    """Tell whether most of a lead is lost where some items overwrite what the text declares, beside where they write what is there already.

    `programs`: the candidate, the one that changes nothing, and the one that overwrites.
    """
    lead = log(comparison.speedup)
    part, noise = exp(_SMALL_LOST * lead) - 1, _NOISE if lead >= _LARGE else _SMALL_NOISE
    return _surely(
        [
            there - before - max(part * min(plain, before), noise * before)
            for plain, before, there in _times_ns(desk, workload, programs, lead)
        ]
    )


def _lost_results(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], part: Program, comparison: Comparison
) -> bool:
    """Tell whether most of a lead is lost where no group finds what others of the same launch wrote."""
    lead = log(comparison.speedup)
    return _surely(
        parting.lost_results(desk, workload, programs, part, lead, lambda every: _times_ns(desk, workload, every, lead))
    )


def _lost_joined(desk: Desk, workload: Workload, candidate: Program, needed_bytes: int, comparison: Comparison) -> bool:
    """Tell whether most of a lead is lost where groups find nothing of one another in any of these places."""
    lead = log(comparison.speedup)
    times_ns = partial(_times_ns, desk, workload, lead=lead)
    return _surely(joined.lost(desk, workload, candidate, needed_bytes, lead, times_ns))


def _surely(lost: Sequence[float]) -> bool:
    """Tell whether a lead is surely lost: `lost` has for each round by how much more of it is gone than is allowed, and nearly all are at least 0."""
    return bool(lost) and sorted(lost)[int(_SURE_QUANTILE * len(lost))] >= 0


def _times_ns(desk: Desk, workload: Workload, programs: Sequence[Program], lead: float) -> list[tuple[float, ...]]:
    """Return times of calls: the least of all rounds for a large lead, those of each round for a small one.

    All input sets take turns, as in a duel: fewer would tell a kernel by their addresses that it is looked at. None are returned where a text is such
    that it does not compile with what was added, which says nothing.
    """
    large = lead >= _LARGE
    request = TimeRequest(
        programs=tuple(programs), datasets=workload.sets(), rounds=_ROUNDS if large else _MANY_ROUNDS, target_sample_ns=_SAMPLE_NS,
        mode=desk.mode, judged=(), suspects=(),
    )  # fmt: skip
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return []
    groups = [timed.rounds] if large else [(each,) for each in timed.rounds]
    return [tuple(_least_ns(group, index) for index in range(len(programs))) for group in groups]


def _hidden_bytes(desk: Desk, program: Program) -> int:
    """Return the local memory of a program that its text does not declare in plain sight: what stays single where that is doubled."""
    used = _local_bytes(desk, program)
    if not used:
        return 0
    every = (cleared(program, other=True), cleared(program, other=True, shared=False))
    once = next((local_bytes for variant in every if (local_bytes := _local_bytes(desk, variant)) is not None), None)
    twice = _local_bytes(desk, doubled(program))
    return used if once is None or twice is None else max(0, 2 * once - twice)


def _local_bytes(desk: Desk, program: Program | None) -> int | None:
    """Return the local memory that the text of a program declares, in the kernel that has most; of arguments nothing counts."""
    built = desk.engine.build(program) if program and program.language == "opencl" else None
    return (
        max((used.local_bytes or 0 for _, used in built.resources), default=0) if isinstance(built, Artifact) else None
    )


def _private_bytes(desk: Desk, program: Program) -> int:
    """Return what the variables of a program take of a thread's stack, in the kernel that has most."""
    built = desk.engine.build(program)
    return (
        max((used.private_bytes or 0 for _, used in built.resources), default=0) if isinstance(built, Artifact) else 0
    )


def _least_ns(rounds: Sequence[Round], index: int) -> float:
    """Return the least time of a call of a contender: of processors where they are counted, which others do not lengthen."""
    samples = [sample for each in rounds for which, sample in each.samples if which == index]
    return min((sample.cpu_ns or sample.wall_ns) / sample.calls for sample in samples)
