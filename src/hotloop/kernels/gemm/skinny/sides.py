"""The two sides of a product with few rows or columns: the long operand, which is read once, and the short one."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm.problem import Gemm, Matrix


@dataclass(frozen=True, slots=True)
class Sides:
    """A product as its long operand sees it."""

    matrix: Matrix
    """The operand with more rows or columns of C, read once."""
    short: Matrix
    outputs: int
    """Number of elements of C along its long side."""
    few: int
    """Rows or columns of C along the short side."""
    along_k: bool
    """True where the long operand's rows lie along k."""
    short_along_k: bool
    """True where the short operand's neighbours along k lie side by side, of a single row or column whatever its flag says."""
    long_a: bool

    @classmethod
    def of(cls, form: Gemm) -> Sides:
        """Return the sides of a product; of a square one A is the long operand."""
        if form.m >= form.n:
            short = form.transposed_b or (form.n == 1 and form.b.ld == 1)
            along = not form.transposed_a or (form.m == 1 and form.a.ld == 1)
            return cls(form.a, form.b, form.m, form.n, along, short, long_a=True)
        short = not form.transposed_a or (form.m == 1 and form.a.ld == 1)
        return cls(form.b, form.a, form.n, form.m, form.transposed_b, short, long_a=False)

    def aligned(self, vector: int) -> bool:
        """Return whether every row of the long operand begins at a whole vector."""
        rows = (self.along_k and self.outputs == 1) or self.matrix.ld % vector == 0
        return rows and self.matrix.offset % vector == 0

    def short_wide(self, vector: int) -> bool:
        """Return whether the short operand can be read in vectors along k."""
        rows = self.few == 1 or self.short.ld % vector == 0
        return self.short_along_k and rows and self.short.offset % vector == 0
