"""Expressions over short vectors, component by component."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.functions import ELEMENTWISE
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

LETTERS = "xyzw"
_KIND = re.compile(r"^(float|double|int|uint|u?char|u?short)([234])$")
_CALCULATED = ("float", "double", "int", "uint")
"""Types with which components calculate as numbers of their own do; shorter ones would be widened."""
_OTHERS = re.compile(r"^(?:half|u?long)[234]$|^\w*[a-z](?:8|16)$")
_DOUBLE = re.compile(r"^(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$")
_SINGLE = re.compile(r"^[\d.]+(?:[eE][+-]?\d+)?[fF]$")
_ARITHMETIC = ("+", "-", "*", "/")
_CONVERT = re.compile(r"^(convert_u?[a-z]+)([234])((?:_sat)?(?:_rt[ezpn])?)$")
_LOADED = re.compile(r"^vload(?:a?_half)?\d+$")
_EACH = ELEMENTWISE | {"abs", "sign", "min", "max", "clamp"}
"""Functions that do the same with each component."""
_MADE = frozenset({"dot", "length", "fast_length", "distance", "fast_distance"})
"""Functions that make one number of vectors."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Type of a short vector."""

    base: str
    lanes: int


@dataclass(frozen=True, slots=True)
class Values:
    """Reads expressions of one kernel."""

    posed: Posed
    own: Mapping[str, Vector]
    """Variables and arrays that the kernel declares."""

    def vector(self, kind: str) -> Vector | None:
        """Return the short vector that a type is, None of a number. Raises RefusedError where it is another vector."""
        words = [
            word
            for word in kind.split()
            if word not in ("const", "__private", "private", "volatile", "__local", "local", "__global", "__constant")
        ]
        plain = self.posed.plain(" ".join(words))
        if _OTHERS.match(plain):
            raise RefusedError(f"it has vectors of type {plain}")
        match = _KIND.match(plain)
        return Vector(match.group(1), int(match.group(2))) if match else None

    def given(self, name: str) -> Vector | None:
        """Return what an element of a parameter, or its value, is."""
        argument = self.posed.function.argument(name)
        return None if argument is None else self.vector(argument.type)

    def kind(self, node: t.Node) -> Vector | None:
        """Return the type of an expression that is a short vector, None of a number. Raises RefusedError."""
        match node:
            case t.Name(text=text):
                return self._variable(text)
            case t.Index(base=t.Name(text=text)):
                return self.own.get(text) or self.given(text)
            case t.Member(base=base, dot=".", field=field):
                inner = self.kind(base)
                if inner is None:
                    raise RefusedError("it has structures")
                lanes = len(fields(field, inner.lanes))
                return Vector(inner.base, lanes) if lanes > 1 else None
            case t.Vector(type=kind) | t.Cast(type=kind):
                return self.vector(kind)
            case t.Binary(op=op, left=left, right=right):
                return self._joined(op, left, right)
            case t.Unary(op=op, value=value):
                vector = self.kind(value)
                if vector is not None and op not in "+-":
                    raise RefusedError(f"{op} is asked of a vector")
                return vector
            case t.Choice(condition=condition, yes=yes, no=no):
                if self.kind(condition) is not None:
                    raise RefusedError("a condition is a vector")
                return self.kind(yes) or self.kind(no)
            case t.Call(function=function, arguments=arguments):
                return self._called(function, arguments)
        return None

    def _variable(self, name: str) -> Vector | None:
        argument = self.posed.function.argument(name)
        hidden = argument is not None or name in self.own or name in t.declared_in(*self.posed.function.body)
        if not hidden and name in self.posed.outside:
            return self.vector(self.posed.outside[name])
        return self.own.get(name) or (None if argument is None or argument.pointer else self.given(name))

    def _joined(self, op: str, left: t.Node, right: t.Node) -> Vector | None:
        kinds = [kind for side in (left, right) if (kind := self.kind(side)) is not None]
        if not kinds:
            return None
        if op not in _ARITHMETIC or len({*kinds}) > 1 or kinds[0].base not in _CALCULATED:
            raise RefusedError(f"{op} of vectors of {kinds[0].base} has no form of single numbers here")
        return kinds[0]

    def _called(self, function: str, arguments: t.Body) -> Vector | None:
        own = next((helper.kind for helper in self.posed.helpers if helper.function.name == function), "")
        if _LOADED.match(function) or (own and self.vector(own) is not None):
            raise RefusedError(f"{function} returns a vector")
        kinds = [kind for argument in arguments if (kind := self.kind(argument)) is not None]
        if not kinds or function in _MADE:
            return None
        first = kinds[0]
        if match := _CONVERT.match(function):
            return Vector(match.group(1).removeprefix("convert_"), first.lanes)
        alike = len(set(kinds)) == 1 and first.base in _CALCULATED
        if alike and (
            function in _EACH or (function in ("normalize", "fast_normalize") and first.base in ("float", "double"))
        ):
            return Vector("uint" if function == "abs" and first.base == "int" else first.base, first.lanes)
        raise RefusedError(f"{function} takes a vector")

    # --- components --------------------------------------------------------------------------------------------------------

    def parts(self, node: t.Node, lanes: int, base: str) -> list[t.Node]:
        """Return the components of an expression; a number is every one of them, and so is one in parentheses. Raises RefusedError."""
        if isinstance(node, t.Table):
            values = [self.number(value) for value in node.values]
            return (values + [t.Number("0")] * lanes)[:lanes]
        return [self.part(node, lane, base) for lane in range(lanes)]

    def part(self, node: t.Node, lane: int, base: str) -> t.Node:
        """Return one component. Raises RefusedError."""
        kind = self.kind(node)
        if kind is None:
            return _of(base, self.number(node))
        match node:
            case t.Name(text=text):
                return t.Name(named(text, lane)) if text in self.own else t.Member(node, ".", LETTERS[lane])
            case t.Index(base=t.Name(text=text), index=index):
                at = self.number(index)
                if text in self.own:
                    return t.Index(t.Name(named(text, lane)), at)
                return t.Member(t.Index(node.base, at), ".", LETTERS[lane])
            case t.Member(base=inner, field=field):
                whole = self.kind(inner)
                assert whole is not None
                return self.part(inner, fields(field, whole.lanes)[lane], base)
            case t.Binary(op=op, left=left, right=right):
                return t.Binary(op, self.part(left, lane, kind.base), self.part(right, lane, kind.base))
            case t.Unary(op=op, value=value):
                return t.Unary(op, self.part(value, lane, kind.base))
            case t.Choice(condition=condition, yes=yes, no=no):
                return t.Choice(self.number(condition), self.part(yes, lane, kind.base), self.part(no, lane, kind.base))
            case t.Vector(values=values):
                return self._among(values, lane, kind)
            case t.Cast(value=value):
                return self._among((value,), lane, kind)
            case t.Call():
                return self._call(node, lane, kind)
        raise RefusedError("a vector has no form of single numbers")

    def _among(self, values: t.Body, lane: int, kind: Vector) -> t.Node:
        """Return a component of a vector that is put together."""
        if len(values) == 1 and (inner := self.kind(values[0])) is None:
            value = self.number(values[0])
            return value if _literal(value, kind.base) else t.Cast(kind.base, value)
        for value in values:
            inner = self.kind(value)
            lanes = 1 if inner is None else inner.lanes
            if inner is not None and inner.base != kind.base:
                break
            if lane < lanes:
                made = self.part(value, lane, kind.base)
                return made if inner is not None or _literal(made, kind.base) else t.Cast(kind.base, made)
            lane -= lanes
        raise RefusedError("a vector is put together in another way")

    def _call(self, call: t.Call, lane: int, kind: Vector) -> t.Node:
        if match := _CONVERT.match(call.function):
            inner = self.kind(call.arguments[0])
            assert inner is not None
            return t.Call(match.group(1) + match.group(3), (self.part(call.arguments[0], lane, inner.base),))
        if call.function.endswith("normalize"):
            (value,) = call.arguments
            long = t.Call("sqrt", (self._dot(value, value, kind),))
            return t.Binary("/", self.part(value, lane, kind.base), long)
        base = "int" if call.function == "abs" else kind.base
        return t.Call(call.function, tuple(self.part(argument, lane, base) for argument in call.arguments))

    def _dot(self, left: t.Node, right: t.Node, kind: Vector) -> t.Node:
        pairs = (
            t.Binary("*", self.part(left, lane, kind.base), self.part(right, lane, kind.base))
            for lane in range(kind.lanes)
        )
        return reduce(lambda a, b: t.Binary("+", a, b), pairs)

    # --- numbers -----------------------------------------------------------------------------------------------------------

    def number(self, node: t.Node) -> t.Node:
        """Return an expression that is one number without vectors in it. Raises RefusedError."""
        return t.changed(node, self._within)

    def _within(self, node: t.Node) -> t.Node | None:
        match node:
            case t.Member(base=base, dot=".", field=field):
                whole = self.kind(base)
                if whole is None:
                    raise RefusedError("it has structures")
                lanes = fields(field, whole.lanes)
                if len(lanes) == 1:
                    return self.part(base, lanes[0], whole.base)
            case t.Call(function=function, arguments=arguments) if function in _MADE:
                return self._made(function, arguments)
        if isinstance(node, t.Name | t.Index | t.Vector | t.Cast | t.Call | t.Member) and self.kind(node) is not None:
            raise RefusedError("a vector is used as a whole")
        return None

    def _made(self, function: str, arguments: t.Body) -> t.Node | None:
        kinds = {self.kind(argument) for argument in arguments}
        if kinds == {None}:
            return None
        first = kinds.pop()
        if first is None or kinds or first.base not in ("float", "double"):
            raise RefusedError(f"{function} takes other vectors than of real numbers")
        left, right = arguments[0], arguments[-1]
        if function == "dot":
            return self._dot(left, right, first)
        of: t.Node = left if len(arguments) == 1 else t.Binary("-", left, right)
        return t.Call("sqrt", (self._dot(of, of, first),))


