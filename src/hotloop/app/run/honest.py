"""Whether timed calls did the work: what they left is judged, and content that a program never met must not take longer.

A program may keep what earlier calls computed, or leave alone what an earlier call wrote. So the sets to be judged are drawn
at random and told to nobody; no call finds its own results (`hotloop.engine.exchange`); and known and new content are timed
in turn in the same buffers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from statistics import fmean, median
from typing import TYPE_CHECKING

from hotloop.app.run.checking import intact
from hotloop.model.check import CaseResult, Guard
from hotloop.model.outcome import LaunchFailed, describe
from hotloop.ports import Executed, RenewRequest, Timed
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.workload import Content, Workload
    from hotloop.model.program import Program
    from hotloop.ports import Dataset, Round

JUDGED = 8
"""Most sets that are judged after timing."""
_JUDGED_BYTES = 64 * 2**20
"""Most bytes of them together; two are judged in any case, where there are two."""
_REFERENCE_SHARE, _CHEAP_S = 0.03, 0.01
"""Part of a run's time that may go into references of further sets, and what a reference may take in any case."""
_SAMPLE_NS, _MOST_CALLS = 2e6, 16
"""Length of a sample on new content, and its most calls: each takes content of its own."""
_LOOKS = {8: (0.7, 0), 16: (0.4, 1), 24: (0.3, 2)}
"""Rounds after which times on new content are looked at; by how much longer (ln) they must be in the middle to prove that
results are kept; how many rounds may show the opposite. Of equals that would happen once in 250, 4,000 and 50,000 looks by
the signs alone, and noise would have to be as large, too. Estimates: chosen because smaller ones refused clean products of 50 µs."""
_MET, _LEAST_MET, _MEETING_NS = 12, 3, 5e7
"""Times that known content is met before a sample: the most, the least, and how long it may take. Slow programs need fewer: what
they gained by keeping results they had kept before they were timed, and no thread or cache is still cold after such a call."""
_PATIENCE_NS = 3e9
"""Time that new content may take beyond what the timing before it took; three rounds are taken in any case."""
_MOST = 1.0
"""What one round may say (ln): a disturbed one would decide alone."""
_OWED = 0.2
"""Part of a lead (ln) from which what new content takes longer puts the lead in doubt; with a half, one planted cheat won."""


_FRESH_BYTES, _LEAST_ROUNDS, _SURELY = 96 * 2**20, 3, 0.5
"""Most bytes of new content; rounds where so little fits that fewer than the first look's are all there can be; and by how much
longer (ln) each of them must then be."""
_LEAST = 0.02
"""Below which nobody looks further: it is no win."""


