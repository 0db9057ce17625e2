"""Waves of a work-group that tell each other by flags in local memory, without a barrier.

An atomic load looks like a plain one there, an atomic store like a plain one of a single lane. An access is taken for one that waits for a flag
where a short loop repeats it, changes nothing of what it asks for, and goes on or ends by what it brings. Who meets a flag so knows what its writer had waited for, and had heard
from others, when it wrote: the clocks of C. Fidge and of F. Mattern, 1988, with the operations of a wave as its time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.sanitizer.lockfree import READS, follow
from hotloop.isa.amdgcn.registers import EXEC

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded

_LONGEST = 32
"""Instructions of a loop that waits for a flag."""
LOCAL = re.compile(r"ds_(?!read|load|write|store(?!xchg)|bpermute|permute|swizzle|nop)")
"""Atomics of local memory."""
_EFFECTS = re.compile(r".*(barrier|_store(?!xchg)|ds_write)")
_LOCKS = ("ds_cmpst_rtn", "ds_cmpstore_rtn", "ds_wrxchg_rtn", "ds_storexchg_rtn")


def polls(code: Sequence[Decoded]) -> frozenset[int]:
    """Return the accesses to local memory that wait for a flag, or for a lock."""
    return frozenset[int]().union(*(waiting for waiting, _ in _loops(code)))


def glances(code: Sequence[Decoded]) -> frozenset[int]:
    """Return the loads shortly before a loop that waits which decide whether it is entered: compilers put a first look there."""
    before = (
        (ins, begin) for waiting, begin in _loops(code) if waiting for ins in code[max(0, begin - _LONGEST) : begin]
    )
    return frozenset(
        ins.index
        for ins, begin in before
        if ins.name.startswith((*READS[:2], *_LOCKS)) and _decides(ins, code[ins.index + 1 : begin])
    )


def _loops(code: Sequence[Decoded]) -> Iterator[tuple[set[int], int]]:
    """Yield the accesses that wait in each short loop, and where it begins."""
    for end in code:
        if end.target is not None and 0 <= end.index - end.target <= _LONGEST:
            inside = _reached(code, end.target, end.index)
            if end.index in inside:
                yield _repeated([code[index] for index in sorted(inside)]), end.target


def _reached(code: Sequence[Decoded], begin: int, end: int) -> set[int]:
    """Return what can be executed from the beginning of a range on without leaving it."""
    reached, waiting = {begin}, [begin]
    while waiting:
        new = {n for n in follow(code[waiting.pop()], len(code)) if begin <= n <= end} - reached
        reached |= new
        waiting += new
    return reached


def _repeated(loop: Sequence[Decoded]) -> set[int]:
    if any(_EFFECTS.match(ins.name) for ins in loop):
        return set()
    changed = 0
    for ins in loop:
        if not (ins.name.startswith("v_mov_b32") and not ins.operands[1].registers):  # the same number again
            changed |= ins.writes
    swaps = any(LOCAL.match(ins.name) for ins in loop)  # a load beside one reads what it will swap
    names = _LOCKS if swaps else READS[:2]
    return {
        ins.index
        for place, ins in enumerate(loop)
        if ins.name.startswith(names) and not _any(changed, ins) and _decides(ins, (*loop[place + 1 :], *loop[:place]))
    }


def _decides(load: Decoded, after: Sequence[Decoded]) -> bool:
    """Tell whether what a load brings decides, in the instructions behind it, where lanes go on."""
    follows = load.writes
    for ins in after:
        if not ins.reads & follows:
            follows &= ~ins.writes
        elif ins.target is not None or ins.writes >> EXEC & 3:
            return True
        else:
            follows |= ins.writes
    return False


def _any(changed: int, ins: Decoded) -> bool:
    return any(changed >> register & 1 for item in ins.operands[1:] for register in item.registers)


@dataclass(frozen=True, slots=True)
class _Said:
    """What waves knew when they wrote a flag."""

    waves: Array
    known: Array
    """Operations done, of shape [kinds, waves, slots of the work-group]."""


class Flags:
    """What the waves of a batch have heard of each other by flags; nothing in a program that waits for none."""

    __slots__ = ("_glances", "_said", "_slots", "heard", "places", "polls")

    def __init__(self, code: Sequence[Decoded], kinds: int, waves: int, slots: int, places: int) -> None:
        """Take the program, the kinds of operations, the waves of the batch and of a work-group, and the places of local memory."""
        self.polls = polls(code)
        self._glances = glances(code)
        self._slots = slots
        self._said: dict[int, _Said] = {}
        self.heard = np.zeros((kinds, waves, slots) if self.polls else (kinds, 1, 1), np.int64)
        """Operations of each wave of the own work-group that a wave knows to be done, of shape [kinds, waves, slots]."""
        self.places = np.zeros(places if self.polls else 0, bool)
        """Where somebody waited: what single lanes store there, and atomics, are flags, which need no order among themselves."""

    def known(self, ins: Decoded) -> bool:
        """Tell whether an access may wait for a flag, wherever it goes."""
        return ins.index in self.polls or ins.index in self._glances

    def waits(self, ins: Decoded, places: Array, lanes: Array) -> bool:
        """Tell whether an access to places [waves, lanes, parts] waits for a flag, or takes a first look at one: each wave at one place."""
        if ins.index not in self._glances:
            return ins.index in self.polls
        least, most = _ends(places, lanes)
        return bool((least >= most).all())

    def say(self, c: Cohort, entry: int, done: Array, places: Array, lanes: Array, *, atomic: bool) -> None:
        """Waves write what may be a flag, under the number of a write; `done` counts their own operations of each kind; an atomic hears, too."""
        known = self.heard[:, c.waves_at].copy()
        known[:, np.arange(c.waves), c.waves_at % self._slots] = done[:, None]
        least, most = _ends(places, lanes)
        for place in (
            np.unique(least[least == most]).tolist() if atomic else ()
        ):  # one after the other, as their numbers are
            at = np.flatnonzero((least == place) & (most == place))
            known[:, at] = np.maximum.accumulate(known[:, at], axis=1)
            self.heard[:, c.waves_at[at]] = known[:, at]
        self._said[entry] = _Said(c.waves_at.copy(), known)

    def hear(self, c: Cohort, number: Array, wave: Array, lanes: Array) -> None:
        """Waves read what writes left, by number and wave of [waves, lanes, parts]."""
        at = np.nonzero(lanes & (number > 0))
        for own, entry, writer in set(zip(at[0].tolist(), number[at].tolist(), wave[at].tolist(), strict=True)):
            said, reader = self._said.get(entry), int(c.waves_at[own])
            if said is not None:
                known = said.known[:, int(np.flatnonzero(said.waves == writer)[0])]
                self.heard[:, reader] = np.maximum(self.heard[:, reader], known)

    def of(self, kind: Array, wave: Array, readers: Array) -> Array:
        """Return the operations of a kind by waves that readers have heard of."""
        found: Array = self.heard[kind, readers, wave % self._slots]
        return found

    def told(self, number: Array) -> Array:
        """Tell which writes may be flags."""
        return np.isin(number, list(self._said))


def _ends(places: Array, lanes: Array) -> tuple[Array, Array]:
    """Return the first and the last place that each wave's active lanes access."""
    first, active = places[..., 0], lanes[..., 0]
    least, most = (np.where(active, first, end) for end in (np.iinfo(np.int64).max, -1))
    return least.min(axis=-1), most.max(axis=-1)
