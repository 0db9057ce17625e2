"""Applying rules: where a rule fits, whether registers allow it there, and what comes instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from hotloop.errors import UsageError
from hotloop.isa.amdgcn.registers import SGPR, access, operands
from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.patch import fresh, scope
from hotloop.isa.patch.change import Applied, Change
from hotloop.isa.patch.pattern import Pattern, filled
from hotloop.isa.patch.recipe import Rule

_REACH = 128
"""Instructions after the first one of a rule among which the others are looked for."""


class Obstacle(StrEnum):
    """What keeps a rule from a place where it fits by its text; the value completes 'is not applied … places'."""

    ORIGIN = "with another origin"
    """An operand was not made as ``where`` says."""
    OVERWRITTEN = "where an operand is overwritten first"
    NEEDED = "where a result is needed in between"


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a place is left alone."""

    obstacle: Obstacle
    reason: str
    """The reason, with the instruction and its line."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A place where a rule fits by its text, and why it is left alone."""

    rule: str
    line: int
    why: Unfit


@dataclass(slots=True)
class Found:
    """What became of a rule."""

    refused: list[Refused] = field(default_factory=list)
    kept: dict[int, str] = field(default_factory=dict)
    """Lines of instructions named in ``where`` that are still needed, each with who needs it."""
    spare: list[int] = field(default_factory=list)
    """Lines of those that nobody needs any more."""


def apply(rule: Rule, function: Function, change: Change) -> Found:
    """Add to `change` what a rule does to a function.

    Raises:
        UsageError: it fits nowhere, or in fewer places than it asks for, or its texts do not fit together.
    """
    around, places = scope.Scope.of(function), Found()
    finder = _Finder(rule, places)
    taken: set[int] = set()
    alike: dict[str, str] = {}
    definitions: dict[int, tuple[int, int]] = {}
    done = 0
    for number, block in enumerate(around.graph):
        for place in finder.places(block.instructions, taken, change):
            if done == rule.most:
                break
            if any(alike.setdefault(name, place.names[name]) != place.names[name] for name in rule.alike):
                continue
            if (lost := _lost(rule, around, number, place)) is not None:
                places.refused.append(Refused(rule.name, _line(block.instructions[place.at[0]]), lost))
                continue
            _put(rule, block.instructions, place, change, function)
            taken.update(_line(block.instructions[at]) for at in place.at)
            definitions.update({_line(block.instructions[at]): (number, at) for at in place.made})
            done += 1
    if done < rule.least:
        why = (
            f"; {len(places.refused)} more fit by their text, the first in line {places.refused[0].line}: {places.refused[0].why.reason}"
            if places.refused
            else ""
        )
        raise UsageError(
            f"rule {rule.name or rule.find[0]} applies in {done} places of {function.name}, not in {rule.least}{why}."
        )
    _needed(around, definitions, taken, places)
    return places


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a rule fits: places of its instructions in a block, its names, and who made operands of `where`."""

    at: tuple[int, ...]
    names: Mapping[str, str]
    made: tuple[int, ...] = ()


class _Finder:
    """Finds the places where one rule applies."""

    def __init__(self, rule: Rule, found: Found) -> None:
        self.rule, self.found = rule, found
        self.find = [Pattern.of(text) for text in rule.find]
        self.where = [Pattern.of(text) for text in rule.where]
        self.given = dict(text.partition("=")[::2] for text in rule.given)
        for pattern in self.where:
            if not pattern.first:
                raise UsageError(
                    f"rule {rule.name}: where begins with a name, as in 'v_and_b32 $x1, 0xffff0000, $x', not {pattern.text!r}."
                )

    def places(self, code: Sequence[Instruction], taken: set[int], change: Change) -> Iterator[_Place]:
        """Yield places in order; what is `taken` meanwhile is not looked at again."""
        for first in range(len(code)):
            seen = dict[int, Unfit]()
            for candidate in self._from(code, (), first, self.given, taken, change):
                checked = self._made(code, candidate)
                unfit = checked if isinstance(checked, Unfit) else _blocked(code, candidate, self.rule)
                if isinstance(checked, _Place) and unfit is None:
                    yield checked
                    seen.clear()
                    break
                if unfit is not None:
                    seen.setdefault(_line(code[first]), unfit)
            self.found.refused += [Refused(self.rule.name, line, unfit) for line, unfit in seen.items()]

    def _from(
        self, code: Sequence[Instruction], at: tuple[int, ...], begin: int, names: Mapping[str, str], taken: set[int], change: Change
    ) -> Iterator[_Place]:  # fmt: skip
        pattern = self.find[len(at)]
        end = begin + 1 if not at else min(len(code), begin + _REACH)
        for place in range(begin, end):
            line = _line(code[place])
            if line in taken or line in change.lines:
                continue
            bound = pattern.match(code[place], names)
            if bound is None:
                continue
            if len(at) + 1 == len(self.find):
                yield _Place((*at, place), bound)
            else:
                yield from self._from(code, (*at, place), place + 1, bound, taken, change)

    def _made(self, code: Sequence[Instruction], place: _Place) -> _Place | Unfit:
        """Return the place with the names that `where` binds, or why it does not hold."""
        names, made = dict(place.names), list[int]()
        for pattern in self.where:
            if pattern.first not in names:
                raise UsageError(
                    f"rule {self.rule.name}: {pattern.text!r} says who made ${pattern.first}, which find does not name."
                )
            use = next(at for at, matched in zip(place.at, self.find, strict=True) if pattern.first in matched.names)
            registers = _registers(names[pattern.first])
            if not registers:
                return Unfit(Obstacle.ORIGIN, f"{names[pattern.first]} is no register")
            at = scope.writer(code, use, min(registers))
            bound = pattern.match(code[at], names) if at is not None else None
            if at is None or bound is None:
                return Unfit(Obstacle.ORIGIN, f"{names[pattern.first]} was not made by {pattern.text}")
            sources = frozenset(_registers_of(bound, names))
            if (over := scope.written_between(code, at - 1, place.at[-1], sources)) is not None:
                words = f"{code[over].mnemonic} in line {code[over].line} overwrites what {pattern.text} read"
                return Unfit(Obstacle.OVERWRITTEN, words)
            names, made = bound, [*made, at]
        return replace(place, names=names, made=tuple(made))


def _registers_of(now: Mapping[str, str], before: Mapping[str, str]) -> set[int]:
    return {register for name in set(now) - set(before) for register in _registers(now[name])}


def _registers(operand: str) -> tuple[int, ...]:
    operand_list = operands(operand)
    return operand_list[0] if operand_list else ()


def _line(instruction: Instruction) -> int:
    return instruction.line or 0


# -- whether registers allow it ---------------------------------------------------------------------------------------


def _blocked(code: Sequence[Instruction], place: _Place, rule: Rule) -> Unfit | None:
    """Return why instructions cannot be taken together at the last one's place; None where they can."""
    last, mine = place.at[-1], frozenset(place.at)
    for at in place.at[:-1]:
        reads, writes = scope.touched(code[at])
        if (over := scope.written_between(code, at, last, reads | writes, mine)) is not None:
            words = f"{code[over].mnemonic} in line {code[over].line} changes what line {_line(code[at])} uses"
            return Unfit(Obstacle.OVERWRITTEN, words)
        if (reader := scope.read_between(code, at, last, writes - reads, mine)) is not None:
            words = f"{code[reader].mnemonic} in line {code[reader].line} reads what line {_line(code[at])} makes"
            return Unfit(Obstacle.NEEDED, words)
        if (reader := scope.read_between(code, at, last, writes, mine)) is not None:
            words = f"{code[reader].mnemonic} in line {code[reader].line} reads the result between the instructions of {rule.name}"
            return Unfit(Obstacle.NEEDED, words)
    return None


