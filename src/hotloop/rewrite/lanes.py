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
_WHOLE = frozenset(["min", "max", "clamp"])
_SHIFTS = ("<<", ">>")
_BITS = ("&", "|", "^", "%", *_SHIFTS)
_LITERAL = re.compile(r"^(?:0[xX][0-7][0-9a-fA-F]{0,7}|0[xX][0-9a-fA-F]{1,7}|\d{1,9})[uU]?$")
"""Whole numbers that are ``int`` without a suffix."""
_DOUBLE = re.compile(r"^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$")
REALS = frozenset(["float", "double"])
WHOLES = frozenset(["int", "uint"])
_PROMOTED = dict.fromkeys(["char", "uchar", "short", "ushort", "unsigned char", "unsigned short"], "int")
"""Short whole numbers, which C calculates with as ``int``."""
_SAME = {"unsigned": "uint", "unsigned int": "uint", "uint32_t": "uint", "int32_t": "int", "signed int": "int"}


def named(kind: str) -> str:
    """Return a type by OpenCL's own short name, where it has one for vectors.

    >>> named("unsigned"), named("uchar")
    ('uint', 'uchar')
    """
    return _SAME.get(kind, kind)


def calculated(kind: str) -> str:
    """Return the type in which C calculates with elements of a type.

    >>> calculated("uchar"), calculated("unsigned int"), calculated("float")
    ('int', 'uint', 'float')
    """
    return _PROMOTED.get(kind) or named(kind)


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
    """Type of a lane, found with the first load."""
    kinds: frozenset[str] = REALS
    """Types of lanes that are made."""

    @property
    def type(self) -> str:
        """Name of the vector's type."""
        return f"{self.kind or 'float'}{self.count}"

    def wide(self, node: t.Node) -> t.Node:
        """Return an expression as a vector, one value in all lanes if need be. Raises RefusedError."""
        made, is_vector = self.of(node)
        return made if is_vector else t.Vector(self.type, (made,))

    def operand(self, node: t.Node) -> t.Node:
        """Return an expression as a vector to calculate with: unlike what is assigned, whole numbers must be of the lanes' type before."""
        made, is_vector = self.of(node)
        return self._spread(made) if not is_vector and self.kind in WHOLES else self.wide(node)

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
        element = self.posed.type_of(node.base.text)
        kind = calculated(element)
        if kind not in self.kinds or (self.kind and kind != self.kind):
            raise RefusedError(f"elements of {node.base.text} are {element}: vectors of one type of numbers are made")
        self.kind = kind
        if stride == algebra.ONE:
            load = t.Call(f"vload{self.count}", (t.Number("0"), self.place(node)))
            return load if element not in _PROMOTED else t.Call(f"convert_{self.type}", (load,)), True
        if stride is None:
            raise RefusedError(f"the index of {node.base.text} does not move evenly")
        return t.Vector(self.type, tuple(self.lane(node, lane) for lane in range(self.count))), True

    def stored(self, target: t.Index, result: t.Node) -> t.Node:
        """Return a vector as the elements of an array hold it: short ones keep the last bits, as in C."""
        assert isinstance(target.base, t.Name)
        element = self.posed.type_of(target.base.text)
        if element not in _PROMOTED:
            return result
        short = element.replace("unsigned ", "u")
        return t.Call(f"convert_{short}{self.count}", (result,))

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
        shifted = op in _SHIFTS and not wide_a  # its left side alone says in which type C shifts
        if op not in "+-*/" and (op not in _BITS or self.kind not in WHOLES or shifted):
            raise RefusedError(f"{op} has no form for vectors here")
        return t.Binary(op, a if wide_a else self._spread(a), b if wide_b else self._spread(b)), True

    def compared(self, node: t.Binary) -> t.Node:
        """Return a comparison lane by lane. Raises RefusedError."""
        sides = [self.of(side) for side in (node.left, node.right)]
        return t.Binary(node.op, *(side if is_vector else self._spread(side) for side, is_vector in sides))

    def _spread(self, node: t.Node) -> t.Node:
        if isinstance(node, t.Number) and self.kind == "float" and _DOUBLE.match(node.text):
            raise RefusedError(f"{node.text} is a constant of double precision")
        if self.kind in WHOLES and self._whole(node) not in ("int", self.kind):
            raise RefusedError(f"a part of a calculation with {self.kind} is not known to be {self.kind}")
        return t.Vector(self.type, (node,))

    def _whole(self, node: t.Node) -> str:
        """Return ``int`` or ``uint`` as C has it for what is the same in all lanes; empty where it is something else, or not known."""
        match node:
            case t.Number(text=text) if _LITERAL.match(text):
                return "uint" if text[-1] in "uU" else "int"
            case t.Name(text=text):
                return self._declared(text)
            case t.Index(base=t.Name(text=text)) if self.posed.function.argument(text) is not None:
                return calculated(self.posed.type_of(text))
            case t.Unary(op="-" | "+", value=value):
                return self._whole(value)
            case t.Cast(type=kind):
                return calculated(self.posed.plain(kind))
            case t.Binary(op=op, left=left, right=right) if op in "+-*/" or op in _BITS:
                kinds = {self._whole(left), self._whole(right)}
                whole = kinds <= WHOLES and not (op in _SHIFTS and len(kinds) > 1)
                return ("uint" if "uint" in kinds else "int") if whole else ""
        return ""

    def _declared(self, name: str) -> str:
        """Return the type in which C calculates with a variable, empty where it has none or several."""
        argument = self.posed.function.argument(name)
        kinds = {argument.type} if argument is not None and not argument.pointer else set()
        for node in t.walk(*self.posed.function.body):
            if isinstance(node, t.Declare):
                single = any(one.name == name and not one.pointer and not one.extents for one in node.names)
                kinds |= {" ".join(word for word in node.type.split() if word != "const")} if single else set()
        if not kinds and name in self.posed.constants:
            return "int"
        return calculated(self.posed.plain(kinds.pop())) if len(kinds) == 1 else ""

    def _call(self, function: str, arguments: t.Body) -> tuple[t.Node, bool]:
        made = [self.of(argument) for argument in arguments]
        if not any(is_vector for _, is_vector in made):
            return t.Call(function, tuple(one for one, _ in made)), False
        if function == f"convert_{self.kind}" and len(made) == 1:  # its lanes are of this type already
            return made[0]
        if function not in (_WHOLE if self.kind in WHOLES else _ELEMENTWISE):
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
