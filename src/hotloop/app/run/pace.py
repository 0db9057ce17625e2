"""What is left of a budget, and what of it the end of a run needs: judged by what the parts of this very run took so far.

A winner counts only after its full verification and a last comparison, so a search must stop while there is time for both.
How long they take differs by orders of magnitude between kernels, and on a busy machine from minute to minute. All figures
come from the journal, so that a resumed run decides as the first one did.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from hotloop.app.leaving import LIKE_BASELINE, TRYING_S, budgeted, left_anywhere
from hotloop.app.run import foresight, honest, timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.errors import SpentError
from hotloop.host import threads
from hotloop.ports import Numerous

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.subject import Subject

END_S, END_OF_START = 0.7, 0.3
"""Time in s that is kept for writing the report and ending the worker; on a busy machine it takes longer, as the start did."""
END_SHARE = 0.125
"""Largest part of a budget that is kept for that, where it is more than a run may be late: at load 30 a start took 17 s and an end 6.7 s."""
SLACK = 0.5
"""Part of a comparison's time for which the first finalist of a search gets it still: what was found would be lost otherwise."""
LATE_S, LATE_SHARE = 2.0, 0.05
"""By how much a run may exceed its budget: the larger of a time and a part of it."""
LEAST_S = 1.0
"""A comparison is not begun when less than this many seconds are left for it."""
LEAST_BASELINE_S = 5.0
"""What a baseline gets in any case of a budget for trying a command: without a baseline it would show nothing."""
MOST_SHARE = 0.7
"""Largest part of what the baseline leaves of the budget that is reserved for the end, so that a run can try something."""
CEILINGS_SHARE = 0.15
"""Largest part of a budget that may go into measuring the machine's ceilings."""
LONG_START = 0.25
"""Part of a budget that a start takes on a machine that is too busy for it: what is left is for the baseline and a comparison."""
_LIKE_START = 2.5
"""A run also needs at least so many times what its start took: 2.2 were enough for a source without a kernel file, 5 to 8 for a slow product."""
FIRST_SHARE = 0.08
"""Expected overhead of the first comparison beside its calls, as a part of the budget. The baseline took longer, but that includes starting
the worker, opening the device and measuring the ceilings, which happen once."""
_FIRST_CALLS = 60
"""Assumed number of kernel calls in a comparison: quick cases of two variants, warm-up and rounds."""
_SLOW_CALLS, _LONG_CALLS, _LONG_REFERENCES = 24, 14, 2
"""The same where calls are slow, and where they are so slow that a large difference is decided at once; and the number of references of new
inputs there."""
_FIRST_MOVES = 20
"""Assumed number of times that the problem's arrays are transferred in a comparison: for cases, judged sets and looks at new content."""
_RECENT = 3
_CASE_S = 0.02
"""Assumed time in s for running and judging one small case."""
_BYTE_S = 1.5e-9
"""Time in s for moving one byte of an array to the device and back and comparing it: an estimate, 128 MB took 0.2 s beside an H200."""
_ADDED_S = 3.0
"""Time limit in s of all cases of a problem that hotloop adds by itself, see `Workload.attempt`."""
MADE_UP_SHARE = 0.1
"""Largest part of a budget, approximately, that may go into large cases that hotloop adds by itself."""
LEAST_PATIENCE = 1 / 3
"""Part of the limit for added cases that they get in any case, however late the run is."""


