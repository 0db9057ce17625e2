"""Expressions over several values of one variable at once: loads, arithmetic and calls as OpenCL C's vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

_ELEMENTWISE = frozenset(
    [
        "fabs",
        "sqrt",
        "rsqrt",
        "native_sqrt",
        "native_rsqrt",
        "exp",
        "exp2",
        "native_exp",
        "log",
        "log2",
        "native_log",
        "sin",
        "cos",
        "native_sin",
        "native_cos",
        "tanh",
        "pow",
        "powr",
        "fma",
        "mad",
        "fmin",
        "fmax",
        "min",
        "max",
        "floor",
        "ceil",
        "round",
        "trunc",
        "rint",
        "clamp",
        "mix",
        "native_recip",
        "half_recip",
        "cbrt",
        "erf",
    ]
)
"""Functions that have a form for vectors which does the same in each lane."""
_DOUBLE = re.compile(r"^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$")
_KINDS = ("float", "double")


@dataclass(slots=True)
class Lanes:
    """Makes vectors of what depends on a variable; everything else is the same in all lanes."""

    posed: Posed
    variable: str
    count: int
    vectors: frozenset[str]
    """Local variables that are vectors."""
    known: Mapping[str, t.Node]
    """Whole numbers with one value for good, by name."""
    kind: str = ""
    """Element type, found with the first load."""

    @property
    def type(self) -> str:
        """Name of the vector's type."""
        return f"{self.kind or 'float'}{self.count}"

    def wide(self, node: t.Node) -> t.Node:
        """Return an expression as a vector, one value in all lanes if need be. Raises RefusedError."""
        made, is_vector = self.of(node)
        return made if is_vector else t.Vector(self.type, (made,))

    def of(self, node: t.Node) -> tuple[t.Node, bool]:
        """Return an expression and whether it is a vector. Raises RefusedError."""
        match node:
            case t.Number():
                return node, False
            case t.Name(text=text):
                if text == self.variable or (text in self.known and self._moves(node)):
                    raise RefusedError(f"{text} is used as a number, not only to find elements")
                return node, text in self.vectors
            case t.Index():
                return self._element(node)
            case t.Binary(op=op, left=left, right=right):
                return self._binary(op, left, right)
            case t.Unary(op="-" | "+" as op, value=value):
                inner, is_vector = self.of(value)
                return t.Unary(op, inner), is_vector
            case t.Call(function=function, arguments=arguments):
                return self._call(function, arguments)
            case t.Cast(type=kind, value=value):
                inner, is_vector = self.of(value)
                if not is_vector:
                    return t.Cast(kind, inner), False
                if self.posed.plain(kind) == self.kind:
                    return inner, True
        if t.names_in(node) & (self.vectors | {self.variable}) or self._moves(node):
            raise RefusedError("an expression has no form for vectors")
        return node, False

    def _moves(self, node: t.Node) -> bool:
        return algebra.depends(algebra.polynomial(node, self.known), self.variable)

    def stride(self, element: t.Index) -> algebra.Polynomial | None:
        """Return how far an element moves from lane to lane. Raises RefusedError where that depends on data."""
        if t.names_in(element.index) & self.vectors:
            raise RefusedError("an index depends on computed values")
        return algebra.stride(algebra.polynomial(element.index, self.known), self.variable)

    def place(self, element: t.Index) -> t.Node:
        """Return the address of an element."""
        return t.Unary("&", element)

    def _element(self, node: t.Index) -> tuple[t.Node, bool]:
        if not isinstance(node.base, t.Name) or self.posed.function.argument(node.base.text) is None:
            if self._moves(node) or t.names_in(node) & self.vectors:
                raise RefusedError("it reads an array of its own in lanes")
            return node, False
        stride = self.stride(node)
        if stride == {}:
            return node, False
        kind = self.posed.type_of(node.base.text)
        if kind not in _KINDS or (self.kind and kind != self.kind):
            raise RefusedError(f"elements of {node.base.text} are {kind}: vectors of one type of real numbers are made")
        self.kind = kind
        if stride == algebra.ONE:
            return t.Call(f"vload{self.count}", (t.Number("0"), self.place(node))), True
        if stride is None:
            raise RefusedError(f"the index of {node.base.text} does not move evenly")
        return t.Vector(self.type, tuple(self.lane(node, lane) for lane in range(self.count))), True

    def lane(self, node: t.Node, lane: int) -> t.Node:
        """Return an expression as one lane of the vector computes it: the loop's variable is moved on by the lane's number."""
        moved = t.Binary("+", t.Name(self.variable), t.Number(str(lane)))
        inner = t.renamed(node, {name: one for name, one in self.known.items() if self._moves(t.Name(name))})
        return t.renamed(inner, {self.variable: moved}) if lane else inner

    def _binary(self, op: str, left: t.Node, right: t.Node) -> tuple[t.Node, bool]:
        a, wide_a = self.of(left)
        b, wide_b = self.of(right)
        if not wide_a and not wide_b:
            return t.Binary(op, a, b), False
        if op not in "+-*/":
            raise RefusedError(f"{op} has no form for vectors here")
        return t.Binary(op, a if wide_a else self._spread(a), b if wide_b else self._spread(b)), True

    def compared(self, node: t.Binary) -> t.Node:
        """Return a comparison lane by lane. Raises RefusedError."""
        sides = [self.of(side) for side in (node.left, node.right)]
        return t.Binary(node.op, *(side if is_vector else self._spread(side) for side, is_vector in sides))

    def _spread(self, node: t.Node) -> t.Node:
        if isinstance(node, t.Number) and self.kind == "float" and _DOUBLE.match(node.text):
            raise RefusedError(f"{node.text} is a constant of double precision")
        return t.Vector(self.type, (node,))

    def _call(self, function: str, arguments: t.Body) -> tuple[t.Node, bool]:
        made = [self.of(argument) for argument in arguments]
        if not any(is_vector for _, is_vector in made):
            return t.Call(function, tuple(one for one, _ in made)), False
        if function == f"convert_{self.kind}" and len(made) == 1:  # its lanes are of this type already
            return made[0]
        if function not in _ELEMENTWISE:
            raise RefusedError(f"{function} has no form for vectors here")
        return t.Call(function, tuple(one if is_vector else self._spread(one) for one, is_vector in made)), True


def component(vector: t.Node, lane: int) -> t.Node:
    """Return one lane of a vector."""
    return t.Member(vector, ".", "s" + "0123456789abcdef"[lane])


def total(vector: str, count: int) -> t.Node:
    """Return the sum of a vector's lanes, in pairs.

    >>> from hotloop.rewrite.write import expression
    >>> expression(total("v", 4))
    'v.s0 + v.s2 + (v.s1 + v.s3)'
    """
    parts = [component(t.Name(vector), lane) for lane in range(count)]
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [t.Binary("+", a, b) for a, b in zip(parts[:half], parts[half:], strict=True)]
    return parts[0]
