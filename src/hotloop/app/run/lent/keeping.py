"""Variables of a program that outlive its calls: what is kept there may be a result, or a table that is right for all inputs.

No clock can tell such a table from speed: once made, it serves content that was never met, too. So a program that keeps more
than its incumbent does is not called better than it; what a call needs beyond its arguments belongs into local memory or a
scratch area, which are spoiled before what counts is timed. What one group leaves in local memory for the next one of the same call
is met by timing programs whose groups overwrite it first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import expm1, log
from typing import TYPE_CHECKING

from hotloop.app.run.lent import joined, parting
from hotloop.app.run.lent.inlined import inlined
from hotloop.app.run.lent.power import Lead, Loss, Said, answer, loss, owed_ns
from hotloop.model.outcome import Artifact, Crashed, TimedOut, describe
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

_LEAD, _LOST = 0.05, 0.5
"""From which lead (ln) on programs whose groups overwrite their local memory are timed, and which part of the lead must then be lost to doubt it."""
_SMALL_LOST = 0.25
"""Of a small lead: which part must be lost where private memory is overwritten, for one item in sixteen only."""
_ROUNDS, _MANY_ROUNDS, _SAMPLE_NS = 8, 16, 2e6
_MORE_LOOKS_S = 20.0
"""Time that looks of one kind may have taken before further ones are left out: with calls of a second one look takes half a minute."""
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
_BLIND = (
    "it could not be seen whether the lead rests on what groups or work-items leave for others in {}: times in the look for it differ from round to "
    "round by more than the lead, mostly because of other processes, or the look itself takes as long; compare again where the machine is quieter"
)
_ENDED = "nobody knows whether the lead rests on what groups or work-items leave for others in {}: the look for it ended ({})"
_HIDDEN = (
    "the candidate has local memory that its text does not declare in plain sight, so that nobody can tell what groups leave there for "
    "others; write __local before each array"
)


def doubted(
    desk: Desk,
    workload: Workload,
    programs: tuple[Program, Program],
    comparison: Comparison,
    worked: float | None = None,
) -> Comparison:
    """Return a comparison, UNCLEAR where the winner keeps more than the incumbent, or a table, between calls, or anything between groups.

    `worked`: the lead (ln) in processor time, by which looks are timed; a busy machine lengthens wall times of both, and not alike. None: not known.
    """
    if comparison.verdict is not Verdict.FASTER:
        return comparison
    incumbent, candidate = (_kept_bytes(desk, program) for program in programs)
    if candidate <= incumbent and candidate < _KEPT_TABLE_BYTES:
        return _lent(desk, workload, programs, comparison, Lead.of(log(comparison.speedup), worked))
    reason = (
        f"the candidate has {size(candidate)} of variables that outlive a call, where results may be kept; "
        "use local memory or a scratch area"
    )
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason)


def _kept_bytes(desk: Desk, program: Program) -> int:
    built = desk.engine.build(program)
    return built.kept_bytes if isinstance(built, Artifact) else 0


def _lent(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], comparison: Comparison, lead: Lead
) -> Comparison:
    """Return a comparison, UNCLEAR where the lead is lost when groups overwrite local, or private, memory before they use it, or where nobody can see that."""
    if desk.device.kind != "cpu" or lead.claimed < _LEAD:
        return comparison
    reason = _lent_reason(_Look(desk, workload, (programs[0], inlined(programs[1])), lead))
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason) if reason else comparison


def _lent_reason(look: _Look) -> str:
    """Return why groups may use what others of the call left somewhere; empty where no look says so and each could have."""
    desk, workload, candidate = look.desk, look.workload, look.programs[1]
    hidden_bytes = _hidden_bytes(desk, candidate)
    if hidden_bytes and hidden_bytes > _hidden_bytes(desk, look.programs[0]):
        return _HIDDEN
    if reason := look.reason(lambda: _lost_local(look), _LOST_LOCAL, "local memory"):
        return reason
    if parting.unseen(desk, workload, look.programs) and workload.kernel.varied:
        return parting.UNSEEN
    if parting.waits(workload, look.programs) and workload.kernel.varied:
        return parting.WAITING
    for part in parting.looks(workload, candidate):
        if reason := look.reason(partial(_lost_results, look, part), parting.REASON, "the results"):
            return reason
    needed_bytes = _private_bytes(desk, candidate)
    if reason := _private_reason(look, needed_bytes):
        return reason
    return look.reason(lambda: _lost_joined(look, needed_bytes), joined.REASON, "several places at once")


def _private_reason(look: _Look, needed_bytes: int) -> str:
    """Return the same of private memory."""
    desk, workload, (incumbent, candidate) = look.desk, look.workload, look.programs
    if (words := telling(candidate)) and workload.kernel.varied:
        return _TELLING.format(words)
    if (words := renamed(candidate.source, candidate.options)) and workload.kernel.varied:
        return _RENAMED.format(words)
    called = [program for where in _WHERE if (program := wrapped(candidate, where, needed_bytes))]
    declared = [program for other in (False, True) if (program := among(candidate, other=other))]
    seen, met = _builds(desk, called), _builds(desk, declared)
    place = "private memory"
    if seen and (reason := look.reason(lambda: _lost_private(look, called), _LOST_PRIVATE, place)):
        return reason
    if met and (reason := look.reason(lambda: _lost_among(look, [candidate, *declared]), _LOST_PRIVATE, place)):
        return reason
    theirs_bytes = _private_bytes(desk, incumbent)
    words = doubt(candidate.source, candidate.options)
    alike = bool(doubt(incumbent.source, incumbent.options))  # else the incumbent's bytes are no excuse
    if words and needed_bytes - (theirs_bytes if alike else 0) >= _TABLE_BYTES and workload.kernel.varied:
        return _OPEN.format(words)
    hidden = not seen or (bool(declared) and not met)
    return _UNSEEN if hidden and needed_bytes - theirs_bytes >= _TABLE_BYTES and workload.kernel.varied else ""


def _builds(desk: Desk, programs: Sequence[Program]) -> bool:
    return bool(programs) and isinstance(desk.engine.build(programs[0]), Artifact)


def _lost_local(look: _Look) -> list[Loss]:
    """Return what is lost in a program that overwrites local memory, beside one that writes what is there already.

    Where no program can have one more argument they are two texts.
    """
    lead, times_ns = look.lead, list[tuple[float, ...]]()
    for shared in (True, False):
        programs = [
            program for other in (False, True) if (program := cleared(look.programs[1], other=other, shared=shared))
        ]
        times_ns = times_ns or (look.times_ns([look.programs[1], *programs]) if programs else [])
    return [
        loss(
            there - before, expm1(_LOST * lead.worked) * before, 0.0, owed_ns(lead.claimed, min(plain, before)), spread_ns=_SMALL_NOISE * before
        )
        for plain, before, there in times_ns
    ]  # fmt: skip


def _lost_private(look: _Look, programs: Sequence[Program]) -> list[Loss]:
    """Return what is lost where the third program overwrites what the second one does elsewhere, the first nowhere."""
    lead = look.lead
    part, noise = (_LOST, _NOISE) if lead.large else (_SMALL_LOST, 0.0)
    return [
        loss(
            here - below, never * expm1(part * lead.worked), noise * below, owed_ns(lead.claimed, never), spread_ns=_SMALL_NOISE * below
        )
        for never, below, here in look.times_ns(programs)
    ]  # fmt: skip


def _lost_among(look: _Look, programs: Sequence[Program]) -> list[Loss]:
    """Return what is lost where some items overwrite what the text declares, beside where they write what is there already.

    `programs`: the candidate, the one that changes nothing, and the one that overwrites.
    """
    lead = look.lead
    part, noise = expm1(_SMALL_LOST * lead.worked), _NOISE if lead.large else _SMALL_NOISE
    return [
        loss(there - before, part * min(plain, before), noise * before, owed_ns(lead.claimed, min(plain, before)))
        for plain, before, there in look.times_ns(programs)
    ]


def _lost_results(look: _Look, part: Program) -> list[Loss]:
    """Return what is lost where no group finds what others of the same launch wrote."""
    return parting.lost_results(look.desk, look.workload, look.programs, part, look.lead, look.times_ns)


def _lost_joined(look: _Look, needed_bytes: int) -> list[Loss]:
    """Return what is lost where groups find nothing of one another in any of these places."""
    return joined.lost(look.desk, look.workload, look.programs[1], needed_bytes, look.lead, look.times_ns)


@dataclass(frozen=True, slots=True)
class _Look:
    """What looks are taken at."""

    desk: Desk
    workload: Workload
    programs: tuple[Program, Program]
    """Incumbent and candidate."""
    lead: Lead

    def reason(self, lost: Callable[[], list[Loss]], lost_reason: str, place: str) -> str:
        """Return why the lead is none after looks of one kind; empty where they say that it is, or cannot be had."""
        clock = self.desk.clock
        began_s = clock.monotonic_s()
        try:
            found = answer(lost, lambda: clock.monotonic_s() - began_s < _MORE_LOOKS_S)
        except _EndedError as ended:
            return _ENDED.format(place, ended)
        return {Said.LOST: lost_reason, Said.UNSEEN: _BLIND.format(place)}.get(found, "") if found else ""

    def times_ns(self, programs: Sequence[Program]) -> list[tuple[float, ...]]:
        """Return times of a call by round.

        All input sets take turns, as in a duel: fewer would tell a kernel by their addresses that it is looked at. None are returned where a text is such
        that it does not compile with what was added, which says nothing.
        """
        request = TimeRequest(
            programs=tuple(programs), datasets=self.workload.sets(), rounds=_ROUNDS if self.lead.large else _MANY_ROUNDS,
            target_sample_ns=_SAMPLE_NS, mode=self.desk.mode, judged=(), suspects=(),
        )  # fmt: skip
        timed = self.desk.engine.time(request)
        if isinstance(timed, Crashed | TimedOut):
            raise _EndedError(describe(timed))
        if not isinstance(timed, Timed):
            return []
        return [tuple(_least_ns(each, index) for index in range(len(programs))) for each in timed.rounds]


class _EndedError(Exception):
    """A look ended its process, or was ended, so that nobody knows what it would have shown."""


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


def _least_ns(each: Round, index: int) -> float:
    """Return the least time of a call of a contender in a round: of processors where they are counted, which others do not lengthen."""
    samples = [sample for which, sample in each.samples if which == index]
    return min((sample.cpu_ns or sample.wall_ns) / sample.calls for sample in samples)