@dataclass(slots=True)
class Pace:
    """The time of one run."""

    desk: Desk
    budget_s: float
    _duels_s: deque[float] = field(default_factory=lambda: deque([0.0], maxlen=_RECENT))
    _assumed: bool = False
    """Whether no candidate was compared yet, so that what a comparison takes is an assumption."""
    _full_s: float = 0.0
    _renewing_s: float = 0.0
    """Additional time of the winner's comparison with the baseline over its first one, because all inputs have been used before and new ones
    are drawn."""
    _beside_start_s: float = 0.0
    """What comparing a candidate with the baseline took at most. The last comparison calls the baseline, too, however fast the winner is;
    comparisons of fast candidates with one another say nothing about that."""
    _look_s: float = 0.0
    """What looks of a search took lately, at worst; 0 before the first one."""
    _usual_s: float = inf
    """What verifying a program and its rounds beside another one are expected to take, without looks at what a lead rests on."""
    hosted: bool = False
    """Whether the winner is also compared as a host launches it that stays as it is."""
    _comparisons: int = field(init=False)
    """Number of final comparisons with the baseline: two, on two devices, where there are several; one more for a host that stays as it is."""
    _began_s: float = 0.0
    """Time that was spent when the end was estimated."""
    _start_s: float = field(init=False)
    _end_s: float = field(init=False)

    def __post_init__(self) -> None:
        """Keep a part of what the start took for the end, no more than a part of the budget or by what a run may be late."""
        self._comparisons = 1 + self.hosted
        self._start_s = self.desk.spent_s
        self._end_s = max(END_S, min(END_OF_START * self._start_s, max(END_SHARE * self.budget_s, self.late_s)))

    @property
    def left_s(self) -> float:
        """Return what is left for everything."""
        return self.budget_s - self._end_s - self.desk.spent_s

    @property
    def last_s(self) -> float:
        """Return what the last comparison may take: where a run is late already, what one took lately, verification included.

        Else all that was found would be lost, and the time that its verification took with it. A second device's is left its part.
        """
        return max(self.left_s - (self._comparisons - 1) * self.overall_s, LATE_S + self.overall_s)

    @property
    def ceilings_s(self) -> float:
        """Return what the ceilings may take; 0 where the start took so much that nothing but the baseline and a comparison may fit."""
        long = self._start_s > LONG_START * self.budget_s
        return 0.0 if long else min(CEILINGS_SHARE * self.budget_s, self.left_s / 2)

    @property
    def duel_s(self) -> float:
        """Return what verifying and comparing a candidate took lately, at worst."""
        return max(self._duels_s)

    @property
    def overall_s(self) -> float:
        """Return what one comparison of the winner with the baseline will take."""
        return max(self.duel_s, self._beside_start_s)

    @property
    def comparing_s(self) -> float:
        """Return what the winner's comparisons with the baseline will take."""
        return self._comparisons * self.overall_s + self._renewing_s

    @property
    def full_s(self) -> float:
        """Return what verifying a winner on every case will take."""
        return self._full_s

    def verified(self) -> None:
        """Note what the latest answer took, which was a full verification: the next one may meet a busier machine, so it is not expected to take less."""
        self._full_s = max(self._full_s, self.desk.latest_s)

    @property
    def reserve_s(self) -> float:
        """Return what the end of the run will take: a first comparison that leaves no time for it would be of no use."""
        return min(self._full_s + self.comparing_s, MOST_SHARE * max(0.0, self.budget_s - self._began_s))

    @property
    def patience_s(self) -> float:
        """Return what large cases that nobody asked for get of a winner's verification: less than usual in a run that is late."""
        usual_s, spare_s = MADE_UP_SHARE * self.budget_s, self.left_s - self.comparing_s - self._full_s
        return min(usual_s, max(LEAST_PATIENCE * usual_s, usual_s + spare_s))

    @property
    def room_s(self) -> float:
        """Return what is left before the end has to begin."""
        return self.left_s - self.reserve_s

    @property
    def step_s(self) -> float:
        """Return what is left for a comparison: of a run that compared nothing yet it may be the only one, and then needs no second one."""
        return max(self.room_s, self.left_s - self._full_s) if self._assumed else self.room_s

    @property
    def searching_s(self) -> float:
        """Return what is left for looks of a search beside the first one, so that its best gets two comparisons, or one.

        A look is expected to take what looks took lately; before there was one, what was answered last, and no more than a comparison.
        """
        one_s = self.duel_s + min(self._look_s or self.desk.latest_s, self.duel_s)
        usual_s = self.room_s - one_s
        return usual_s if usual_s > LEAST_S else self.step_s - one_s

    def looked(self, look_s: float) -> None:
        """Note what looks of a search took at worst, where one was measured: whether there is time for another is judged by that."""
        self._look_s = look_s or self._look_s

    @property
    def late_s(self) -> float:
        """Return by how much the run may exceed its budget."""
        return max(LATE_S, LATE_SHARE * self.budget_s)

    @property
    def trying_s(self) -> float:
        """Return after what time an attempt that is under way is left: what it would show could not be confirmed any more."""
        return max(LEAST_S, self.step_s + self.late_s)

    @property
    def ending_s(self) -> float:
        """Return after what time the verification and the last comparison of a winner are left: it is dropped then."""
        return max(LEAST_S, self.left_s + self.late_s)

    @property
    def baseline_s(self) -> float:
        """Return after what time a baseline is left that is not timed by then; with a budget for trying a command it gets some seconds in any case.

        Of such a budget that the start alone spent nothing can be kept, so there it gets as long as the start took.
        """
        if self.budget_s >= TRYING_S:
            return max(0.0, self.left_s + self.late_s)
        return max(LEAST_BASELINE_S, self._start_s if self._start_s > self.budget_s else 0.0, self.ending_s)

    @contextmanager
    def bounded(self, what: str, limit_s: float, *, anywhere: bool = False) -> Iterator[None]:
        """Leave a block with SpentError after a time; a run that is resumed leaves it at once, as the journal says that it was left.

        `anywhere`: not only out of requests to the engine, but out of whatever it is at, such as a reference that NumPy computes. Where
        something goes on with what was half done, it must not be.
        """
        key = f"left {what}"
        if self.desk.journal.recall(key) is None:
            try:
                with left_anywhere(limit_s if anywhere else inf), self.desk.bounded(limit_s):
                    yield
                    return
            except SpentError as spent:
                reason = spent
        else:
            reason = SpentError("the budget had ended in the middle of this.")
        self.desk.remember(key, float, lambda: 0.0)  # what it took counts, too
        raise reason

    def beyond(self, share: float) -> bool:
        """Tell whether more than a part of what the baseline left is spent."""
        return self.desk.spent_s - self._began_s > share * (self.budget_s - self._began_s)

    def allows(self, *, end: bool = False) -> bool:
        """Tell whether another comparison fits: before the end of the run, or in it."""
        return (self.left_s if end else self.step_s) > max(LEAST_S, self.duel_s)

    def allows_peer(self) -> bool:
        """Tell whether a comparison with a peer fits.

        One of candidates may have taken minutes because looks at what a lead rests on came after its rounds. A peer is seldom so far behind
        that they are needed; where they are, the comparison is left when the run has to end.
        """
        return self.left_s > max(LEAST_S, min(self.duel_s, self._usual_s))

    def allows_finalist(self, *, first: bool) -> bool:
        """Tell whether a finalist's comparison fits; the first one's may make the end late, or all that was found is lost."""
        late_s = max(LEAST_S, self.duel_s) - self.step_s
        return self.allows() or (first and late_s < max(SLACK * self.duel_s, self.late_s))

    def compared(self, once_s: float = 0.0, *, timed: bool = True, start: bool = False) -> None:
        """Note what the latest answer took, which was a comparison; of it `once_s` for inputs and references that are kept.

        `start`: it was one with the baseline, so the last one takes as long.

        The first one that was `timed`, and not refused before, takes the place of what `expect` assumed. What was refused says at least
        how long one takes: after three that do not compile the end would be expected to take no time.
        """
        took_s = max(0.0, self.desk.latest_s - once_s)
        if not timed and took_s <= self.duel_s:
            return
        if timed and self._assumed:
            self._duels_s.clear()
            self._assumed = False
        self._duels_s.append(took_s)
        if start and timed:
            self._beside_start_s = max(self._beside_start_s, took_s)

    def expect(self, workload: Workload, subject: Subject, call_ns: float, key: str) -> None:
        """Estimate what the full verification of a winner takes, from what the quick one of the baseline took; kept under `key`.

        From now on a comparison, of which there was none yet, is expected to take less than the baseline with all that began there.
        """
        self._assumed, self._began_s = True, self.desk.spent_s
        long = call_ns >= timing.LONG_CALL_NS
        calls = _SLOW_CALLS if call_ns >= timing.SLOW_CALL_NS else _FIRST_CALLS
        engine = self.desk.engine
        way_s = engine.byte_s if isinstance(engine, Numerous) else 0.0
        self._renewing_s = self.desk.remember(
            f"{key}, new content", float, lambda: honest.renewing_s(self.desk, workload, way_s)
        )
        pressed = self.desk.remember(f"{key}, beside others", float, pressure)
        calls_s = (_LONG_CALLS if long else calls) * call_ns / 1e9 + self._renewing_s
        calls_s += _LONG_REFERENCES * workload.preparing_s().get(workload.problem, 0.0) if long else 0.0
        at_most_s = pressed * FIRST_SHARE * self.budget_s + calls_s
        self._usual_s = at_most_s
        at_least_s = min(at_most_s, calls_s + _FIRST_MOVES * _BYTE_S * workload.set_bytes)
        self._duels_s = deque((max(at_least_s, min(duel_s, at_most_s)) for duel_s in self._duels_s), maxlen=_RECENT)

        def full_s() -> float:
            running_s = full_check_s(workload, call_ns, pressed * _BYTE_S + way_s, pressed * _CASE_S)
            return running_s + foresight.building_s(self.desk, workload, subject)

        self._full_s = self.desk.remember(key, float, full_s)
        if isinstance(engine, Numerous):
            lanes = self.desk.remember(f"{key}, comparisons", int, lambda: min(2, len(engine.lanes())))
            self._comparisons = lanes + self.hosted

    @property
    def enough_s(self) -> float:
        """Return the budget that would do for a comparison and the end, as far as what passed tells."""
        return self.desk.spent_s + max(LEAST_S, self.duel_s) + self._full_s + self.comparing_s + self._end_s

    def short_start(self) -> str:
        """Return what to say of a budget of which the start took so much that nothing may come of it; empty for any other."""
        least_s = _LIKE_START * self._start_s
        if least_s <= self.budget_s:
            return ""
        return (
            f"the start took {self._start_s:.0f} s of the budget of {self.budget_s:g} s, as on a busy machine; baseline and comparisons take longer "
            f"than a start, so give at least {budgeted(least_s)}"
        )

    def short_baseline(self) -> str:
        """Return what to say of a budget that ended before the baseline was timed."""
        baseline_s = max(self.desk.spent_s - self._start_s, self._start_s)
        return (
            f"the budget of {self.budget_s:g} s ended before the baseline was verified and timed: {self._start_s:.0f} s had passed before it; "
            f"give at least {budgeted(self._start_s + LIKE_BASELINE * baseline_s)}"
        )

    def __str__(self) -> str:
        """Say where a budget that is too short goes, and what would do."""
        return (
            f"{self.desk.spent_s:.0f} s passed, and the end is expected to take {self._full_s + self.comparing_s:.0f} s: "
            f"the winner's full verification {self._full_s:.0f} s, a comparison {self.duel_s:.1f} s; {budgeted(self.enough_s)} would do"
        )


