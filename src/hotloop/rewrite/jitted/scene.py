"""How a kernel is launched, as far as predictions and guards ask: grid, values of parameters, arrays, the device's units."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

SHARED = "shared_memory()"
"""Name in conditions for whether two arguments are the same memory: 1 or 0."""
WARP = 32
"""Threads of a warp, where rewrites count elements for each thread."""
_WIDEST, _HELD = 16, 16
"""Warps of a program at most, and elements that a thread holds of a row that is kept."""
_SUMS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_ORDERS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One launch, as conditions of rewrites see it."""

    grid: tuple[int, ...] = (1,)
    """Programs by dimension."""
    values: Mapping[str, object] = field(default_factory=dict)
    """Values of parameters and compiler options by name; arrays are not among them."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Types of the arrays' elements by parameter."""
    bytes: int = 0
    """Size of all arrays of the launch."""
    units: int = 1
    """Compute units of the device."""
    shared: bool = False
    """Whether two of its arguments are the same memory."""

    def number(self, expression: str) -> int | None:
        """Return a whole number's value; None where it is not known.

        >>> Scene(values={"BLOCK": 64}).number("2 * BLOCK"), Scene().number("BLOCK")
        (128, None)
        """
        return _value(ast.parse(expression, mode="eval").body, self.values)

    @property
    def facts(self) -> dict[str, object]:
        """Return what guards ask: the values, and how many programs there are.

        >>> holds("num_programs(0) * n <= 100", Scene(grid=(7,), values={"n": 10}).facts)
        True
        """
        return {**self.values, **programs(self.grid), SHARED: int(self.shared)}

    @property
    def threads(self) -> int:
        """Return the threads of a program, with the usual number of warps where none is named."""
        warps = self.values.get("num_warps")
        return WARP * (warps if isinstance(warps, int) and not isinstance(warps, bool) else 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaunch:
    """A launch with fewer programs of one dimension, or more."""

    argument: str
    """Further parameter that is given how many there were."""
    by: int = 1
    """How many of them become one."""
    times: int = 1
    """How many there are for each that there was."""
    each: int = 0
    """How many there are at most for each compute unit; 0: any number."""
    axis: int = 0
    """Which dimension."""

    def grid(self, before: tuple[int, ...], units: int) -> tuple[int, ...]:
        """Return the grid that stands for another on a device with so many units.

        >>> Relaunch(argument="n_rows", by=4).grid((9, 2), 1), Relaunch(argument="n_programs", each=2).grid((9, 2), 3)
        ((3, 2), (6, 2))
        >>> Relaunch(argument="n_programs", times=4).grid((9, 2), 1)
        (36, 2)
        """
        fewer = -(-before[self.axis] // self.by) * self.times
        size = min(fewer, self.each * units) if self.each else fewer
        return (*before[: self.axis], size, *before[self.axis + 1 :])

    def __str__(self) -> str:
        one = f"N / {self.by}, rounded up" if self.by > 1 else f"{self.times} N" if self.times > 1 else "N"
        least = f"the least of {one} and {self.each} for each compute unit" if self.each else one
        where = ("first", "second", "third")[self.axis]
        return f"where it launched N programs in the {where} dimension, launch {least}, and give {self.argument}=N"


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """A launch whose programs are as many as a block's extent divides something into, where the host has counted them already."""

    constant: str
    own: int
    """Extent that they were counted for."""
    new: int
    axis: int = 0

    def grid(self, before: tuple[int, ...]) -> tuple[int, ...]:
        """Return the grid for the new extent; smaller ones may leave up to so many programs without work as blocks became of one.

        >>> Divided(constant="BLOCK", own=64, new=256).grid((9, 2)), Divided(constant="BLOCK", own=64, new=16, axis=1).grid((9, 2))
        ((3, 2), (9, 8))
        >>> str(Divided(constant="BLOCK", own=64, new=256))
        'where it launched N programs in the first dimension for BLOCK=64, launch N / 4, rounded up, unless the host counts them by BLOCK'
        """
        size = -(-before[self.axis] * self.own // self.new)
        return (*before[: self.axis], size, *before[self.axis + 1 :])

    def __str__(self) -> str:
        where = ("first", "second", "third")[self.axis]
        size = f"N / {self.new // self.own}, rounded up" if self.new > self.own else f"{self.own // self.new} N"
        return f"where it launched N programs in the {where} dimension for {self.constant}={self.own}, launch {size}, unless the host counts them by {self.constant}"


def programs(grid: Sequence[int]) -> dict[str, int]:
    """Return the programs by dimension, as conditions call them."""
    return {f"num_programs({axis})": size for axis, size in enumerate((*grid, 1, 1)[:3])}


def holds(condition: str, values: Mapping[str, object]) -> bool:
    """Tell whether a comparison of sums and products of whole numbers holds; what is not known does not.

    >>> holds("n <= BLOCK", {"n": 50, "BLOCK": 64}), holds("n <= BLOCK", {"n": 65, "BLOCK": 64}), holds("n <= 1", {})
    (True, False, False)
    """
    node = ast.parse(condition, mode="eval").body
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return all(holds(ast.unparse(value), values) for value in node.values)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in _ORDERS:
        return False
    left, right = _value(node.left, values), _value(node.comparators[0], values)
    return left is not None and right is not None and _ORDERS[type(node.ops[0])](left, right)


def met(condition: str, values: Mapping[str, object], widest: int = 1 << 15) -> dict[str, int]:
    """Return the least power of two that makes ``n <= BLOCK`` hold, by the block's name, and the warps that so wide a block needs.

    >>> met("n <= BLOCK", {"n": 3000, "BLOCK": 1024, "num_warps": 4})
    {'BLOCK': 4096, 'num_warps': 8}
    >>> met("n % BLOCK == 0", {"n": 3000, "BLOCK": 1024})
    {}
    """
    match ast.parse(condition, mode="eval").body:
        case ast.Compare(left=left, ops=[ast.LtE()], comparators=[ast.Name(id=name)]) if name in values:
            needed = _value(left, values)
            if needed is None or not 0 < needed <= widest:
                return {}
            block = 1 << (needed - 1).bit_length()
            warps = min(_WIDEST, max(1, block // (WARP * _HELD)))
            own = values.get("num_warps")
            return {name: block, "num_warps": max(warps, own if isinstance(own, int) else 1)}
    return {}


def _value(node: ast.expr, values: Mapping[str, object]) -> int | None:
    match node:
        case ast.Constant(value=int(number)):
            return int(number)
        case ast.Name() | ast.Call():
            size = values.get(ast.unparse(node))
            return int(size) if isinstance(size, int) else None
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
            one, other = _value(left, values), _value(right, values)
            if one is None or other is None or (other == 0 and isinstance(op, ast.FloorDiv | ast.Mod)):
                return None
            return _SUMS[type(op)](one, other)
    return None
