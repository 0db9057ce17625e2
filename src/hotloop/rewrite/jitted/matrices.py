"""Rows of several programs beside blocks of two dimensions that are the same for all of them, such as a matrix that each row is multiplied with.

A block of one dimension has one in front for rows; spread as ``block[:, None]`` it becomes a column, as ``block[None, :]`` it stays. What is made of such
columns and rows alone is a matrix. A row times a matrix, summed, is the only way in which both meet here: it becomes a product of matrices.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from hotloop.rewrite.jitted.flow import real
from hotloop.rewrite.jitted.folds import Kind
from hotloop.rewrite.jitted.form import RefusedError
from hotloop.rewrite.jitted.kinds import Rows

_ROW_BLOCK = Kind.ROW | Kind.BLOCK
_CHANGES = ("sum", "max", "min", "reshape", "join", "split")
_OUTER = "its matrix meets rows in another way"


@dataclass
class Matrices(Rows):
    """One walk through a kernel whose rows are multiplied with matrices."""

    products: int = 0
    """How many products of a row and a matrix there are."""
    _flat: set[str] = field(default_factory=set)
    """Variables that are matrices."""

    def _assign(self, node: ast.Assign, target: ast.expr, value: ast.expr) -> None:
        matrix = self._matrix(value)
        super()._assign(node, target, value)
        for one in target.elts if isinstance(target, ast.Tuple) else [target]:
            if isinstance(one, ast.Name):
                (self._flat.add if matrix else self._flat.discard)(one.id)

    def _kind(self, node: ast.expr) -> Kind:
        if isinstance(node, ast.Subscript) and self._spread(node) is not None:
            return self._one(node)
        if isinstance(node, ast.Call) and (pair := self._pair(node)) is not None:
            return self._product(node, *pair)
        kind = super()._kind(node)
        if kind & Kind.ROW and self._matrix(node):
            raise RefusedError(f"{_OUTER} (line {node.lineno})")
        if isinstance(node, ast.Call) and self.script.is_call(node, *_CHANGES) and self._matrix(node):
            raise RefusedError(f"it reduces a matrix that no row has part in (line {node.lineno})")
        return kind

    def _matrix(self, node: ast.AST) -> bool:
        """Tell whether a matrix takes part in an expression, other than in a product with a row."""
        if isinstance(node, ast.Subscript) and self._spread(node) is not None:
            return True
        if isinstance(node, ast.Name):
            return node.id in self._flat
        if isinstance(node, ast.Call) and self._pair(node) is not None:
            return False
        return any(self._matrix(child) for child in ast.iter_child_nodes(node))

    def _spread(self, node: ast.Subscript) -> int | None:
        """Return which dimension of ``block[:, None]`` is the block's; None for another form."""
        match node.slice:
            case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), ast.Constant(value=None)]):
                return 0
            case ast.Tuple(elts=[ast.Constant(value=None), ast.Slice(lower=None, upper=None, step=None)]):
                return 1
        return None

    def _one(self, node: ast.Subscript) -> Kind:
        """Spread a block that is the same for all rows."""
        if isinstance(node.value, ast.Call) and self.script.is_call(node.value, "arange"):
            return Kind.BLOCK
        flat = isinstance(node.value, ast.Name) and not self._matrix(node.value)
        if not flat or super()._kind(node.value) != Kind.BLOCK:
            raise RefusedError(f"{_OUTER} (line {node.lineno})")
        text = self.script.source(node.value)
        self._put(node, f"{self.script.tl}.trans({text})" if self._spread(node) == 0 else text)
        return Kind.BLOCK

    def _pair(self, node: ast.Call) -> tuple[ast.expr, ast.expr, int] | None:
        """Return row, matrix and the dimension along which their products are summed; None where it is no such sum."""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        axis = node.args[1] if len(node.args) > 1 else named.get("axis")
        if not self.script.is_call(node, "sum") or set(named) - {"axis"} or not isinstance(axis, ast.Constant) or not isinstance(axis.value, int):  # fmt: skip
            return None
        match node.args[0]:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, ast.Subscript) and self._spread(one) == axis.value and self._rowed(one.value):
                        return one.value, other, axis.value
        return None

    def _rowed(self, node: ast.expr) -> bool:
        """Tell whether a variable is a block of its own for each row."""
        return isinstance(node, ast.Name) and self._kinds.get(node.id, Kind.UNIFORM) == _ROW_BLOCK

    def _product(self, node: ast.Call, row: ast.expr, matrix: ast.expr, axis: int) -> Kind:
        if self._kind(matrix) & Kind.ROW or not self._matrix(matrix):
            raise RefusedError(f"{_OUTER} (line {node.lineno})")
        tl, whole = self.script.tl, self.script.source(matrix)
        if not isinstance(matrix, ast.Name):
            raise RefusedError(f"{_OUTER} (line {node.lineno})")
        if not real(self.script, row) and not real(self.script, matrix):
            raise RefusedError(f"what it multiplies may be whole numbers (line {node.lineno})")
        second = whole if axis == 0 else f"{tl}.trans({whole})"
        single = f".to({tl}.float32)"
        self._put(node, f'{tl}.dot({self.script.source(row)}{single}, {second}{single}, input_precision="ieee")')
        self.products += 1
        return _ROW_BLOCK


__all__ = ["Matrices"]