def within(budget_s: float, desk: Desk, kernel: Kernel, problem: Problem) -> Workload:
    """Return a workload for a run of so many seconds."""
    return Workload(desk.engine, kernel, problem, desk.device, desk.seed, patience_s=MADE_UP_SHARE * budget_s)


def pressure() -> float:
    """Return how much longer this process takes than it would alone, as far as its threads waited for processors; 1.0 where nothing tells."""
    ran_ns, waited_ns = threads.waited_ns() or (1, 0)
    return 1.0 + waited_ns / ran_ns


def full_check_s(workload: Workload, call_ns: float, byte_s: float = _BYTE_S, case_s: float = _CASE_S) -> float:
    """Return the expected time of a full verification in s: inputs and references of its cases, and their runs.

    Args:
        workload: which has prepared the cases of a quick verification.
        call_ns: time of a call on the problem itself.
        byte_s: time in s for moving one byte of an array to the device and back and comparing it.
        case_s: time in s for running and judging one small case.
    """
    cases = [case for case in workload.cases("full", workload.seed) if not workload.prepared(case)]
    plain = Counter(case.problem for case in cases if not case.added)
    added = Counter(case.problem for case in cases if case.added)
    preparing_s = workload.preparing_s()
    rest = [each for problem, each in preparing_s.items() if problem != workload.problem]
    # a launch's other problems are as large as its own
    small_s = _mean(rest or preparing_s.values() if workload.kernel.launched else rest)
    spent_s = (
        workload.truth.confirming_s
        + case_s * len(cases)
        + 2e-9 * call_ns * (plain[workload.problem] + added[workload.problem])
    )
    made_up_s = 0.0
    for problem in {*plain, *added}:
        each_s = preparing_s.get(problem, small_s)
        spent_s += plain[problem] * each_s
        made_up_s += min(2 * added[problem] * each_s, _ADDED_S + each_s)
    own_s = preparing_s.get(workload.problem, small_s)
    tried = min(added[workload.problem], int(min(workload.patience_s, _ADDED_S) / (2 * own_s)) + 1 if own_s else 0)
    moved_bytes = 2 * workload.set_bytes * (plain[workload.problem] + tried)  # each case runs twice
    # Patience ends between cases: the last one may begin just before.
    return spent_s + min(made_up_s, workload.patience_s + 2 * own_s) + byte_s * moved_bytes


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0
