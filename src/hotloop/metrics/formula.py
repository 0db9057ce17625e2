"""Formulas of metrics as text: parsed by rule, checked for units, evaluated without any of Python's own machinery.

The language: decimal numbers, numbers with a unit (``64[B/req]``), names (letters, digits, ``_``, ``.``), ``+ - * /``,
parentheses, ``min(a, b, ...)`` and ``max(a, b, ...)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from hotloop.metrics.cause import Cause, Infinite, Undefined
from hotloop.metrics.dimension import ONE, Unit, parse

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?:\[(?P<unit>[^\]]*)\])?"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<sign>[-+*/(),]))",
    re.IGNORECASE,
)


class FormulaError(ValueError):
    """A formula that cannot be parsed, or that adds, compares or yields the wrong unit: a defect of its author."""


class Missing(Exception):  # noqa: N818 - no error of anybody: the answer is that there is no answer
    """A formula has no value; `cause` says which input is to blame."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(str(cause))
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in a unit."""

    value: float
    unit: Unit = ONE

    @property
    def base(self) -> float:
        """The value in base units."""
        return self.value * self.unit.scale


@dataclass(frozen=True, slots=True)
class Number:
    """A constant in a formula."""

    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Name:
    """A counter, a fact of the launch or the machine, or another metric."""

    text: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation: ``+ - * / min max``; a leading minus is 0 - x of x's unit, written ``neg``."""

    operation: str
    arguments: tuple[Node, ...]


Node = Number | Name | Apply
Lookup = Callable[[str], Quantity]
"""A function that returns the value of an input of a formula, or raises `Missing`."""


@lru_cache(maxsize=1024)
def read(text: str) -> Node:
    """Return the tree of a formula. Raises FormulaError with the place of the fault."""
    return _Parser(text).whole()


def names(node: Node) -> tuple[str, ...]:
    """Return the inputs of a formula, each once, in order of appearance."""
    return tuple(dict.fromkeys(_names(node)))


def dimension(node: Node, unit_of: Mapping[str, Unit]) -> Unit:
    """Return the unit of a formula's value from the units of its inputs, scale left out.

    Raises FormulaError when it adds or compares what differs, or uses a name without a unit.
    """
    match node:
        case Number(quantity):
            return Unit(1.0, quantity.unit.dimension)
        case Name(text):
            if text not in unit_of:
                raise FormulaError(f"nothing gives {text!r} a unit")
            return Unit(1.0, unit_of[text].dimension)
        case Apply("*" | "/" as operation, (left, right)):
            return dimension(left, unit_of).times(dimension(right, unit_of), 1 if operation == "*" else -1)
        case Apply(operation, arguments):
            dimensions = [dimension(argument, unit_of) for argument in arguments]
            if any(unit.dimension != dimensions[0].dimension for unit in dimensions):
                raise FormulaError(f"{operation!r} of {' and '.join(map(str, dimensions))}")
            return dimensions[0]


def evaluate(node: Node, lookup: Lookup) -> float:
    """Return the value of a formula in base units.

    Raises:
        Missing: an input is missing or not finite, a divisor is zero, or the result overflows.
    """
    value = _value(node, lookup)
    if not isfinite(value):
        raise Missing(Infinite())
    return value


def _value(node: Node, lookup: Lookup) -> float:
    match node:
        case Number(quantity):
            return quantity.base
        case Name(text):
            quantity = lookup(text)
            if not isfinite(quantity.value):
                raise Missing(Infinite(text))
            return quantity.base
        case Apply("/", (left, right)):
            above, below = _value(left, lookup), _value(right, lookup)
            if below == 0:
                zero = [name for name in names(right) if lookup(name).value == 0] or list(names(right))
                raise Missing(Undefined(tuple(zero)))
            return above / below
        case Apply(operation, arguments):
            return _OPERATIONS[operation]([_value(argument, lookup) for argument in arguments])


_OPERATIONS: dict[str, Callable[[list[float]], float]] = {
    "+": sum,
    "-": lambda v: v[0] - v[1],
    "*": lambda v: v[0] * v[1],
    "neg": lambda v: -v[0],
    "min": min,
    "max": max,
}


def _names(node: Node) -> Iterator[str]:
    if isinstance(node, Name):
        yield node.text
    elif isinstance(node, Apply):
        for argument in node.arguments:
            yield from _names(argument)


class _Parser:
    """Recursive descent: sum → product → factor."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.place = 0

    def whole(self) -> Node:
        node = self._sum()
        if self.place < len(self.tokens):
            raise self._fault(f"{self.tokens[self.place]!r} is left over")
        return node

    def _tokens(self) -> Iterator[str | Number | Name]:
        place, end = 0, len(self.text.rstrip())
        while place < end:
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise self._fault(f"cannot read {self.text[place:].strip()[:12]!r}")
            place = match.end()
            if match["number"]:
                try:
                    unit = parse(match["unit"] or "1")
                except ValueError as error:
                    raise self._fault(str(error)) from error
                yield Number(Quantity(float(match["number"]), unit))
            else:
                yield Name(match["name"]) if match["name"] else match["sign"]

    def _take(self, *signs: str) -> str | None:
        if self.place < len(self.tokens) and self.tokens[self.place] in signs:
            self.place += 1
            return str(self.tokens[self.place - 1])
        return None

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._take("+", "-"):
            node = Apply(sign, (node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._factor()
        while sign := self._take("*", "/"):
            node = Apply(sign, (node, self._factor()))
        return node

    def _factor(self) -> Node:
        if self._take("-"):
            return Apply("neg", (self._factor(),))
        if self._take("("):
            node = self._sum()
            self._close()
            return node
        token = self.tokens[self.place] if self.place < len(self.tokens) else None
        if not isinstance(token, Number | Name):
            raise self._fault("a number, a name or '(' is missing" + (f" before {token!r}" if token else " at the end"))
        self.place += 1
        if isinstance(token, Name) and token.text in ("min", "max") and self._take("("):
            return Apply(token.text, self._arguments())
        return token

    def _arguments(self) -> tuple[Node, ...]:
        arguments = [self._sum()]
        while self._take(","):
            arguments.append(self._sum())
        self._close()
        return tuple(arguments)

    def _close(self) -> None:
        if not self._take(")"):
            raise self._fault("')' is missing")

    def _fault(self, what: str) -> FormulaError:
        return FormulaError(f"formula {self.text!r}: {what}")
