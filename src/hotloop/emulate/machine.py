"""Running a grid: work-groups in batches, waves in lockstep as long as they go the same way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.errors import EmulateError, EnoughError, Exhausted
from hotloop.emulate.hazards import inspect
from hotloop.emulate.local import Local
from hotloop.emulate.progress import spins, stand_still
from hotloop.emulate.sanitizer.findings import Findings, Trouble
from hotloop.emulate.sanitizer.shadow_local import LocalShadow
from hotloop.emulate.scratch import Scratch
from hotloop.emulate.shadow_global import GlobalShadow
from hotloop.emulate.state import runs
from hotloop.emulate.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Memory
    from hotloop.emulate.program import Program
    from hotloop.emulate.sanitizer.watching import Observer


_TURN, _TURNS = 250, 80
"""Instructions of a turn, after which it is asked whether waves only wait in a loop, and turns after which other waves go on all the same."""
_STINT = 4_000
"""Instructions of a wave, from barrier to barrier, after which others go on all the same: fewer, as such a loop has a round for each wave."""
_AFTER = 2_000_000
"""Wave instructions that are executed after the first finding, about ten seconds: a loop that a mistake has made endless would use up the
whole budget."""


class Order(Enum):
    """In which order the waves of a work-group execute between barriers, and work-groups beside one another."""

    TOGETHER = "together"
    ASCENDING = "ascending"
    DESCENDING = "descending"
    STRAGGLING = "straggling"
    """Waves together, but the first work-group goes on only when no other one can."""
    FIRST_LAGS = "first lags"
    """Waves together, but the first one of each work-group goes on only when no other one can."""
    LAST_LAGS = "last lags"

    @property
    def apart(self) -> bool:
        """Tell whether some waves are left behind."""
        return self in (Order.STRAGGLING, Order.FIRST_LAGS, Order.LAST_LAGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Settings of an execution: order of waves, budget, checks."""

    late: bool = True
    """Loads read memory when a wait covers them, not when they are issued."""
    order: Order = Order.TOGETHER
    races: bool = True
    """Watch local and device memory for races."""
    undefined: bool = True
    """Watch for registers that are read undefined or before a wait; False: only count and compute."""
    budget: int = 200_000_000
    """Wave instructions after which a kernel is taken for one that never ends."""
    waves: int = 128
    """Waves of a batch."""
    backwards: bool = False
    """Start the last work-group first."""
    first: bool = False
    """Stop at the first finding and raise it as `Met`."""


def left_behind(order: Order, group_of: Array, waves_per_group: int) -> Array:
    """Tell which waves of a batch go on only when no other one can."""
    slot = np.arange(len(group_of)) % waves_per_group
    chosen = {
        Order.STRAGGLING: group_of == 0,
        Order.FIRST_LAGS: slot == 0,
        Order.LAST_LAGS: slot == waves_per_group - 1,
    }
    return np.asarray(chosen.get(order, np.zeros(len(group_of), bool)))


