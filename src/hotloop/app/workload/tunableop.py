"""PyTorch's list of products that TunableOp has not tuned: one line each, without how often they ran.

A line reads ``GemmTunableOp_BFloat16_TN,tn_4096_77_11008_ld_11008_11008_4096``: what BLAS was asked for, column by column, hence
the row-major product of the mirrored operands. The form is that of ``torch/cuda/tunable.py`` of PyTorch 2.13; lines of PyTorch 2.4
have no leading dimensions (``tn_4096_77_11008``), and matrices are taken to have no gaps.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hotloop.dispatch import observed
from hotloop.dispatch.observed import Operand, Seen
from hotloop.errors import UsageError
from hotloop.model.tally import Tally

SOURCE = "TunableOp's list"
_DTYPES = {"float": "float32", "tf32": "float32", "double": "float64", "BFloat16": "bfloat16", "Half": "float16"}
_LINE = re.compile(r"(?P<kind>[A-Za-z]+TunableOp)_(?P<types>.+)_(?P<letters>[NT]{2})$")
_SIZES = re.compile(
    r"[nt]{2}_(?P<n>\d+)_(?P<m>\d+)_(?P<k>\d+)(?:_B_(?P<batch>\d+))?(?:_ld_(?P<ldb>\d+)_(?P<lda>\d+)_(?P<ldc>\d+))?(?=_|,|$)"
)
NOTE = "the list tells neither counts nor times: shapes are ordered by their least possible time, and no gain of the whole can be predicted"


@dataclass(frozen=True, slots=True)
class _Product:
    """One line, in row-major terms."""

    kind: str
    types: str
    m: int
    n: int
    k: int
    batch: int
    turned: tuple[bool, bool]
    """Whether a and b lie by columns."""
    rows: tuple[int, int]
    """Leading dimensions of a and b."""


def recognises(text: str) -> bool:
    """Tell whether a file's beginning is such a list, or the table of TunableOp's results."""
    first = text.partition("\n")[0]
    return "TunableOp_" in first or first.startswith("Validator,")


def read(path: Path) -> Tally:
    """Return the products of a list. Raises UsageError where no line can be understood."""
    met: Counter[Seen] = Counter()
    strange = 0
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.strip() or line.startswith("Validator"):
            continue
        product = _parsed(line)
        if product is None:
            strange += 1
        else:
            met[_seen(product)] += 1
    if not met:
        raise UsageError(
            f"{path} has no line of TunableOp that can be understood; it should read GemmTunableOp_float_TN,tn_..."
        )
    notes = (NOTE, *((f"{strange} lines could not be understood and are left out",) if strange else ()))
    return Tally(source=SOURCE, lines=observed.summed((seen, None, None) for seen in met), notes=notes)


def _parsed(line: str) -> _Product | None:
    name, _, rest = line.strip().partition(",")
    head, sizes = _LINE.match(name), _SIZES.match(rest)
    if head is None or sizes is None:
        return None
    n, m, k = (int(sizes[key]) for key in ("n", "m", "k"))
    turned = head["letters"][1] == "T", head["letters"][0] == "T"  # the first letter is BLAS' first operand: our b
    lda, ldb = int(sizes["lda"] or (m if turned[0] else k)), int(sizes["ldb"] or (k if turned[1] else n))
    batch = int(sizes["batch"] or 1)
    return _Product(head["kind"], head["types"], m, n, k, batch, turned, (lda, ldb))


def _seen(product: _Product) -> Seen:
    """Return the call that a line stands for, in the dispatcher's words."""
    dtype = _DTYPES.get(product.types, product.types)
    a = _operand((product.m, product.k), product.rows[0], dtype, turned=product.turned[0])
    b = _operand((product.k, product.n), product.rows[1], dtype, turned=product.turned[1])
    if product.batch > 1 or "Batched" in product.kind:
        return Seen("aten::bmm", (_stacked(a, product.batch), _stacked(b, product.batch)))
    if product.kind.startswith("Scaled"):
        return Seen("aten::_scaled_mm", (a, b))
    if product.kind.startswith("GemmAndBias"):
        return Seen("aten::addmm", (Operand((product.n,), (1,), dtype), a, b))
    return Seen("aten::mm", (a, b))


def _operand(shape: tuple[int, int], row: int, dtype: str, *, turned: bool) -> Operand:
    """Return a matrix of a product that BLAS computes in column-major order, as the row-major product sees it.

    A column-major matrix has the same bytes as its transpose in row-major order. So what BLAS calls transposed is a plain
    row-major matrix here, and what it does not is the transpose of one.
    """
    return Operand(shape, (1, row) if turned else (row, 1), dtype)


def _stacked(x: Operand, batch: int) -> Operand:
    step = x.shape[0] * x.strides[0] if x.strides[1] == 1 else x.shape[1] * x.strides[1]
    return Operand((batch, *x.shape), (step, *x.strides), x.dtype)
