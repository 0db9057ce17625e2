"""Which masks are true for all elements, and under which condition: offsets that are whole blocks of a range of whole blocks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.names import assigned_in

_PASS_ON = ("max_contiguous", "multiple_of")
_DEEP = 12
"""Variables put in for each other before an expression is given up."""


@dataclass(slots=True)
class Bounds:
    """What is known of a kernel's offsets."""

    script: Script
    _meaning: dict[str, ast.expr] = field(default_factory=dict)
    """Expression of each variable that is assigned once."""
    _loops: dict[str, list[ast.expr]] = field(default_factory=dict)
    """Step and start of each loop variable."""
    _again: dict[str, str] = field(default_factory=dict)
    """Parameters that are assigned again, with the constant that must be off to avoid it, or an empty text."""

    def __post_init__(self) -> None:
        given: dict[str, list[ast.expr | None]] = {}
        loops: dict[str, list[list[ast.expr]]] = {}
        for node in ast.walk(self.script.kernel):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    given.setdefault(name, []).append(value)
                case ast.For(target=ast.Name(id=name), iter=ast.Call(args=[ast.Constant(value=1)])):
                    loops.setdefault(name, []).append([ast.Constant(0)])
                case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args)):
                    start = args[0] if len(args) > 1 else ast.Constant(0)
                    loops.setdefault(name, []).append([start, args[2] if len(args) > 2 else ast.Constant(1)])
                case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.For():
                    for one in ast.walk(node):
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                            given.setdefault(one.id, []).append(None)
        self._meaning = {name: one[0] for name, one in given.items() if name not in loops and _alike(one) and one[0]}
        self._loops = {
            name: rows[0] if _alike([ast.Tuple(row) for row in rows]) else [] for name, rows in loops.items()
        }
        self._changed()

    def _changed(self) -> None:
        names = {argument.arg for argument in self.script.kernel.args.args}
        for node in ast.walk(self.script.kernel):
            stored = assigned_in(node)
            if (
                isinstance(node, ast.If)
                and isinstance(node.test, ast.Name)
                and node.test.id in names
                and not node.orelse
            ):
                for name in stored & names:
                    self._again.setdefault(name, node.test.id)
            elif isinstance(node, ast.Assign | ast.AugAssign):
                for name in stored & names:
                    self._again.setdefault(name, "")

    def meant(self, node: ast.expr) -> ast.expr:
        """Return what a variable stands for; other expressions as they are."""
        return self._meant(node) if isinstance(node, ast.Name) else node

    def mask(self, node: ast.expr) -> tuple[str, ...] | None:
        """Return the conditions under which a comparison holds for all elements; None where none is known."""
        node = self._meant(node)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Lt):
            return None
        right = node.comparators[0]
        terms = self._terms(node.left)
        if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Sub):
            terms += self._terms(right.right)
            right = right.left
        blocks = [term for term in terms if self.script.is_call(term, "arange")]
        if len(blocks) != 1 or len(blocks[0].args) != 2 or ast.unparse(blocks[0].args[0]) != "0":  # type: ignore[attr-defined]
            return None
        block = blocks[0].args[1]  # type: ignore[attr-defined]
        rest = [term for term in terms if term is not blocks[0]]
        return self.whole(rest, right, block)

    def whole(self, offsets: list[ast.expr], extent: ast.expr, block: ast.expr) -> tuple[str, ...] | None:
        """Return the conditions under which blocks at offsets lie within an extent; None where none is known."""
        size, step = self._constant(extent), self._constant(block)
        if size is None or step is None or not all(self._multiple(offset, step, 0) for offset in offsets):
            return None
        own = f"{size} == {step}" if not offsets else f"{size} % {step} == 0"
        unless = self._again.get(size)
        return () if size == step else (own,) if unless is None else (own, f"{unless} == 0")

    def _constant(self, node: ast.expr) -> str | None:
        """Return a number's or a parameter's text, None where something else stands there or it gets another value."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return str(node.value)
        if isinstance(node, ast.Name) and any(argument.arg == node.id for argument in self.script.kernel.args.args):
            return node.id if self._again.get(node.id) != "" else None
        return None

    def _meant(self, node: ast.expr) -> ast.expr:
        """Return what a variable stands for, without the dimensions that it is given."""
        for _ in range(_DEEP):
            if isinstance(node, ast.Name) and node.id in self._meaning:
                node = self._meaning[node.id]
            elif isinstance(node, ast.Subscript):
                node = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
                node = node.func.value
            elif self.script.is_call(node, *_PASS_ON) and isinstance(node, ast.Call) and node.args:
                node = node.args[0]
            else:
                break
        return node

    def _terms(self, node: ast.expr) -> list[ast.expr]:
        node = self._meant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return [*self._terms(node.left), *self._terms(node.right)]
        return [node]

    def _multiple(self, node: ast.expr, step: str, depth: int) -> bool:
        """Tell whether an expression is a whole number of blocks."""
        if ast.unparse(node) == step or (isinstance(node, ast.Constant) and node.value == 0):
            return True
        if depth > _DEEP:
            return False
        match node:
            case ast.Name(id=name) if name in self._loops:
                return bool(self._loops[name]) and all(
                    self._multiple(loop, step, depth + 1) for loop in self._loops[name]
                )
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self._multiple(left, step, depth + 1) or self._multiple(right, step, depth + 1)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self._multiple(left, step, depth + 1) and self._multiple(right, step, depth + 1)
        meant = self._meant(node)
        return meant is not node and self._multiple(meant, step, depth + 1)


def _alike(values: Sequence[ast.expr | None]) -> bool:
    """Tell whether all of some expressions are known and the same."""
    return None not in values and len({ast.unparse(value) for value in values if value is not None}) == 1
