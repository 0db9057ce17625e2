"""The operations that a program calls, with their shapes, counts and shares of the time.

It comes from a run that was watched, from another tool's trace, or from a list of shapes; what one of these does not tell (times,
counts) is absent here. As a file it is JSON; see docs/workload.md.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from hotloop.model.codec import decode, encode
from hotloop.model.problem import Problem
from hotloop.model.record import Record

FORM, VERSION = "hotloop workload", 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Calls of one operation that agree in all that decides what runs."""

    call: str
    """Name of what was called, e.g. ``aten::addmm``."""
    operands: str
    """Shapes, strides where they are not those of a tensor without gaps, and types, as one text."""
    count: int | None = None
    """How often it was called; None where the source does not tell."""
    total_ns: float | None = None
    """Time of all these calls; None where the source does not tell."""
    family: str = ""
    """Kernel family that has this operation; empty where none has."""
    sizes: Record = Record()
    """Sizes of the family's problem; empty where there is none."""
    reason: str = ""
    """Why no family has it, or what of the call its problem leaves out."""

    @property
    def problem(self) -> Problem | None:
        """The family's problem, or None."""
        return Problem(self.family, self.sizes) if self.family else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """All calls of one run of a program."""

    source: str
    """Origin of the calls, e.g. ``ops.record`` or the name of a trace's tool."""
    device: str = ""
    """Device on which the program ran, as the source names it."""
    lines: tuple[Line, ...] = ()
    total_ns: float | None = None
    """Time of everything, also of what no line names; None where the source does not tell."""
    notes: tuple[str, ...] = ()
    """Things that the source cannot show, or that were left out."""

    def share(self, line: Line) -> float | None:
        """Return which part of the whole time a line takes; None where times are not known."""
        if line.total_ns is None or not self.total_ns:
            return None
        return line.total_ns / self.total_ns

    @property
    def heaviest(self) -> tuple[Line, ...]:
        """The lines, those first that take most; where no times are known, those that are called most."""
        return tuple(sorted(self.lines, key=lambda line: (-(line.total_ns or 0.0), -(line.count or 0), line.operands)))


def text_of(tally: Tally) -> str:
    """Return a tally as the text of a file."""
    return json.dumps({"form": FORM, "version": VERSION, **encode(tally)}, indent=1, ensure_ascii=False) + "\n"


def of_data(data: object) -> Tally:
    """Return the tally in a file's JSON data. Raises ValueError, in one sentence, for what is none."""
    if not isinstance(data, dict) or data.get("form") != FORM:
        raise ValueError(f"it does not say that it is a {FORM}")
    if data.get("version") != VERSION:
        raise ValueError(f"it has version {data.get('version')!r}, and this hotloop reads {VERSION}")
    try:
        return decode(data, Tally)
    except ValueError as error:
        first = (str(error).splitlines() or [""])[0]
        raise ValueError(f"it is damaged or incomplete: {first}") from None
