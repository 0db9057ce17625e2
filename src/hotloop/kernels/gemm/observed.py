"""Which calls are matrix products: PyTorch's, and this family's own operator."""

from __future__ import annotations

from math import prod

from hotloop.dispatch.activation import epilogue
from hotloop.dispatch.observed import Operand, Reader, Seen, tight
from hotloop.kernels.gemm.problem import ACTIVATIONS, DEFAULT, ELEMENT_BYTES
from hotloop.model.problem import Problem

_MATRIX = 2
OWN = "hotloop::gemm"
BATCHED = frozenset({"aten::bmm", "aten::baddbmm"})


def problem(seen: Seen) -> Problem:
    """Return the product of a call. Raises ValueError where it is none of this family's."""
    if seen.name in BATCHED:
        raise ValueError(
            f"a batch of {seen.tensor(seen.name == 'aten::baddbmm').shape[0]} products; one product a call is known"
        )
    a, b, bias, added = _operands(seen)
    if a.dtype != b.dtype or a.dtype not in ELEMENT_BYTES:
        raise ValueError(f"products of {a.dtype} and {b.dtype} are not known")
    (m, k), n = a.shape, b.shape[1]
    if min(m, n, k) < 1:
        raise ValueError("there is nothing to multiply")
    (letter_a, lda), (letter_b, ldb) = _lying("a", a), _lying("b", b)
    activation = str(seen.given[8]) if seen.name == OWN else _after(seen)
    return DEFAULT.replace(
        m=m, n=n, k=k, dtype=a.dtype, op=letter_a + letter_b, lda=lda, ldb=ldb, beta=float(added),
        accumulate="float64" if a.dtype == "float64" else "float32", epilogue=epilogue(activation, bias=bias),
    )  # fmt: skip


def made(seen: Seen) -> int:
    """Return the elements of the result."""
    if seen.name in BATCHED:
        raise ValueError("a batch")
    a, b, _, _ = _operands(seen)
    return a.shape[0] * b.shape[1]


def _after(seen: Seen) -> str:
    if seen.name == "aten::_addmm_activation":
        return "gelu-tanh" if len(seen.given) > 5 and seen.given[5] else "relu"
    return seen.after if seen.after in ACTIVATIONS else "none"


def _operands(seen: Seen) -> tuple[Operand, Operand, bool, bool]:
    """Return op(a) and op(b), whether a bias of columns is added, and whether a matrix is."""
    match seen.name:
        case "aten::linear":
            x, w = seen.tensor(0), seen.tensor(1)
            return folded(x), _turned(w), seen.maybe(2) is not None, False
        case "aten::addmm" | "aten::_addmm_activation":
            _plain(seen, 3, 4)
            added = seen.tensor(0)
            a, b = _matrix(seen.tensor(1)), _matrix(seen.tensor(2))
            columns = added.shape in ((b.shape[1],), (1, b.shape[1])) or (
                len(added.shape) == _MATRIX and not added.strides[0]
            )
            return a, b, columns, not columns
        case "aten::matmul":
            x, w = seen.tensor(0), seen.tensor(1)
            if len(w.shape) != _MATRIX or len(x.shape) < _MATRIX:
                raise ValueError("a product of vectors or of batches; one product of matrices a call is known")
            return folded(x), w, False, False
        case "hotloop::gemm":
            a, b = _matrix(seen.tensor(0)), _matrix(seen.tensor(1))
            if seen.number(4, "alpha") != 1 or seen.number(5, "beta") not in (0, 1):
                raise ValueError("scaled products are tuned by hand: hotloop tune gemm --shape m=..,alpha=..")
            left = _turned(a) if seen.given[6] else a
            return left, _turned(b) if seen.given[7] else b, seen.maybe(2) is not None, seen.number(5, "beta") == 1
        case _:
            return _matrix(seen.tensor(0)), _matrix(seen.tensor(1)), False, False


def _plain(seen: Seen, *places: int) -> None:
    """Raise ValueError where a factor was recorded that is not 1; PyTorch leaves them out where they are."""
    for index in places:
        value = seen.given[index] if index < len(seen.given) else None
        if isinstance(value, int | float) and value != 1:
            raise ValueError(f"a factor of {value:g}; products without factors are tuned")


def _matrix(x: Operand) -> Operand:
    if len(x.shape) != _MATRIX:
        raise ValueError(f"an operand of {len(x.shape)} dimensions is no matrix")
    return x


def folded(x: Operand) -> Operand:
    """Return a tensor of rows as one matrix; where its rows do not follow each other, that of the copy that PyTorch makes."""
    rows, columns = prod(x.shape[:-1]), x.shape[-1]
    dense = tight(x.shape) == x.strides or len(x.shape) == _MATRIX
    strides = (x.strides[-2], x.strides[-1]) if dense and len(x.shape) >= _MATRIX else (columns, 1)
    return Operand((rows, columns), strides, x.dtype)


def _turned(x: Operand) -> Operand:
    _matrix(x)
    return Operand(x.shape[::-1], x.strides[::-1], x.dtype)


def _lying(name: str, x: Operand) -> tuple[str, int]:
    """Return the letter of a matrix, and its leading dimension where that is not the least."""
    (rows, columns), (down, right) = x.shape, x.strides
    if (right == 1 or columns == 1) and (rows == 1 or down >= columns):
        return "n", 0 if rows == 1 or down == columns else down
    if (down == 1 or rows == 1) and (columns == 1 or right >= rows):
        return "t", 0 if columns == 1 or right == rows else right
    raise ValueError(f"{name} lies neither by rows nor by columns (strides {down}, {right})")


OBSERVED = Reader(
    frozenset({"aten::mm", "aten::addmm", "aten::_addmm_activation", "aten::linear", "aten::matmul", OWN}) | BATCHED,
    problem,
    made,
)