def draw_judged(desk: Desk, workload: Workload) -> tuple[int, ...]:
    """Return which timing sets will be judged: at random, with new ones among them where their references cost little."""
    chance, sets = random.SystemRandom(), len(workload.sets())
    most = max(2, min(JUDGED, int(_JUDGED_BYTES // max(1, workload.set_bytes))))
    known = list(workload.known_sets())
    while unknown := [index for index in range(sets) if index not in known]:
        if len(known) >= 2 and not _affordable(desk, workload, len(known), most):
            break
        known.append(index := chance.choice(unknown))
        began_s = desk.clock.monotonic_s()
        workload.timed(index)
        workload.reference_s = desk.clock.monotonic_s() - began_s
    return tuple(chance.sample(known, min(most, len(known))))


def _affordable(desk: Desk, workload: Workload, known: int, most: int) -> bool:
    if workload.reference_s < _CHEAP_S and known < most:
        return True
    return workload.reference_s * (known + 1) < _REFERENCE_SHARE * (desk.clock.monotonic_s() - workload.began_s)


def kept(desk: Desk, workload: Workload, program: Program, judged: Sequence[int]) -> CaseResult | LaunchFailed:
    """Judge what timed calls of a program left of the sets that were drawn; the first that is wrong is the answer."""
    found: CaseResult | LaunchFailed = LaunchFailed("no timed call was kept")
    for index in judged:
        prepared = workload.timed(index)
        left = desk.engine.outputs(program, prepared.dataset)
        if not isinstance(left, Executed):
            return left
        intact(workload)
        found = judge(workload.kernel, prepared.case, prepared.inputs, left.arrays, expected=prepared.expected)
        if not found.passed:
            return found
    return found


@dataclass(frozen=True, slots=True)
class Renewed:
    """What new content in timed buffers showed."""

    wrong: CaseResult | None = None
    """The judgement that refuses the program, None when there is none."""
    longer: float = 0.0
    """By how much longer (ln) it took than known content, on average, where that proves nothing by itself."""

    def owes(self, lead: float) -> bool:
        """Tell whether a good part of a lead (ln) may be results that were kept."""
        return self.longer > _OWED * lead


def renewed(
    desk: Desk, workload: Workload, program: Program, call_ns: float, *, thorough: bool, spent_ns: float = 0.0
) -> Renewed:
    """Put new content into timed buffers, judge the results, and see whether they take longer than on known content.

    Args:
        desk: where it runs.
        workload: whose buffers.
        program: what was timed.
        call_ns: its time of a call.
        thorough: compare times, too; else one call is judged.
        spent_ns: what the timing took: new content takes about as long at most.
    """
    calls = (
        min(_MOST_CALLS, len(workload.sets()) // 2, max(1, round(_SAMPLE_NS / max(call_ns, 1.0)))) if thorough else 1
    )
    most = int(_FRESH_BYTES // max(1, calls * workload.set_bytes))
    met = max(_LEAST_MET, min(_MET, int(_MEETING_NS / (calls * max(call_ns, 1.0))))) if thorough else 0
    most = min(most, int((_PATIENCE_NS + spent_ns) / (_calls_a_round(met) * calls * max(call_ns, 1.0))))
    looks = tuple(look for look in _LOOKS if look <= most) or (_LEAST_ROUNDS,)
    logs: list[float] = []
    for look in looks if thorough else (1,):
        contents = workload.fresh(program.fingerprint, (look - len(logs)) * calls)
        if not _alike(workload, contents):
            return Renewed()  # inputs whose sizes or numbers are drawn, too: another program
        judged = len(contents) - 1 - random.SystemRandom().randrange(calls)
        request = RenewRequest(
            program=program,
            datasets=workload.sets(),
            fresh=tuple(one.dataset for one in contents),
            calls=calls,
            judged=judged,
            met=met,
        )
        found = desk.engine.renew(request)
        if not isinstance(found, Timed):
            return Renewed(_failed(contents[judged], f"with new inputs in the same buffers: {describe(found)}"))
        if wrong := _misjudged(desk, workload, program, contents[judged]):
            return Renewed(wrong)
        logs += [_longer(one) for one in found.rounds]
        if not thorough or _mean(logs) < _LEAST:
            return Renewed()
        if _remembers(logs):
            said = "calls on inputs met before are far shorter: results are kept, not computed"
            return Renewed(_failed(contents[judged], said))
    return Renewed(longer=_mean(logs) if len(logs) >= min(_LOOKS) else 0.0)


def _calls_a_round(met: int) -> int:
    """Return how many samples' calls a round takes: known content twice, new content's buffers once, and both samples.

    >>> _calls_a_round(12)
    38
    """
    return 3 * met + 2


def _alike(workload: Workload, contents: Sequence[Content]) -> bool:
    """Tell whether content can take the place of the timing sets': the same numbers, types and shapes."""
    return all(
        one.scalars == workload.scalars and _forms(one.dataset) == _forms(workload.sets()[0]) for one in contents
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


def _longer(one: Round) -> float:
    """Return by how much longer (ln) a sample on new content took than the one on known content."""
    known, new = (sample for _, sample in sorted(one.samples, key=lambda row: row[0]))
    if known.device_ns and new.device_ns:
        return log(new.device_ns / known.device_ns)
    return log(new.wall_ns / known.wall_ns)


def _mean(logs: Sequence[float]) -> float:
    """Return by how much longer new content takes on average: some content may be kept, and other content not."""
    return fmean(max(-_MOST, min(_MOST, value)) for value in logs)


def _remembers(logs: Sequence[float]) -> bool:
    """Tell whether new content surely takes longer: nearly every round shows it, and in the middle it is much."""
    longer, most = _LOOKS.get(len(logs), (_SURELY, 0))
    if len(logs) < min(_LOOKS):
        return min(logs) > longer
    return median(logs) > longer and sum(value <= 0 for value in logs) <= most


def _failed(content: Content, reason: str) -> CaseResult:
    case = content.case
    return CaseResult(
        problem=case.problem.key, distribution=case.distribution, seed=case.seed, passed=False, reason=reason,
        guard=Guard.FRESH,
    )  # fmt: skip
