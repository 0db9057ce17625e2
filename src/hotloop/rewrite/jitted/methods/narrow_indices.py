"""Index arithmetic in 64 bits becomes 32 bits wide where the sizes of the launch allow.

What it changes: ``.to(tl.int64)`` and ``tl.cast(.., tl.int64)`` of numbers of programs and of ranges go away, so that what is computed
from them stays in 32 bits; the addition to a pointer is in 64 bits anyway.
When it applies: every sum and product of such a number has a bound that follows from parameters and the number of programs, and the
bound is below 2**31 in this launch. For others the text is wrong: the host must choose. Offsets loaded from memory have no bound.
What it costs: nothing. It saves the upper halves: much where whole blocks of offsets were wide, a few scalar instructions where a row's was.
The interval is what instruction counts suggest; it was not measured on a card yet.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.rewrite.jitted.bounds import Bounds
from hotloop.rewrite.jitted.calls import keyword_of
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import pointer
from hotloop.rewrite.jitted.names import names_in
from hotloop.rewrite.jitted.scene import Scene

_LARGEST = 2**31 - 1
_DEEP = 12
"""Variables put in for each other before a bound is given up."""
_SAME = ("multiple_of", "max_contiguous")
_SEEN = (*_SAME, "load", "store", "range", "static_range", "static_assert", "device_assert", "zeros", "full")
"""Functions that an index may be passed to; the result of random numbers, for one, depends on its width."""


@dataclass(slots=True)
class _Indices:
    """What a kernel computes from numbers that it widens."""

    script: Script
    bounds: Bounds = field(init=False)
    casts: list[ast.Call] = field(init=False)
    """Conversions whose operand has a bound."""
    wide: set[str] = field(default_factory=set)
    """Variables whose type they decide."""
    pointers: set[str] = field(default_factory=set)
    used: dict[str, None] = field(default_factory=dict)
    """Parameters in bounds, which must not be negative."""
    nodes: tuple[ast.AST, ...] = field(init=False)
    """The kernel's syntax, once for all that go through it."""
    assigned: tuple[tuple[ast.expr, ast.expr], ...] = field(init=False)
    """Targets, and what they are given."""
    unnamed: frozenset[str] = field(init=False)
    """Parameters that are no constants."""

    def __post_init__(self) -> None:
        self.bounds = Bounds(self.script)
        self.nodes = tuple(ast.walk(self.script.kernel))
        self.assigned = tuple(self._assigned())
        given = self.script.kernel.args.args
        self.unnamed = frozenset(one.arg for one in given if "constexpr" not in ast.unparse(one))
        every = [node for node in self.nodes if isinstance(node, ast.Call)]
        self.casts = [one for one in every if (inner := _widened(self.script, one)) is not None and self.most(inner)]
        self.used = {}
        if not self.casts:
            raise RefusedError("it widens no number of programs and no range")
        self._pointed()
        self._spread()

    def _assigned(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for node in self.nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    yield from ((target, value) for target in targets)
                case ast.AugAssign(target=target, value=value) | ast.For(target=target, iter=value):
                    yield target, value
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    yield target, value

    def _pointed(self) -> None:
        """Collect what addresses begin with."""
        every = [node for node in self.nodes if isinstance(node, ast.Call) and node.args]
        addressed = [one for one in every if self.script.is_call(one, "load", "store", "make_block_ptr")]
        names = {pointer(one.args[0]) for one in addressed} - {""}
        for _ in range(_DEEP):
            for target, value in self.assigned:
                if isinstance(target, ast.Name) and target.id in names and pointer(value):
                    names.add(pointer(value))
        self.pointers = names & self.parameters
        for _ in range(_DEEP):
            for target, value in self.assigned:
                if isinstance(target, ast.Name) and target.id in names and self._address(value):
                    self.pointers.add(target.id)

    @property
    def parameters(self) -> set[str]:
        """Return the names that a launch gives values."""
        return {argument.arg for argument in self.script.kernel.args.args}

    def _address(self, node: ast.expr) -> bool:
        """Tell whether a sum begins with a pointer. Raises RefusedError where another of its terms may be the pointer."""
        others = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            others.append(node.right)
            node = node.left
        begins = isinstance(node, ast.Name) and node.id in self.pointers
        if begins and any(isinstance(other, ast.Name) and other.id in self.pointers | self.unnamed for other in others):
            raise RefusedError(f"which part of the address in line {node.lineno} is the pointer is not told")
        return begins

    def _spread(self) -> None:
        for _ in range(_DEEP):
            for target, value in self.assigned:
                if self.is_wide(value):
                    self.wide |= names_in(target) - self.pointers

    def is_wide(self, node: ast.expr) -> bool:
        """Tell whether one of the conversions decides an expression's type."""
        match node:
            case ast.Name(id=name):
                return name in self.wide
            case ast.Compare():
                return False
            case ast.Call():
                if node in self.casts:
                    return True
                passes = self.script.is_call(node, *_SAME) or getattr(node.func, "id", "") == "range"
                return passes and any(self.is_wide(argument) for argument in node.args)
        return any(self.is_wide(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))

    def most(self, node: ast.expr, depth: int = 0) -> str:
        """Return the text of the largest absolute value of an index, empty where it has no bound."""
        if depth > _DEEP:
            return ""
        match node:
            case ast.Constant(value=int(number)) if number >= 0:
                return str(int(number))
            case ast.Name():
                return self._named(node, depth)
            case ast.Subscript(value=value):
                return self.most(value, depth)
            case ast.BinOp(left=left, op=op, right=right):
                one, other = self.most(left, depth + 1), self.most(right, depth + 1)
                return _joined(one, op, other) if one and other else ""
            case ast.Call(args=args):
                return self._called(node, args, depth)
        return ""

    def _named(self, node: ast.Name, depth: int) -> str:
        if node.id in self.parameters and not any(self._stored(node.id)):
            self.used[node.id] = None
            return node.id
        if (meant := self.bounds.meant(node)) is not node:
            return self.most(meant, depth + 1)
        ends = [one for one in self._stored(node.id) if one is not None]
        return self.most(ends[0], depth + 1) if len(ends) == 1 == len(list(self._stored(node.id))) else ""

    def _stored(self, name: str) -> Iterator[ast.expr | None]:
        """Yield where loops over a variable end, and None for its other definitions."""
        counted = {one.target for one in self.nodes if isinstance(one, ast.For)}
        for node in self.nodes:
            match node:
                case ast.For(target=ast.Name(id=found), iter=ast.Call(args=args)) if found == name and args:
                    yield args[0] if len(args) == 1 else args[1]
                case ast.Name(id=found, ctx=ast.Store()) if found == name and node not in counted:
                    yield None

    def _called(self, node: ast.Call, args: list[ast.expr], depth: int) -> str:
        script = self.script
        if (inner := _widened(script, node)) is not None or script.is_call(node, *_SAME, "cdiv"):
            return self.most(inner if inner is not None else args[0], depth + 1)
        if script.is_call(node, "program_id", "num_programs"):
            axis = args[0] if args else keyword_of(node, "axis")
            return f"num_programs({axis.value!r})" if isinstance(axis, ast.Constant) else ""
        if script.is_call(node, "arange") and len(args) == 2:
            return self.most(args[1], depth + 1)
        return ""

    def conditions(self) -> tuple[str, ...]:
        """Return what keeps every sum and product within 32 bits. Raises RefusedError where that has no bound."""
        inside = {id(child) for node in self.nodes if self._sum(node) for child in ast.walk(node)
                  if child is not node}  # fmt: skip
        bounds: dict[str, None] = {}
        for node in self.nodes:
            self._usable(node)
            if self._sum(node) and isinstance(node, ast.BinOp):
                if not (most := self.most(node)):
                    raise RefusedError(f"{self.script.source(node)} (line {node.lineno}) has no bound")
                if id(node) not in inside and not most.isdigit():
                    bounds[f"{most} <= {_LARGEST}"] = None
        return (*bounds, *(f"{name} >= 0" for name in self.used))

    def _sum(self, node: ast.AST) -> bool:
        """Tell an expression that is computed in 64 bits, and no address."""
        return isinstance(node, ast.BinOp) and self.is_wide(node) and not self._address(node)

    def _usable(self, node: ast.AST) -> None:
        match node:
            case ast.IfExp(body=body, orelse=other) if self.is_wide(body) or self.is_wide(other):
                raise RefusedError(f"line {node.lineno} chooses between an index and something else")
            case ast.UnaryOp(operand=operand) if self.is_wide(operand):
                raise RefusedError(f"line {node.lineno} computes with an index otherwise")
            case ast.Name(id=name, ctx=ast.Store()) if name in self.wide:
                if len(list(self._stored(name))) > 1:
                    raise RefusedError(f"{name} is given several values")
            case ast.Call(func=func, args=args) if any(self.is_wide(one) for one in (*args, *_values(node))):
                word = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                if node not in self.casts and word not in _SEEN:
                    raise RefusedError(f"line {node.lineno} gives an index to {word or 'a function'}")


def _values(node: ast.Call) -> Iterator[ast.expr]:
    return (keyword.value for keyword in node.keywords)


def _joined(one: str, op: ast.operator, other: str) -> str:
    match op:
        case ast.Mult():
            left, right = (f"({side})" if " + " in side else side for side in (one, other))
            return f"{left} * {right}"
        case ast.Add() | ast.Sub():
            return f"{one} + {other}"
        case ast.FloorDiv() | ast.Mod():
            return one
    return ""


def _widened(script: Script, node: ast.Call) -> ast.expr | None:
    """Return what a call converts to 64 bits, None where it does something else."""
    if script.is_call(node, "cast") and len(node.args) == 2:
        inner, kind = node.args
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "to" and len(node.args) == 1:
        inner, kind = node.func.value, node.args[0]
    else:
        return None
    wide = isinstance(kind, ast.Attribute) and kind.attr == "int64" and script.of_language(kind.value)
    return inner if wide and not node.keywords else None


def apply(script: Script, _value: int | str) -> Script:
    """Take the conversions away."""
    indices = _Indices(script)
    indices.conditions()
    edits = []
    for call in indices.casts:
        inner = _widened(script, call)
        assert inner is not None
        text = script.source(inner)
        edits.append(Edit(call, text if isinstance(inner, ast.Name | ast.Call | ast.Subscript) else f"({text})"))
    return script.edited(edits)


def guard(script: Script, _value: int | str) -> str:
    """Return what the sizes must satisfy."""
    return " and ".join(_Indices(script).conditions())


def _expected(script: Script, _scene: Scene, _value: int | str) -> tuple[float, float]:
    """Return more where whole blocks were wide."""
    blocks = any(
        script.is_call(node, "arange") or (isinstance(node, ast.Name) and _ranged(script, node))
        for cast in _Indices(script).casts
        for node in ast.walk(cast)
    )
    return (0.98, 1.08) if blocks else (0.99, 1.02)


def _ranged(script: Script, node: ast.Name) -> bool:
    return next(script.calls(Bounds(script).meant(node), "arange"), None) is not None


REWRITE = Rewrite(
    name="narrow-indices",
    text=__doc__,
    technique="hoist-addresses",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    gain=(0.98, 1.08),
    expects=_expected,
    guard=guard,
    order=1,
)
