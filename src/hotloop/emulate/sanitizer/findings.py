"""What an execution finds wrong, each once for a pair of places in the program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded


class Trouble(StrEnum):
    """Kinds of findings."""

    WAIT = "missing wait"
    OVERWRITE = "overwritten in flight"
    LOCAL_RACE = "race in local memory"
    GLOBAL_RACE = "race in global memory"
    BARRIER = "unequal barriers"
    BOUNDS = "out of bounds"
    UNINITIALISED = "uninitialised"
    MISALIGNED = "misaligned"
    NEVER = "wait never met"
    ORDER = "depends on order"
    UNUSED = "result never used"
    STALE = "stale local memory"
    UNWRITTEN = "never written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, where, and what it has to do with."""

    trouble: Trouble
    text: str
    """The event in words, without its place."""
    address: int
    """Address of the instruction in the code."""
    line: int | None
    """Line of the listing; None: not known."""
    instruction: str
    other_line: int | None = None
    """The other side: the load that is not waited for, the conflicting access."""
    other_instruction: str = ""
    group: tuple[int, int, int] = (0, 0, 0)
    wave: int = 0
    lane: int | None = None
    times: int = 1
    """How many executions of the instruction were found so."""


class Met(Exception):  # noqa: N818 - an answer, not an error
    """The first finding, which ends an execution that was asked to stop there."""

    def __init__(self, finding: Finding) -> None:
        """Take the finding."""
        super().__init__(finding.text)
        self.finding = finding


@dataclass(slots=True)
class Findings:
    """Findings of an execution, the first of each pair of places with a count."""

    most: int = 100
    first: bool = False
    """Raise `Met` with the first one."""
    _found: dict[tuple[Trouble, int, int], Finding] = field(default_factory=dict)
    since: int | None = None
    """Wave instructions that were executed when the first one was noticed; None: there is none yet."""
    _times: dict[tuple[Trouble, int, int], int] = field(default_factory=dict)
    suspects: dict[tuple[Trouble, int, int], Finding] = field(default_factory=dict)
    """Events that are mistakes only if they change results, which other orders of execution show."""
    notes: dict[int, str] = field(default_factory=dict)
    """Remarks about instructions that are no mistakes, by the instruction's index."""

    def note(self, ins: Decoded, text: str) -> None:
        """Remember what is worth knowing of an instruction, once."""
        self.notes.setdefault(ins.index, f"line {ins.line}: {ins.mnemonic} {text}")

    def add(
        self,
        trouble: Trouble,
        ins: Decoded,
        c: Cohort,
        wave: int,
        lane: int | None,
        text: str,
        other: Decoded | None = None,
        *,
        suspected: bool = False,
    ) -> None:
        """Record one; `wave` counts in the cohort.

        One that is only `suspected` may be harmless: it is reported if results turn out to depend on the order of waves, and where the
        other side is known, also if atomics explain that they do.
        """
        key = (trouble, ins.index, other.index if other else -1)
        if suspected:
            if key not in self.suspects:
                self.suspects[key] = _made(trouble, ins, c, wave, lane, text, other)
            return
        self._times[key] = self._times.get(key, 0) + 1
        if key not in self._found and len(self._found) < self.most:
            self._found[key] = _made(trouble, ins, c, wave, lane, text, other)
        if self.first:
            raise Met(self._found[key])

    def old(self, steps: int, most: int) -> bool:
        """Tell whether the first one was noticed more than `most` wave instructions ago."""
        if self.since is None and self._found:
            self.since = steps
        return self.since is not None and steps - self.since > most

    def earliest(self) -> str:
        """Return the first one in a few words; empty: none."""
        one = next(iter(self._found.values()), None)
        return f"{one.trouble} at line {one.line}: {one.text}" if one else ""

    def all(self) -> tuple[Finding, ...]:
        """Return them in the order in which they were met, with their counts."""
        return tuple(replace(found, times=self._times[key]) for key, found in self._found.items())

    def take(self, other: Findings) -> None:
        """Add those of another execution."""
        for key, found in other._found.items():
            self._times[key] = self._times.get(key, 0) + other._times[key]
            self._found.setdefault(key, found)


def _made(
    trouble: Trouble, ins: Decoded, c: Cohort, wave: int, lane: int | None, text: str, other: Decoded | None
) -> Finding:
    group, number = c.batch.place(int(c.waves_at[wave]))
    return replace(told(trouble, ins, text, other), group=group, wave=number, lane=lane)


def told(trouble: Trouble, ins: Decoded, text: str, other: Decoded | None) -> Finding:
    """Return a finding about an instruction and another one, if there is one, without where it was met."""
    return Finding(
        trouble=trouble,
        text=text,
        address=ins.address,
        line=ins.line,
        instruction=f"{ins.mnemonic} {ins.text}".rstrip(),
        other_line=other.line if other else None,
        other_instruction=f"{other.mnemonic} {other.text}".rstrip() if other else "",
    )
