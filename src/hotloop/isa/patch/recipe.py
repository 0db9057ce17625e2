"""What a patch asks for: rules, edits of lines, moves and waits to drop, as written in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hotloop.errors import UsageError


@dataclass(frozen=True, slots=True)
class Rule:
    """Instructions to replace, with names (``$acc``) for operands; the same name is the same operand everywhere."""

    name: str
    find: tuple[str, ...]
    """Instructions of one block, in this order, not necessarily neighbours."""
    replace: tuple[str, ...]
    """Put in the place of the last one found."""
    where: tuple[str, ...] = ()
    """Instructions that must have made operands of `find`: what a named register was last written by."""
    scratch: tuple[str, ...] = ()
    """Names in `replace` that stand for vector registers that nobody uses."""
    alike: tuple[str, ...] = ()
    """Names that must mean the same operand in all places where the rule is applied."""
    given: tuple[str, ...] = ()
    """Names that mean one operand from the start, as ``sum=v82``."""
    least: int = 1
    """Number of places at least that the rule must fit."""
    most: int | None = None
    """Places that are patched at most; None: all."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One line as it is, and the lines that come instead."""

    line: int
    expect: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """An instruction that goes before another one of its block."""

    line: int
    before: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that a patch does, in the order: edits, moves, own registers, rules, results that are swept up, waits."""

    rules: tuple[Rule, ...] = ()
    edits: tuple[Edit, ...] = ()
    moves: tuple[Move, ...] = ()
    fresh: tuple[str, ...] = ()
    """Instructions whose results get registers of their own before anything else, such as ``v_and_b32 $x, 0xffff0000, $x``."""
    drop_waits: bool = False
    """Waits are dropped that nothing in flight can need."""
    sweep: bool = False
    """Vector instructions are dropped whose results nobody reads any more."""


def parse(text: str, name: str) -> Recipe:
    """Return the recipe of a TOML text; `name` is its file, for messages.

    Raises:
        UsageError: it is not TOML, or says something that a recipe does not know.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}.") from error
    makers = {"rules": _rule, "edits": _edit, "moves": _move}
    if unknown := set(data) - {*makers, "fresh", "drop_waits", "sweep"}:
        raise UsageError(
            f"{name}: {', '.join(sorted(unknown))} is not rules, edits, moves, fresh, drop_waits or sweep."
        )
    parts: dict[str, tuple[Any, ...]] = {}
    for part, make in makers.items():
        rows = data.get(part, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise UsageError(f"{name}: {part} is not a list of tables; begin each with [[{part}]].")
        parts[part] = tuple(make(row, f"{name}, {part} {number}") for number, row in enumerate(rows, 1))
    flags = {flag: _flag(data, flag, name) for flag in ("drop_waits", "sweep")}
    own = _fields({"fresh": data.get("fresh", [])}, name, {"fresh": list})["fresh"]
    recipe = Recipe(fresh=own, rules=parts["rules"], edits=parts["edits"], moves=parts["moves"], **flags)
    if recipe == Recipe():
        raise UsageError(f"{name} asks for nothing; write rules, edits, moves, fresh, drop_waits or sweep.")
    return recipe


def _flag(data: Mapping[str, Any], flag: str, name: str) -> bool:
    value = data.get(flag, False)
    if not isinstance(value, bool):
        raise UsageError(f"{name}: {flag} is true or false, not {value!r}.")
    return value


def _rule(row: Mapping[str, Any], place: str) -> Rule:
    values = _fields(row, place, {"name": str, "find": list, "replace": list, "where": list, "scratch": list, "alike": list, "given": list,
                                  "least": int, "most": int})  # fmt: skip
    if not values.get("find"):
        raise UsageError(f"{place}: find has no instruction.")
    for text in values.get("given", ()):
        if "=" not in text:
            raise UsageError(f"{place}: given has {text!r}; write name=operand, such as sum=v82.")
    return Rule(**{"name": "", "replace": (), **values})


def _edit(row: Mapping[str, Any], place: str) -> Edit:
    values = _fields(row, place, {"line": int, "expect": str, "lines": list})
    return Edit(line=_need(values, "line", place), expect=_need(values, "expect", place), lines=values.get("lines", ()))


def _move(row: Mapping[str, Any], place: str) -> Move:
    values = _fields(row, place, {"line": int, "before": int})
    return Move(_need(values, "line", place), _need(values, "before", place))


def _need(values: Mapping[str, Any], key: str, place: str) -> Any:  # noqa: ANN401
    if key not in values:
        raise UsageError(f"{place}: {key} is missing.")
    return values[key]


def _fields(row: Mapping[str, Any], place: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in row.items():
        if key not in kinds:
            raise UsageError(f"{place}: {key!r} is not one of {', '.join(kinds)}.")
        if not isinstance(value, kinds[key]) or isinstance(value, bool):
            raise UsageError(f"{place}: {key} is {value!r}, which is no {kinds[key].__name__}.")
        if isinstance(value, list):
            if not all(isinstance(part, str) for part in value):
                raise UsageError(f"{place}: {key} is a list of texts.")
            fields[key] = tuple(value)
        else:
            fields[key] = value
    return fields
