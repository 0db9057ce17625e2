"""Whether timed calls did the work: what they left is judged, and content that a program never met must not take longer.

A program may keep what earlier calls computed, or leave alone what an earlier call wrote. So the sets to be judged are drawn
at random and told to nobody; no call finds its own results (`hotloop.engine.exchange`); and whoever is called faster must be
as much faster on content that it has never met. There it has nothing to keep, so that it does not help to know when it is
watched. And known and new content are timed in turn in the same buffers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from typing import TYPE_CHECKING

from hotloop.app.run import busy
from hotloop.app.run.checking import intact
from hotloop.app.run.seen import (
    LARGE_LEAD,
    LOOKS,
    Beside,
    Renewed,
    Seen,
    blind,
    by_work,
    itself_by_work,
    serves,
    unworked,
    waited,
)
from hotloop.engine.rounds import mixed
from hotloop.host import memory
from hotloop.model.check import CaseResult, Guard
from hotloop.model.outcome import LaunchFailed, describe
from hotloop.ports import KNOWN_PLACES, Executed, Placed, RenewRequest, Timed
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.prepared import Content
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program
    from hotloop.ports import Dataset, Round
    from hotloop.stats.rounds import Clock

JUDGED = 12
"""Most sets that are judged after timing: as many samples as the shortest duel has; who skips half of them passes once in 4,000."""
_JUDGED_BYTES = 64 * 2**20
"""Largest total size of the judged sets in bytes; two sets are judged in any case, where there are two."""
_REFERENCE_SHARE, _CHEAP_S = 0.03, 0.1
"""Part of a run's time that may go into references of further sets, and what a reference may take in any case."""
_ALIKE = 1.8
"""Speedup up to which the samples of both contenders have the same number of calls."""
_SAMPLE_NS, _MOST_CALLS = 2e6, 16
"""Length of a sample on new content, and its most calls: each takes content of its own."""
_NEW_JUDGED, _JUDGING_S = 96, 0.5
"""Most calls on new content that are judged, and the time after which no further one is: who skips one set in eight passes
twelve known ones once in five times."""