def named(name: str, lane: int) -> str:
    """Return the name of a component of a variable."""
    return f"{name}_{LETTERS[lane]}"


def fields(field: str, lanes: int) -> tuple[int, ...]:
    """Return which components are named.

    >>> fields("zy", 4), fields("s02", 4), fields("hi", 4)
    ((2, 1), (0, 2), (2, 3))
    """
    half = (lanes + 1) // 2
    groups = {"lo": range(half), "hi": range(half, 2 * half), "even": range(0, lanes, 2), "odd": range(1, lanes, 2)}
    if field in groups and lanes != 3:
        return tuple(groups[field])
    places = (
        [int(one, 16) for one in field[1:]]
        if re.match(r"^[sS][\da-fA-F]+$", field)
        else [LETTERS.find(one) for one in field]
    )
    if not all(0 <= place < lanes for place in places):
        raise RefusedError(f"{field} is no component that is known")
    return tuple(places)


def _literal(node: t.Node, base: str) -> bool:
    """Tell a number that is written in the type that is wanted."""
    inner = node.value if isinstance(node, t.Unary) else node
    return (
        isinstance(inner, t.Number)
        and bool((_SINGLE if base == "float" else _DOUBLE).match(inner.text))
        and base in ("float", "double")
    )


def _of(base: str, node: t.Node) -> t.Node:
    """Return a number beside vectors: one that is written in double precision is of their type."""
    if base == "float" and isinstance(node, t.Number) and _DOUBLE.match(node.text):
        return replace(node, text=f"{node.text}f")
    return node


def declared(body: t.Body) -> Iterator[tuple[str, t.Declared]]:
    """Yield all that statements declare, each with its type."""
    for node in t.walk(*body):
        if isinstance(node, t.Declare):
            yield from ((node.type, variable) for variable in node.names)