class Batch:
    """Work-groups that run at the same time, with what they share."""

    def __init__(
        self, program: Program, memory: Memory, groups: Array, waves_per_group: int, lds_bytes: int,
        options: Options, findings: Findings, counts: Array, shadow: GlobalShadow | None, observer: Observer | None,
    ) -> None:  # fmt: skip
        """Take groups as rows of three numbers."""
        count = len(groups)
        self.program, self.memory, self.options, self.findings = program, memory, options, findings
        self.late = options.late
        self.numbers = groups
        self.waves_per_group = waves_per_group
        waves = count * waves_per_group
        self.group_of = np.repeat(np.arange(count), waves_per_group)
        self.behind = left_behind(options.order, self.group_of, waves_per_group)
        self.lds_bytes = lds_bytes
        local_shadow = (
            LocalShadow(
                count, -(-lds_bytes // 16) * 16 + 16, waves_per_group, small=program.small, phased=program.phased
            )
            if options.races and lds_bytes
            else None
        )
        self.local = Local(count, lds_bytes, observer, local_shadow)
        self.scratch = Scratch(waves, program.layout.lanes, program.descriptor.scratch_bytes)
        self.traffic = Traffic(memory, observer, shadow)
        self.observer = observer
        self.live = np.full(count, waves_per_group)
        self.barriers = np.zeros(waves, np.int64)
        """Barriers that each wave has passed."""
        self._since = np.zeros(waves, np.int64)
        """Instructions of each wave since all have had their turn."""
        self.counts = counts
        """Executions of each instruction, summed over waves."""
        self.signals = np.zeros(waves, np.int64)
        """First halves of split barriers that each wave has executed."""
        self.steps = 0
        self.changes = 0
        """Changes of memory that other waves can see."""
        self.cohorts: list[Cohort] = []

    def place(self, wave: int) -> tuple[tuple[int, int, int], int]:
        """Return the work-group and the number in it of a wave."""
        x, y, z = (int(n) for n in self.numbers[self.group_of[wave]])
        return (x, y, z), wave % self.waves_per_group

    # -- what steps ask for -----------------------------------------------------------------------------------------

    def part(self, c: Cohort, taken: Array, target: int) -> None:
        """Split a cohort: some waves go on at another instruction."""
        away, rest = c.part(np.flatnonzero(taken)), c.part(np.flatnonzero(~taken))
        away.pc = target
        self.cohorts += [away, rest]
        c.signal = True

    def jump(self, c: Cohort, ins: Decoded, addresses: Array) -> None:
        """Let waves go on at addresses."""
        aims = list(runs(addresses))
        for address, _ in aims:
            if int(address) not in self.program.places:
                found = self.findings.earliest()
                before = f"; reported before that was {found}" if found else ""
                raise EmulateError(
                    f"{ins.where()} goes to {int(address):#x}, where no instruction of the listing stands{before}."
                )
        if len(aims) == 1:
            c.pc = self.program.places[int(aims[0][0])]
            return
        for address, chosen in aims:
            part = c.part(chosen)
            part.pc = self.program.places[int(address)]
            self.cohorts.append(part)
        c.signal = True

    def end(self, c: Cohort) -> None:
        """Take waves out that have ended."""
        self.live -= np.bincount(c.groups, minlength=len(self.live))
        self._compare_barriers(c)
        c.signal = True

    def _compare_barriers(self, c: Cohort) -> None:
        """Report a work-group that has ended and whose waves have passed different numbers of barriers."""
        for number in np.unique(c.groups[self.live[c.groups] == 0]).tolist():
            first = number * self.waves_per_group
            passed = self.barriers[first : first + self.waves_per_group]
            if passed.min() != passed.max() and c.instruction is not None:
                least = int(passed.argmin())
                text = f"wave {least} passed {int(passed.min())} barriers, another one of its work-group {int(passed.max())}"
                self.findings.add(
                    Trouble.BARRIER, c.instruction, c, int(np.flatnonzero(c.groups == number)[0]), None, text
                )

    def barrier(self, c: Cohort) -> None:
        """Let waves pass a barrier whose work-groups are all there, or make them wait."""
        here = np.bincount(c.groups, minlength=len(self.live))[c.groups]
        if (here == self.live[c.groups]).all():
            self._pass(c)
            return
        c.blocked = c.signal = True
        self.cohorts.append(c)

    def signal(self, c: Cohort) -> None:
        """Take note of the first half of a split barrier."""
        self.signals[c.waves_at] += 1

    def signal_first(self, c: Cohort) -> None:
        """Take note of first halves one wave after another; the condition tells whether nobody of the work-group was there before."""
        for place, wave in enumerate(c.waves_at.tolist()):
            first = self.group_of[wave] * self.waves_per_group
            c.scc[place] = self.signals[wave] >= self.signals[first : first + self.waves_per_group].max()
            self.signals[wave] += 1

    def await_(self, c: Cohort) -> None:
        """The second half of a split barrier."""
        absent = self.signals[c.waves_at] <= self.barriers[c.waves_at]
        if absent.any() and c.instruction is not None:
            text = "waits at a barrier that its own wave has not signalled"
            self.findings.add(Trouble.NEVER, c.instruction, c, int(absent.argmax()), None, text)
        self.barrier(c)

    def _pass(self, c: Cohort) -> None:
        self.barriers[c.waves_at] += 1
        if self.local.shadow is not None:
            self.local.shadow.barrier(c, self.barriers)
        if self.traffic.shadow is not None:
            self.traffic.shadow.barrier(c, self.barriers)

    # -- scheduling -------------------------------------------------------------------------------------------------

    def run(self, first: Sequence[Cohort]) -> None:
        """Execute until all waves have ended."""
        self.cohorts = list(first)
        seen = -1
        while self.cohorts:
            if self.findings.old(self.steps, _AFTER):
                raise EnoughError
            chosen = self._next()
            if chosen is None:
                if self._release():
                    continue
                if any(not c.blocked for c in self.cohorts):
                    if seen == self.changes:
                        stand_still(self)
                    seen = self.changes
                    for c in self.cohorts:
                        c.tired, c.turns = False, 0
                    self._since[:] = 0
                else:
                    self._refuse()
                continue
            self.cohorts.remove(chosen)
            chosen = self._joined(chosen)
            waves, before = chosen.waves_at, self.steps
            try:
                self._advance(chosen)
            except (
                IndexError,
                TypeError,
                ValueError,
            ) as error:  # registers of another file, as damaged listings name them
                if chosen.pc >= len(self.program.code):
                    raise EmulateError(
                        f"the code goes on behind its last instruction, {self.program.code[-1].where()}; a kernel ends with s_endpgm."
                    ) from None
                if chosen.instruction is None:
                    raise
                raise chosen.instruction.unmodelled("its operands are of the wrong kind") from error
            went = (self.steps - before) // len(waves)
            self._tire(waves, went)
            if self.observer is not None:
                self.observer.went(waves, went)

    def _tire(self, waves: Array, went: int) -> None:
        """Let others go first where waves have gone on for long, also from barrier to barrier.

        A loop that waits for other work-groups may have barriers in it, where one lane asks and tells the others by local memory.
        """
        self._since[waves] += went
        if self._since[waves].min() < _STINT:
            return
        for c in self.cohorts:
            c.tired = c.tired or bool(self._since[c.waves_at].min() >= _STINT)

    def _next(self) -> Cohort | None:
        """Return who has the next turn; None: all wait at barriers, or had their turn."""
        ready = [c for c in self.cohorts if not c.blocked and not c.tired]
        if not ready:
            return None
        if self.options.order.apart:
            swift = [c for c in ready if not self._straggles(c)]
            if not swift and self._release():
                return self._next()
            ready = swift or ready
        elif self.options.order is not Order.TOGETHER:
            return ready[0]
        return min(ready, key=lambda c: c.pc)

    def _straggles(self, c: Cohort) -> bool:
        return bool(self.behind[c.waves_at[0]])

    def _joined(self, chosen: Cohort) -> Cohort:
        """Unite cohorts that stand at the same instruction with nothing outstanding."""
        for other in [c for c in self._beside(chosen) if c.pc == chosen.pc and not c.blocked]:
            if chosen.meets(other):
                self.cohorts.remove(other)
                chosen = chosen.united(other)
        return chosen

    def _beside(self, chosen: Cohort) -> list[Cohort]:
        """Return the cohorts that may execute as one with another one."""
        if self.options.order.apart:
            return [c for c in self.cohorts if self._straggles(c) == self._straggles(chosen)]
        return self.cohorts if self.options.order is Order.TOGETHER else []

    def _advance(self, c: Cohort) -> None:
        """Execute until the cohort splits, waits, ends, comes to where another one stands, or its turn is over."""
        code, counts, waves = self.program.code, self.counts, c.waves
        barrier = min((o.pc for o in self._beside(c) if not o.blocked and not o.tired), default=None)
        left = _TURN - c.passed
        budget, watching = self.options.budget, self.options.undefined
        while True:
            index = c.pc
            ins = code[index]
            c.pc = index + 1
            c.instruction = ins
            if not (watching and ins.touches & c.watch and inspect(c, ins)):
                ins.step(c)
            counts[index] += waves
            self.steps += waves
            if c.signal:
                c.signal = False
                if self.steps > budget:
                    self._exhausted(ins)
                return
            left -= 1
            if left == 0 or (barrier is not None and c.pc >= barrier) or self.steps > budget:
                if self.steps > budget:
                    self._exhausted(ins)
                c.passed = _TURN - left if left > 0 else 0
                if c.passed or not self._weary(c):
                    self.cohorts.append(c)
                return

    def _weary(self, c: Cohort) -> bool:
        """At the end of a turn, tell whether others are asked first; true too when the waves no longer run as one."""
        c.turns += 1
        spinning, alive = spins(self, c)
        if not alive:
            return True
        c.tired = spinning or c.turns >= _TURNS
        return False

    def _exhausted(self, ins: Decoded) -> None:
        raise Exhausted(self.options.budget, ins.where(), self.findings.earliest())

    def _refuse(self) -> None:
        stuck = self.cohorts[0]
        assert stuck.instruction is not None
        raise EmulateError(f"no wave can go on: they wait at {stuck.instruction.where()} for waves that never come.")

    def _release(self) -> bool:
        """Let the work-groups go on of which all waves wait at a barrier, and tell whether there is one.

        Waves of other work-groups that stand beside them may go round in a loop until these have gone on.
        """
        arrived = np.zeros(len(self.live), np.int64)
        for c in self.cohorts:
            if c.blocked:
                np.add.at(arrived, c.groups, 1)
        complete = (arrived == self.live) & (self.live > 0)
        if not complete.any():
            return False
        parts = []
        for c in self.cohorts:
            free = complete[c.groups] & c.blocked
            if free.all():
                parts.append(c)
            elif free.any():
                parts += [c.part(np.flatnonzero(free)), c.part(np.flatnonzero(~free))]
                parts[-1].instruction = parts[-2].instruction = c.instruction
            else:
                parts.append(c)
        for c in parts:
            if c.blocked and complete[c.groups].all():
                c.blocked = False
                self._pass(c)
        self.cohorts = parts
        return True