def _lost(rule: Rule, around: scope.Scope, block: int, place: _Place) -> Unfit | None:
    """Return which result would be missed afterwards; None where all are made."""
    code = around.graph[block].instructions
    names = {**place.names, **dict.fromkeys(rule.scratch, "v255")}
    kept: set[int] = set()
    for text in rule.replace:
        mnemonic, _, rest = filled(text, names).partition(" ")
        kept |= set(access(mnemonic, rest).writes)
    for at in place.at:
        for register in scope.touched(code[at])[1] - kept:
            readers = [
                reader
                for reader in around.readers(block, at, register)
                if _line(reader) not in {_line(code[a]) for a in place.at}
            ]
            if readers or around.leaves(block, place.at[-1], register):
                where = f"line {readers[0].line}" if readers else "another block"
                words = f"{where} needs the result of line {_line(code[at])}, which the replacement does not make"
                return Unfit(Obstacle.NEEDED, words)
    return None


# -- what comes instead -------------------------------------------------------------------------------------------------


def _put(rule: Rule, code: Sequence[Instruction], place: _Place, change: Change, function: Function) -> None:
    names = dict(place.names)
    for offset, name in enumerate(rule.scratch):
        number = fresh.first_free(function) + offset
        if number >= fresh.VECTORS:
            raise UsageError(f"{function.name} has no vector register left for ${name} of rule {rule.name}.")
        names[name] = f"v{number}"
        change.registers = max(change.registers, number + 1)
    after = tuple(filled(text, names) for text in rule.replace)
    for at in place.at[:-1]:
        change.put(_line(code[at]), ())
    change.put(_line(code[place.at[-1]]), after)
    before = tuple(f"{code[at].mnemonic} {code[at].operands}" for at in place.at)
    change.applied.append(Applied(f"rule {rule.name}", _line(code[place.at[-1]]), before, after))


def _needed(around: scope.Scope, definitions: Mapping[int, tuple[int, int]], taken: set[int], found: Found) -> None:
    """Note for every instruction of ``where`` who else needs it."""
    for line, (block, at) in sorted(definitions.items()):
        code = around.graph[block].instructions
        writes = [r for r in scope.touched(code[at])[1] if r < SGPR]
        others = [reader for r in writes for reader in around.readers(block, at, r) if _line(reader) not in taken]
        if others:
            found.kept[line] = f"line {others[0].line}, {others[0].mnemonic} {others[0].operands}"
        elif any(around.leaves(block, at, r) for r in writes):
            found.kept[line] = "another block"
        else:
            found.spare.append(line)
