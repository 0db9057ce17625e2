"""Bank conflicts of described accesses on any target, and layouts without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from hotloop.errors import UsageError
from hotloop.isa.banks.access import Access, Sweep
from hotloop.isa.banks.conflict import Conflicts, Worth, worth
from hotloop.isa.banks.expression import parse
from hotloop.isa.banks.layout import Layout, injective
from hotloop.isa.banks.solve import Solution, Solutions, solve
from hotloop.targets.banks import model

_MOST_POINTS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a user says about accesses and tile."""

    target: str
    accesses: tuple[str, ...] = ()
    """``OP:BITS:ROW:COLUMN``, places in elements of the tile."""
    addresses: tuple[str, ...] = ()
    """``OP:BITS:EXPRESSION``, places in bytes."""
    layout: Layout | None = None
    rows: int | None = None
    """Rows of the tile; None: as many as the accesses touch."""
    sweeps: tuple[str, ...] = ()
    """``NAME=START:STOP:STEP``."""
    wave: int | None = None
    lds_share: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One access with its cost in cycles."""

    access: Access
    cases: tuple[tuple[Mapping[str, int], Conflicts], ...]
    worth: Worth | None

    @property
    def worst(self) -> Conflicts:
        """The most expensive case."""
        return max((conflicts for _, conflicts in self.cases), key=lambda conflicts: conflicts.cycles)

    @property
    def cycles(self) -> float:
        """Mean over the cases."""
        return sum(bank_case.cycles for _, bank_case in self.cases) / len(self.cases)

    @property
    def ideal_cycles(self) -> float:
        """Mean over the cases."""
        return sum(bank_case.ideal_cycles for _, bank_case in self.cases) / len(self.cases)


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything about the accesses of one question."""

    question: Question
    found: tuple[Found, ...]
    rows: int
    injective: bool | None
    """Whether no two elements share a place; None for byte addresses, where there is no layout to judge."""
    solutions: Solutions | None

    @property
    def free(self) -> bool:
        """True when no access has conflicts."""
        return all(f.cycles == f.ideal_cycles for f in self.found)

    def as_json(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "target": self.question.target,
            "layout": asdict(self.question.layout) if self.question.layout else None,
            "rows": self.rows,
            "injective": self.injective,
            "free": self.free,
            "accesses": [_access_json(f) for f in self.found],
            "solutions": _solutions_json(self.solutions),
        }


def ask(question: Question, *, solving: bool) -> Answer:
    """Return what the accesses cost, and layouts without conflicts if asked.

    Raises:
        UnknownNameError: the target.
        UsageError: something that cannot be understood, or that has no layout to solve for.
    """
    if not question.accesses and not question.addresses:
        raise UsageError("say what is accessed with --access OP:BITS:ROW:COLUMN or --address OP:BITS:EXPRESSION.")
    if question.accesses and question.layout is None:
        raise UsageError("--access needs the tile: give --ld and --element.")
    if question.layout:
        question.layout.check()
    sweeps = tuple(_sweep(text) for text in question.sweeps)
    if _points(sweeps) > _MOST_POINTS:
        raise UsageError(f"--for asks for {_points(sweeps)} cases, at most {_MOST_POINTS} are tried; widen the steps.")
    accesses = tuple(_access(question, text, 4, sweeps) for text in question.accesses)
    accesses += tuple(_access(question, text, 3, sweeps) for text in question.addresses)
    findings = tuple(_found(a, question) for a in accesses)
    rows = question.rows or _rows(accesses)
    solutions = None
    if solving:
        if question.layout is None or question.addresses:
            raise UsageError("--solve changes a tile's layout: describe every access with --access, not --address.")
        solutions = solve(accesses, question.layout, rows)
    unique = injective(question.layout, rows) if question.layout else None
    return Answer(question, findings, rows, unique, solutions)


def _found(access: Access, question: Question) -> Found:
    bare = Found(access, access.evaluate(question.layout), None)
    if question.lds_share is None:
        return bare
    return Found(access, bare.cases, worth(bare.cycles, bare.ideal_cycles, question.lds_share))


def _access(question: Question, text: str, parts: int, sweeps: tuple[Sweep, ...]) -> Access:
    pieces = text.split(":")
    if len(pieces) != parts or not pieces[1].strip().isdecimal():
        form = "OP:BITS:ROW:COLUMN" if parts == 4 else "OP:BITS:EXPRESSION"
        raise UsageError(f"{text!r} is not of the form {form}, e.g. 'read:128:lane % 16:8 * (lane // 16)'.")
    bank_model = model(question.target, pieces[0].strip(), int(pieces[1]), question.wave)
    variables = ("lane", *(sweep.name for sweep in sweeps))
    row = parse(pieces[2], variables) if parts == 4 else None
    return Access(bank_model, row, parse(pieces[-1], variables), sweeps)


def _sweep(text: str) -> Sweep:
    name, equals, bounds = text.partition("=")
    try:
        values = range(*(int(part) for part in bounds.split(":")))
    except (TypeError, ValueError):
        values = range(0)
    if not equals or not name.strip().isidentifier() or name.strip() == "lane" or not values:
        raise UsageError(f"--for {text!r} is not of the form NAME=START:STOP:STEP with at least one value.")
    return Sweep(name.strip(), values)


def _points(sweeps: tuple[Sweep, ...]) -> int:
    total = 1
    for sweep in sweeps:
        total *= len(sweep.values)
    return total


def _rows(accesses: tuple[Access, ...]) -> int:
    touched = [row for a in accesses if a.row for _, cells in a.cells() for row, _ in cells]
    return max(touched, default=0) + 1


def _access_json(access: Found) -> dict[str, Any]:
    bank_model = access.access.model
    return {
        "access": access.access.label,
        "banks": bank_model.banks,
        "status": bank_model.status,
        "source": bank_model.source,
        "cycles": access.cycles,
        "ideal_cycles": access.ideal_cycles,
        "degree": access.worst.degree,
        "misaligned_lanes": len(access.worst.misaligned),
        "worth": asdict(access.worth) if access.worth else None,
        "cases": [
            {"values": dict(values), "cycles": c.cycles, "ideal_cycles": c.ideal_cycles, "addresses": c.addresses}
            for values, c in access.cases
        ],
        "phases": [{"lanes": p.lanes, "degree": p.degree, "words_per_bank": p.words} for p in access.worst.phases],
    }


def _solutions_json(solutions: Solutions | None) -> dict[str, Any] | None:
    if solutions is None:
        return None
    named = {
        "padding": solutions.padding,
        "narrow_padding": solutions.narrow_padding,
        "swizzle": solutions.swizzle,
    }
    return {"tried": solutions.tried, **{name: _solution_json(s) for name, s in named.items()}}


def _solution_json(solution: Solution | None) -> dict[str, Any] | None:
    if solution is None:
        return None
    return {**asdict(solution), "lds_bytes": solution.layout.size_bytes(solution.rows)}