@dataclass(frozen=True, slots=True)
class _Effort:
    """How thoroughly known and new content are compared."""

    rounds: int
    met: int
    """Times that known content is met before."""
    warm: int
    """Untimed samples on the buffers of both before each timed one."""

    @property
    def samples(self) -> int:
        """Samples that the calls take together."""
        first = min(self.rounds, KNOWN_PLACES)
        met = first * self.met + (self.rounds - first) * -(-self.met // 4)
        return met + self.rounds * 2 * (2 * self.warm + 1)


_EFFORTS = (_Effort(8, 12, 1), _Effort(3, 6, 1), _Effort(3, 2, 0), _Effort(1, 2, 1), _Effort(1, 1, 0))
"""Efforts to choose from, the most thorough first, the last one for calls that take seconds."""
_BESIDE = (_Effort(8, 0, 1), _Effort(8, 0, 0), _Effort(3, 0, 1), _Effort(3, 0, 0), _Effort(1, 0, 1), _Effort(1, 0, 0))
"""The same where the incumbent is timed beside the candidate: there, no set needs to have been seen before."""
_SHARE, _LEAST_NS, _ALONE_NS = 0.1, 2.5e8, 1e9
"""Part of a duel's time that the comparison may take, and what it may take in any case; and where a program is timed alone,
which is rare, and where only a proof counts."""
_SUSPECT_NS = 5e9
"""Time limit of each further look, in ns, where the first one suggested that results are kept."""
_LONE, _FEW = 3, 9
"""Rounds that a suspicion rests on at least where there is time for as many samples: one alone may have been disturbed."""
_SPOILED = (_Effort(8, 0, 0), _Effort(3, 0, 0), _Effort(1, 0, 0))
"""The same with memory of the threads overwritten, beside the incumbent, whose caches suffer from it as well."""
_SPOILED_LOOKS, _BLIND_LEAD = 3, 0.7
"""Most looks with memory overwritten, where one could not have seen that the lead is lost, and the lead (ln) from which on that puts it in doubt."""
_FRESH_BYTES, _FEW_BYTES, _MANY_BYTES = 96 * 2**20, 768 * 2**20, 2 * 2**30
"""Most bytes of new content on a CPU; on a GPU, whose arrays are larger and calls shorter; and there after a first suspicion."""
_MEMORY_SHARE = 1 / 16
"""Fraction of the free memory that new content may take."""


def renewing_s(desk: Desk, workload: Workload, byte_s: float = 0.0) -> float:
    """Return what drawing and laying out new content for a candidate that is ahead takes on a GPU, in s.

    It is met beside the incumbent and then alone; as much as one of both takes has been drawn for the baseline, and as much
    more is drawn when a candidate that has met all of it is compared again. `byte_s` is the way of a byte to the device, in s.
    """
    most = min(_BESIDE[0].rounds, _FEW_BYTES // max(1, workload.set_bytes))
    return 0.0 if desk.device.kind == "cpu" else most * (workload.set_s + byte_s * workload.set_bytes)


def draw_judged(desk: Desk, workload: Workload) -> tuple[int, ...]:
    """Return which timing sets will be judged: at random, with new ones among them where their references cost little."""
    chance, sets = random.SystemRandom(), len(workload.sets())
    most = max(2, min(JUDGED, int(_JUDGED_BYTES // max(1, workload.set_bytes))))
    drawn = list(workload.known_sets())
    while unknown := [index for index in range(sets) if index not in drawn]:
        if len(drawn) >= 2 and not _affordable(desk, workload, len(drawn), most):
            break
        drawn.append(index := chance.choice(unknown))
        began_s = desk.clock.monotonic_s()
        workload.timed(index)
        workload.reference_s = desk.clock.monotonic_s() - began_s
    return tuple(chance.sample(drawn, min(most, len(drawn))))


def _affordable(desk: Desk, workload: Workload, count: int, most: int) -> bool:
    if workload.reference_s < _CHEAP_S and count < most:
        return True
    return workload.reference_s * (count + 1) < _REFERENCE_SHARE * (desk.clock.monotonic_s() - workload.began_s)


def kept(desk: Desk, workload: Workload, program: Program, judged: Sequence[int]) -> CaseResult | LaunchFailed:
    """Judge what timed calls of a program left of the sets that were drawn; the first that is wrong is the answer."""
    result: CaseResult | LaunchFailed = LaunchFailed("no timed call was kept")
    for index in judged:
        prepared = workload.timed(index)
        left = desk.engine.outputs(program, prepared.dataset)
        if not isinstance(left, Executed):
            return left
        intact(workload)
        result = prepared.judged(workload.kernel, left.arrays)
        if not result.passed:
            return result
    return result


@dataclass(frozen=True, slots=True)
class _Stand:
    """Whose calls stand beside those on new content, and what times of a call to expect."""

    rival: Program
    calls: int
    known_calls: int
    lead: float = 0.0
    clock: Clock = "device"
    spoil: bool = False
    """Whether memory that outlives a call is overwritten before each timed one."""
    worked: float | None = None
    """The lead in processor time."""


def renewed(
    desk: Desk, workload: Workload, program: Program, call_ns: float, *, beside: Beside | None, spent_ns: float = 0.0
) -> Renewed:
    """Put new content into timed buffers, judge the results, and see whether the program is as fast as on known content.

    Args:
        desk: where it runs.
        workload: whose buffers.
        program: what was timed.
        call_ns: its time of a call.
        beside: the incumbent that it is ahead of; None: it was timed alone.
        spent_ns: time of the samples that this is to confirm.
    """
    calls = _fitting(workload, call_ns)
    own = _Stand(program, calls, calls, worked=0.0 if busy.crowded(desk) else None)
    if beside is None:
        return _looked(desk, workload, program, own, calls * call_ns, inf, max(_ALONE_NS, _SHARE * spent_ns))
    most_ns = max(_LEAST_NS, _SHARE * spent_ns)
    if mixed((program, beside.program)):  # whose threads would be in one another's way here
        return _looked(desk, workload, program, own, calls * call_ns, beside.lead, most_ns)
    theirs = calls if beside.lead < log(_ALIKE) else _fitting(workload, beside.call_ns)
    stand = _Stand(beside.program, calls, theirs, max(0.0, beside.least), beside.clock, worked=beside.worked)
    sample_ns = (calls * call_ns + theirs * beside.call_ns) / 2
    # Of the lead at least `stand.lead` can be missing on new content, which is much less where the machine was busy.
    first = _looked(desk, workload, program, stand, sample_ns, stand.lead, most_ns)
    if first.wrong:
        return first
    if not first.owes and unworked(desk, first, beside):
        return by_work(first, beside)
    itself = _looked(desk, workload, program, own, calls * call_ns, beside.lead, most_ns)
    itself = itself_by_work(itself, beside)
    if itself.wrong or (first.owes and not waited(desk, first, itself, beside)):
        return itself if itself.wrong else first
    if not itself.owes and blind(first, itself, beside):
        return replace(itself, blind=True)
    best = log(max(1.0, beside.call_ns / call_ns))
    if beside.worked is not None and busy.crowded(desk) and serves(beside):  # wall times tell of any lead there
        best = min(best, beside.worked)
    if desk.device.kind != "cpu" or {program.language, beside.program.language} != {"opencl"}:
        return itself
    alike = replace(stand, lead=best, spoil=True)
    effort = _effort(_SPOILED, sample_ns, most_ns, calls * workload.set_bytes, _FRESH_BYTES)
    look = _spoiled(desk, workload, program, alike, effort)
    # Of a small lead results count, and crashes; no times.
    return look if look.wrong or best >= LARGE_LEAD else itself


def _spoiled(desk: Desk, workload: Workload, program: Program, stand: _Stand, effort: _Effort) -> Renewed:
    """Look where nothing is left of earlier calls in local and private memory, where a table for all inputs could be kept.

    Rounds are added as long as they could not show that a lead is lost. A small one stands all the same: groups overwrite the same memory in looks by
    processor time (`hotloop.app.run.lent`), which see more.
    """
    seen, look = Seen(), Renewed()
    for _ in range(_SPOILED_LOOKS):
        look = replace(_renewed(desk, workload, program, stand, effort, seen), lead=stand.lead)
        if look.wrong or look.lost:
            return look
        if not look.seen.rounds or look.lead < _BLIND_LEAD or look.seen.excludes(look.lead):
            return Renewed()
    return replace(look, seen=Seen(), blind=True)


def judged_once(desk: Desk, workload: Workload, program: Program) -> Renewed:
    """Judge one call on new content in timed buffers, of a program that is not ahead."""
    return _renewed(desk, workload, program, _Stand(program, 1, 1), _Effort(1, 0, 0), Seen())


def _fitting(workload: Workload, call_ns: float) -> int:
    """Return how many calls fill a sample."""
    return min(_MOST_CALLS, len(workload.sets()) // 2, max(1, round(_SAMPLE_NS / max(call_ns, 1.0))))


def _looked(
    desk: Desk, workload: Workload, program: Program, stand: _Stand, sample_ns: float, lead: float, most_ns: float
) -> Renewed:
    """Look at new content, and again while what is seen may be kept results; `sample_ns` is the mean of both samples."""
    sample_bytes = stand.calls * workload.set_bytes
    own = stand.rival is program
    effort = _effort(_EFFORTS if own else _BESIDE, sample_ns, most_ns, sample_bytes, _most_bytes(desk, _FEW_BYTES))
    seen = Seen()
    for look in sorted({effort.rounds, *(n for n in (_LONE, *LOOKS) if n > effort.rounds)}):
        lone = look <= _LONE and Renewed(seen=seen, lead=lead).owes and _FEW * sample_ns <= _SUSPECT_NS
        if seen.rounds and not (lone or _further(look, sample_ns, sample_bytes, _most_bytes(desk, _MANY_BYTES))):
            break
        look_made = _renewed(desk, workload, program, stand, replace(effort, rounds=look - seen.rounds), seen)
        if look_made.wrong or not look_made.seen.rounds:
            return look_made
        if not seen.promises(lead):
            return Renewed()
    return Renewed(seen=seen, lead=lead)


def _most_bytes(desk: Desk, on_gpu: int) -> float:
    """Return how many bytes of new content there may be."""
    if desk.device.kind == "cpu":
        return _FRESH_BYTES
    return max(_FRESH_BYTES, min(on_gpu, _MEMORY_SHARE * (memory.available_bytes() or 0)))


def _further(look: int, sample_ns: float, sample_bytes: int, most_bytes: float) -> bool:
    """Tell whether what looks like kept results can be looked at again."""
    return look * sample_bytes <= most_bytes and 3 * look * sample_ns <= _SUSPECT_NS


def _effort(
    efforts: Sequence[_Effort], sample_ns: float, most_ns: float, sample_bytes: int, most_bytes: float
) -> _Effort:
    """Return the most thorough comparison that time and memory allow."""
    fitting = [
        effort
        for effort in efforts
        if effort.samples * sample_ns <= most_ns and (effort.rounds == 1 or effort.rounds * sample_bytes <= most_bytes)
    ]
    return fitting[0] if fitting else efforts[-1]


def _renewed(desk: Desk, workload: Workload, program: Program, stand: _Stand, effort: _Effort, seen: Seen) -> Renewed:
    """Take some rounds more, add their times to `seen`, and judge."""
    calls = stand.calls
    contents = workload.fresh(_met_by(desk, program), effort.rounds * calls)
    if not _alike(workload, contents):
        return Renewed()  # inputs whose sizes or numbers are drawn, too: another program
    judged = _drawn(workload, len(contents), calls)
    request = RenewRequest(
        program=program,
        rival=stand.rival,
        datasets=workload.sets(),
        fresh=tuple(content.dataset for content in contents),
        calls=calls,
        known_calls=stand.known_calls,
        judged=judged,
        met=effort.met,
        warm=effort.warm,
        spoil=stand.spoil,
    )
    renewed = desk.engine.renew(request)
    if not isinstance(renewed, Timed):
        return Renewed(_failed(contents[judged[0]], f"with new inputs in the same buffers: {describe(renewed)}"))
    began_s = desk.clock.monotonic_s()
    for index in judged:
        if index != judged[0] and desk.clock.monotonic_s() - began_s > _JUDGING_S:
            break
        if wrong := _misjudged(desk, workload, program, contents[index]):
            return Renewed(wrong)
    for content in renewed.rounds:
        old, new = _times_ns(content, stand)
        seen.known.append(old)
        seen.new.append(new)
        if (worked := _worked_ns(content, stand)) is not None:
            seen.worked_known.append(worked[0])
            seen.worked_new.append(worked[1])
    if stand.rival is program and seen.proves():
        reason = "calls on inputs met before are far shorter: results are kept, not computed"
        return Renewed(_failed(contents[judged[0]], reason))
    return Renewed(seen=seen)


def _met_by(desk: Desk, program: Program) -> str:
    """Return whom content is new to: a program on another device, in another process, has met none of what it met here."""
    place = desk.engine.place if isinstance(desk.engine, Placed) else ""
    return f"{place} {program.fingerprint}"


def _drawn(workload: Workload, count: int, calls: int) -> tuple[int, ...]:
    """Return which calls on new content are judged: one of the last round first, then others."""
    chance = random.SystemRandom()
    last, most = count - 1 - chance.randrange(calls), min(_NEW_JUDGED, int(_JUDGED_BYTES // max(1, workload.set_bytes)))
    left = [index for index in range(count) if index != last]
    return (last, *chance.sample(left, max(0, min(most - 1, len(left)))))


def _alike(workload: Workload, contents: Sequence[Content]) -> bool:
    """Tell whether content can take the place of the timing sets': the same numbers, types and shapes."""
    return all(
        content.scalars == workload.scalars and _forms(content.dataset) == _forms(workload.sets()[0])
        for content in contents
    )


def _forms(dataset: Dataset) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    return tuple((slot.name, slot.dtype, slot.shape) for slot in dataset.slots)


def _misjudged(desk: Desk, workload: Workload, program: Program, content: Content) -> CaseResult | None:
    left = desk.engine.outputs(program, content.dataset)
    if not isinstance(left, Executed):
        return _failed(content, f"with new inputs in the same buffers: {describe(left)}")
    inputs, expected = workload.expected_of(content)
    intact(workload)
    result = judge(workload.kernel, content.case, inputs, left.arrays, expected=expected)
    if result.passed:
        return None
    guard = result.guard if result.guard in (Guard.CANARY, Guard.POISON) else Guard.FRESH
    return replace(result, reason=f"with new inputs in the same buffers: {result.reason}", guard=guard)


def _times_ns(timed_round: Round, stand: _Stand) -> tuple[float, float]:
    """Return the time of a call on known content, or what the rival's lets expect, and of one on new content."""
    old, new = (sample for _, sample in sorted(timed_round.samples, key=lambda row: row[0]))
    if stand.clock == "device" and old.device_ns and new.device_ns:
        return exp(-stand.lead) * old.device_ns / old.calls, new.device_ns / new.calls
    return exp(-stand.lead) * old.call_ns, new.call_ns


def _worked_ns(timed_round: Round, stand: _Stand) -> tuple[float, float] | None:
    """Return the same as `_times_ns` in processor time, None where a sample does not tell it."""
    old, new = (sample for _, sample in sorted(timed_round.samples, key=lambda row: row[0]))
    if stand.worked is None or not old.cpu_ns or not new.cpu_ns:
        return None
    return exp(-stand.worked) * old.cpu_ns / old.calls, new.cpu_ns / new.calls


def _failed(content: Content, reason: str) -> CaseResult:
    case = content.case
    return CaseResult(
        problem=case.problem.key, distribution=case.distribution, seed=case.seed, passed=False, reason=reason,
        guard=Guard.FRESH,
    )  # fmt: skip
