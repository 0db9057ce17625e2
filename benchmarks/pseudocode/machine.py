"""Executes trees of the pseudocode on the operands of one lane."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from pseudocode import functions
from pseudocode.grammar import Tree, parse
from pseudocode.values import (
    UnknownError,
    Value,
    converted,
    integer,
    is_denormal,
    literal,
    native,
    packed,
    seen_as,
    type_of,
)  # fmt: skip

_CONSTANTS = {"INF": math.inf, "NAN": math.nan, "PI": math.pi}
_EXTREMES = {"OVERFLOW_F32": 0x7F800000, "UNDERFLOW_F32": 0, "MAX_FLOAT_F32": 0x7F7FFFFF}
_EXTREMES64 = {"OVERFLOW_F64": 0x7FF << 52, "UNDERFLOW_F64": 0}


class _Denormal:
    """What ``DENORM`` is compared with."""


class _Power:
    """A power of two, which may lie beyond every float."""

    def __init__(self, exponent: int) -> None:
        self.exponent = exponent


class _Return(Exception):  # noqa: N818 - no error
    def __init__(self, value: Any) -> None:
        self.value = value


class _Break(Exception):  # noqa: N818
    pass


class Machine:
    """State of one lane: `cells` holds S0, D0, VCC and the like as raw bits."""

    def __init__(self, code: Callable[[str], str | None], cells: dict[str, Any]) -> None:
        """Take how another instruction's text is found, and what the instruction begins with."""
        self.code, self.cells = code, cells
        self.rounding = "ROUND_NEAREST_EVEN"

    def run(self, block: list[Tree]) -> None:
        """Execute statements."""
        for statement in block:
            self.statement(statement)

    # -- statements -------------------------------------------------------------------------------------------------

    def statement(self, tree: Tree) -> None:
        """Execute one statement."""
        getattr(self, f"_do_{tree[0]}")(tree)

    def _do_assign(self, tree: Tree) -> None:
        self.assign(tree[1], self.value(tree[2]))

    def _do_both(self, tree: Tree) -> None:
        self.statement(tree[1])
        self.assign(tree[2][1], self.value(tree[1][2]))

    def _do_if(self, tree: Tree) -> None:
        for condition, block in tree[1]:
            if self.value(condition).truth:
                return self.run(block)
        return self.run(tree[2])

    def _do_for(self, tree: Tree) -> None:
        for number in range(self.value(tree[2]).raw, self.value(tree[3]).raw + 1):
            self.cells[tree[1]] = literal(number)
            try:
                self.run(tree[4])
            except _Break:
                break

    def _do_declare(self, tree: Tree) -> None:
        if tree[1] != "S":  # the operands as a table
            width = int(tree[2].partition("'")[0])
            self.cells[tree[1]] = [None] * tree[3] if tree[3] else integer("u", width, 0)

    def _do_function(self, tree: Tree) -> None:
        self.cells[tree[1]] = (tree[2], tree[3])

    def _do_break(self, _tree: Tree) -> None:
        raise _Break

    def _do_return(self, tree: Tree) -> None:
        raise _Return(self.value(tree[1]))

    def assign(self, target: Tree, value: Any) -> None:
        """Write a value where an expression says."""
        what = target[0]
        if what == "name":
            self._name_assigned(target[1], value)
        elif what == "join":
            raw = value.raw
            for part in reversed(target[1]):
                width = type_of(part[2])[1]
                self.assign(part, integer("u", width, raw))
                raw >>= width
        elif what == "field":
            self._field_assigned(target, value)
        elif what in ("slice", "item"):
            name, low, width = self.place(target)
            if isinstance(self.cells.get(name), list):
                self.cells[name] = [value if n == low else old for n, old in enumerate(self.cells[name])]
            else:
                self.put(name, low, "u", width, value)
        else:
            raise UnknownError(f"target {target}")

    def _name_assigned(self, name: str, value: Any) -> None:
        if name == "ROUND_MODE":
            self.rounding = value
        elif name in ("D0", "D1", "VCC", "EXEC", "SCC"):
            self.cells[name] = integer("u", self.cells[name].width, value.raw)
        else:
            self.cells[name] = value

    def _field_assigned(self, target: Tree, value: Any) -> None:
        inner = target[1]
        if inner == ("name", "TRAPSTS"):
            return
        if inner[0] == "name":
            self.put(inner[1], 0, *type_of(target[2]), value)
        elif inner[0] == "slice":
            name, low, width = self.place(inner)
            self.put(name, low, type_of(target[2])[0], width, value)
        elif inner[0] == "item":
            self.assign(inner, value)
        elif inner[0] == "field":
            self.put(inner[1][1], 0, *type_of(target[2]), value)
        else:
            raise UnknownError(f"target {target}")

    def place(self, target: Tree) -> tuple[str, int, int]:
        """Return the cell that a slice or a bit belongs to, its lowest bit and its width."""
        base = target[1]
        base = base[1] if base[0] == "field" else base
        if base[0] != "name":
            raise UnknownError("a slice of an expression is assigned")
        if target[0] == "item":
            return base[1], self.value(target[2]).raw, 1
        high, low = self.value(target[2]).raw, self.value(target[3]).raw
        return base[1], low, high - low + 1

    def put(self, name: str, low: int, kind: str, width: int, value: Any) -> None:
        """Write bits of a cell; those of a destination register above them stay."""
        old = self.cells.get(name, integer("u", 64, 0))
        bits = self.shaped(value, kind, width).bits & (1 << width) - 1
        size = max(old.width or 64, low + width)
        keep = old.bits & ~((1 << width) - 1 << low)
        if name == "D0" and kind in ("u", "i", "f", "b", "bf") and low == 0 and width >= 32:
            keep = 0
        self.cells[name] = integer("u", size, keep | bits << low)

    def shaped(self, value: Any, kind: str, width: int) -> Value:
        """Return a value as it is stored in a place of a type."""
        if isinstance(value, _Power):
            raise UnknownError("a bare power of two")
        if kind in ("f", "bf"):
            if value.is_float:
                same = value.kind == kind and value.width == width
                return value if same else converted(value, kind, width, to_zero=self.rounding == "ROUND_TOWARD_ZERO")
            return Value(kind, width, value.bits) if value.width else converted(value, kind, width)
        if value.is_float:
            return integer("u", width, value.bits)
        return integer("u" if kind == "b" else kind, width, value.raw)

    # -- expressions ------------------------------------------------------------------------------------------------

    def value(self, tree: Tree) -> Any:
        return getattr(self, f"_{tree[0]}")(tree)

    def _literal(self, tree: Tree) -> Value:
        text = tree[1]
        sized, _, word = text.rpartition("'")
        if re.fullmatch(r"-?\d+\.\d+F?|\d+F", word):
            width = int(sized) if sized else 32 if word.endswith("F") else 64
            return packed("f", width, float(word.rstrip("F")))
        body = word.rstrip("ULF") if word.startswith(("0x", "-0x")) is False else word.rstrip("UL")
        number = int(body, 0)
        return integer("i" if number < 0 else "u", int(sized), number) if sized else literal(number)

    def _name(self, tree: Tree) -> Any:
        name = tree[1]
        if name in _CONSTANTS:
            return packed("f", 64, _CONSTANTS[name])
        if name in _EXTREMES:
            return Value("f", 32, _EXTREMES[name])
        if name in _EXTREMES64:
            return Value("f", 64, _EXTREMES64[name])
        if name == "ROUND_MODE":
            return self.rounding
        if name.startswith("ROUND_"):
            return name
        if name not in self.cells:
            raise UnknownError(name)
        return self.cells[name]

    def _field(self, tree: Tree) -> Any:
        if tree[1] == ("name", "WAVE_MODE"):
            return literal(1 if tree[2] == "IEEE" else 0)
        if tree[1] == ("name", "DENORM"):
            return _Denormal()
        if tree[1][0] == "name" and tree[1][1] in _CONSTANTS:
            return packed(*type_of(tree[2]), _CONSTANTS[tree[1][1]])
        if tree[2] in functions.EIGHT:
            return functions.known(f"{tree[2]}_to_f32")(self.value(tree[1]))  # type: ignore[misc]
        inner = self.value(tree[1])
        if isinstance(inner, list):
            return inner
        return seen_as(inner, *type_of(tree[2]))

    def _slice(self, tree: Tree) -> Value:
        inner = self.value(tree[1])
        high, low = self.value(tree[2]).raw, self.value(tree[3]).raw
        if high < low:  # backwards: the lowest bit comes first
            return integer(
                "u",
                low - high + 1,
                int(f"{inner.bits >> high & (1 << low - high + 1) - 1:0{low - high + 1}b}"[::-1], 2),
            )
        return integer("u", high - low + 1, inner.bits >> low)

    def _item(self, tree: Tree) -> Value:
        inner, number = self.value(tree[1]), self.value(tree[2]).raw
        if isinstance(inner, list):
            if inner[number] is None:
                raise UnknownError(f"{tree[1]}: a table that the text does not fill")
            return inner[number]
        return integer("u", 1, inner.bits >> number)

    def _join(self, tree: Tree) -> Value:
        bits = width = 0
        for part in tree[1]:
            value = self.value(part)
            bits, width = bits << value.width | value.bits, width + value.width
        return integer("u", width, bits)

    def _cast(self, tree: Tree) -> Value:
        size, _, kind = tree[1].partition("'")
        value, width, kind = self.value(tree[2]), int(size), kind.lower()
        if isinstance(value, _Power):
            return value
        if kind in ("f", "bf"):
            if not value.is_float and (value.width == 0 or value.kind == "u"):
                return Value(kind, width, value.bits)
            return converted(value, kind, width)
        if value.is_float:
            number = value.number
            if math.isnan(number) or math.isinf(number):
                raise UnknownError("an integer of what is no number")
            return integer("i" if kind == "i" else "u", width, int(number))
        return integer("u" if kind == "b" else kind, width, value.raw)

    def _choose(self, tree: Tree) -> Any:
        return self.value(tree[2] if self.value(tree[1]).truth else tree[3])

    def _unary(self, tree: Tree) -> Any:
        sign, value = tree[1], self.value(tree[2])
        if sign == "+":
            return value
        if sign == "!":
            return integer("u", 1, int(not value.truth))
        if sign == "~":
            return integer("u", value.width, ~value.raw) if value.width else literal(~value.raw)
        if value.is_float:
            return Value(value.kind, value.width, value.bits ^ 1 << value.width - 1)
        return Value("i", value.width, -value.raw)

    def _binary(self, tree: Tree) -> Any:
        sign = tree[1]
        if sign in ("&&", "||"):
            left = self.value(tree[2]).truth
            result = left and self.value(tree[3]).truth if sign == "&&" else left or self.value(tree[3]).truth
            return integer("u", 1, int(result))
        a, b = self.value(tree[2]), self.value(tree[3])
        if isinstance(b, _Denormal):
            return integer("u", 1, int(is_denormal(a)))
        if sign == "**":
            return _Power(b.raw)
        if isinstance(a, _Power) or isinstance(b, _Power):
            power, other = (a, b) if isinstance(a, _Power) else (b, a)
            return functions.scaled(other, power.exponent)
        if a.is_float or b.is_float:
            return self.floats(sign, a, b)
        return self.integers(sign, a, b)

    def floats(self, sign: str, a: Value, b: Value) -> Value:
        """Compare, or compute and round once."""
        if not a.is_float or not b.is_float:
            whole, number = (a, b) if a.is_float else (b, a)
            other = converted(literal(number.raw), whole.kind, whole.width)
            a, b = (a, other) if a.is_float else (other, b)
        if (a.kind, a.width) != (b.kind, b.width):
            widest = max(a, b, key=lambda v: v.width)
            a, b = (converted(v, widest.kind, widest.width) for v in (a, b))
        x, y = native(a), native(b)
        compared = {
            "==": x == y,
            "!=": x != y,
            "<>": x < y or x > y,
            "<": x < y,
            "<=": x <= y,
            ">": x > y,
            ">=": x >= y,
        }
        if sign in compared:
            return integer("u", 1, int(compared[sign]))
        with np.errstate(all="ignore"):
            made = {"+": x + y, "-": x - y, "*": x * y}[sign] if sign != "/" else x / y
        return packed(a.kind, a.width, made)

    @staticmethod
    def integers(sign: str, a: Value, b: Value) -> Value:
        """Compute without wrapping; places wrap what they are given."""
        x, y = a.raw, b.raw
        compared = {"==": x == y, "!=": x != y, "<>": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}
        if sign in compared:
            return integer("u", 1, int(compared[sign]))
        kind, width = (
            "i" if "i" in (a.kind if a.width else "", b.kind if b.width else "") else "u",
            max(a.width, b.width),
        )
        if sign in ("<<", ">>"):
            return Value(a.kind, a.width, x << y if sign == "<<" else x >> y)
        if sign in ("/", "%"):
            return Value(kind, width, x // y if sign == "/" else x % y)
        made = {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[sign]
        return Value(kind if width else "i", width, made)

    def _call(self, tree: Tree) -> Any:
        name, given = tree[1], [self.value(operand) for operand in tree[2]]
        own = self.cells.get(name)
        if isinstance(own, tuple):
            return self.called(dict(zip(own[0], given, strict=True)), own[1])
        function = functions.known(name)
        if function is not None:
            return function(self, *given) if name in functions.ROUNDING else function(*given)
        text = self.code(name)
        if text is None:
            raise UnknownError(f"{name}()")
        cells = {**self.cells, **{f"S{n}": value for n, value in enumerate(given)}, "D0": integer("u", 32, 0)}
        inner = Machine(self.code, cells)
        inner.run(parse(text))
        return seen_as(inner.cells["D0"], *type_of(name.rpartition("_")[2]))

    def called(self, given: dict[str, Any], block: list[Tree]) -> Any:
        """Return what a function of the text returns."""
        kept = self.cells
        self.cells = {**kept, **given}
        try:
            self.run(block)
        except _Return as found:
            return found.value
        finally:
            self.cells = kept
        raise UnknownError("a function without a return")
