"""The GEMM problem: ``C = act(alpha · op(A) · op(B) + beta · C + bias)`` with BLAS meaning of every size.

Sizes: ``m n k`` (any non-negative integers); ``dtype`` and ``accumulate`` (type of sums, for 16-bit types);
``layout`` row or col; ``op`` two letters, n or t, for A and B; ``lda ldb ldc`` in elements (0: as tight as possible);
``offset_a offset_b offset_c`` in elements before the first one; ``alpha beta``; ``epilogue`` none, bias, an activation,
or ``bias-`` and an activation. The bias has one element per column of C. ``beta = 0`` never reads C and ``alpha = 0``
never reads A or B, so their NaN do not spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "gemm"
ELEMENT_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
SUMS = ("float16", "float32", "float64")
"""Types of sums; nothing adds up in bfloat16."""
ACTIVATIONS = ("none", "relu", "gelu-tanh", "gelu-erf", "silu")
"""Position is the source's ACTIVATION macro. GELU comes in its tanh form and in its exact erf form."""

DEFAULT = Problem(
    FAMILY,
    Record(
        m=1024,
        n=1024,
        k=1024,
        dtype="float32",
        accumulate="float32",
        layout="row",
        op="nn",
        alpha=1.0,
        beta=0.0,
        epilogue="none",
        lda=0,
        ldb=0,
        ldc=0,
        offset_a=0,
        offset_b=0,
        offset_c=0,
    ),
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """One stored matrix, row by row in memory whatever the user calls it."""

    name: str
    """Name of its array among the inputs."""
    rows: int
    """Stored rows: those that lie `ld` elements apart."""
    columns: int
    """Contiguous elements of a row."""
    ld: int
    """Leading dimension in elements."""
    offset: int
    """Elements before the first one."""

    @property
    def elements(self) -> int:
        """Elements that the array needs at least one of: offset and all rows, each of full length `ld`."""
        return max(1, self.offset + self.rows * self.ld)


@dataclass(frozen=True, slots=True)
class Gemm:
    """A problem in row-major form, as the kernels see it."""

    m: int
    n: int
    k: int
    dtype: str
    accumulate: str
    """Type of the sums: the matrices' own, or what the problem says for those of 16 bits."""
    transposed_a: bool
    transposed_b: bool
    a: Matrix
    b: Matrix
    c: Matrix
    alpha: float
    beta: float
    bias: str
    """Direction of the bias: ``none``, ``columns`` or ``rows`` of the row-major C."""
    activation: str

    @property
    def empty(self) -> bool:
        """True when C has no elements: nothing is computed or written."""
        return self.m == 0 or self.n == 0

    @property
    def reads_operands(self) -> bool:
        """False when A and B must not be read."""
        return self.k > 0 and self.alpha != 0


@lru_cache(maxsize=256)  # a search asks about the same few problems for every configuration
def gemm(problem: Problem) -> Gemm:
    """Return the row-major form of a problem.

    A column-major matrix occupies the same bytes as its row-major transpose, so a column-major C = op(A)·op(B) is the
    row-major Cᵀ = op(B)ᵀ·op(A)ᵀ: the operands and m and n change places, the flags stay with their matrices, no data move.

    Raises:
        ValueError: a size, name or leading dimension has no meaning.
    """
    check(problem)
    m, n, k = (problem.integer(name) for name in "mnk")
    op = str(problem.op)
    swap = problem.layout == "col"
    a = _matrix(problem, "a", m, k, flipped=(op[0] == "t") != swap)
    b = _matrix(problem, "b", k, n, flipped=(op[1] == "t") != swap)
    c = _matrix(problem, "c", m, n, flipped=swap)
    biased, activation = epilogue(str(problem.epilogue))
    first, second = (b, a) if swap else (a, b)
    return Gemm(
        m=n if swap else m,
        n=m if swap else n,
        k=k,
        dtype=str(problem.dtype),
        accumulate=str(problem.accumulate if ELEMENT_BYTES[str(problem.dtype)] == 2 else problem.dtype),
        transposed_a=op[1 if swap else 0] == "t",
        transposed_b=op[0 if swap else 1] == "t",
        a=first,
        b=second,
        c=c,
        alpha=float(problem.alpha),
        beta=float(problem.beta),
        bias="none" if not biased else "rows" if swap else "columns",
        activation=activation,
    )


def _matrix(problem: Problem, name: str, rows: int, columns: int, *, flipped: bool) -> Matrix:
    """Return a matrix as it lies in memory; `flipped` when memory rows are the columns of op(X)."""
    stored_rows, stored_columns = (columns, rows) if flipped else (rows, columns)
    ld = problem.integer(f"ld{name}") or max(1, stored_columns)
    if ld < stored_columns:
        raise ValueError(f"ld{name}={ld} is smaller than the {stored_columns} contiguous elements of {name.upper()}")
    return Matrix(name, stored_rows, stored_columns, ld, problem.integer(f"offset_{name}"))


def epilogue(text: str, activations: tuple[str, ...] = ACTIVATIONS) -> tuple[bool, str]:
    """Return whether a bias is added, and the activation.

    >>> epilogue("bias-gelu-erf"), epilogue("bias"), epilogue("none")
    ((True, 'gelu-erf'), (True, 'none'), (False, 'none'))

    Raises:
        ValueError: no such epilogue.
    """
    biased = text == "bias" or text.startswith("bias-")
    activation = text.removeprefix("bias").removeprefix("-") or "none"
    if activation not in activations:
        raise ValueError(f"epilogue={text!r} is not [bias-]{'|'.join(activations)}")
    return biased, activation


def check(problem: Problem) -> None:
    """Raise ValueError when a size or name has no meaning; leading dimensions are checked where they are used."""
    for name in ("m", "n", "k", "lda", "ldb", "ldc", "offset_a", "offset_b", "offset_c"):
        if problem.integer(name) < 0:
            raise ValueError(f"{name}={problem.integer(name)} is negative")
    for name, allowed in (
        ("dtype", tuple(ELEMENT_BYTES)),
        ("accumulate", SUMS),
        ("layout", ("row", "col")),
        ("op", ("nn", "nt", "tn", "tt")),
    ):
        if problem.sizes[name] not in allowed:
            raise ValueError(f"{name}={problem.sizes[name]!r} is not one of {', '.join(allowed)}")


def work(problem: Problem) -> Work:
    """Return 2·m·n·k flops and the bytes of A, B, C written once, and C read once when beta is not 0."""
    form = gemm(problem)
    element = ELEMENT_BYTES[form.dtype]
    operands = form.k * (form.m + form.n) if form.reads_operands and not form.empty else 0
    moved = (
        operands + form.m * form.n * (1 if form.beta == 0 else 2) + (problem.integer("n") if form.bias != "none" else 0)
    )
    flops = 2.0 * form.m * form.n * form.k if form.reads_operands else 0.0
    return Work(
        flops, float(element * moved), "2·m·n·k flops; A, B and bias read once, C written once (read once if beta ≠ 0)"
    )


_FEW_ALIGNED: dict[str, int | float | str] = {"m": 5, "n": 264, "k": 1032}
_ALIGNED: dict[str, int | float | str] = {"m": 37, "n": 56, "k": 72}
_LONG_ALIGNED: dict[str, int | float | str] = {"m": 261, "n": 200, "k": 1096}
"""Sizes that no tile divides, with rows of 16-bit elements at multiples of 16 bytes: kernels on tensor descriptors take no others."""


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: edges, primes, skinny, strides, offsets, and every option."""
    base = problem.replace(lda=0, ldb=0, ldc=0, offset_a=0, offset_b=0, offset_c=0)
    changes: tuple[dict[str, int | float | str], ...] = (
        {"m": 37, "n": 53, "k": 29},
        {"m": 1, "n": 1, "k": 1},
        {"m": 131, "n": 7, "k": 64, "op": "nt"},
        {"m": 13, "n": 21, "k": 1157},  # several blocks of k and a remainder
        {"m": 5, "n": 257, "k": 19, "op": "tn", "alpha": -0.5, "beta": 1.5},
        {"m": 65, "n": 33, "k": 97, "op": "tt", "layout": "col", "epilogue": "bias-relu"},
        {"m": 40, "n": 24, "k": 0, "beta": 0.5},
        {"m": 19, "n": 70, "k": 31, "alpha": 0.0, "beta": 0.0},
        _strided(45, 34, 23),
    )
    if ELEMENT_BYTES[str(problem.dtype)] == ELEMENT_BYTES["float16"]:
        changes = (_FEW_ALIGNED, *changes[:3], _ALIGNED, *changes[3:-1], _LONG_ALIGNED, changes[-1])
    return tuple(base.replace(**change) for change in changes)


def _strided(m: int, n: int, k: int) -> dict[str, int | float | str]:
    """Return a problem whose matrices have gaps between their rows and elements before their first one."""
    tall = max(m, n, k)
    return {
        "m": m, "n": n, "k": k, "beta": -1.0,
        "lda": tall + 3, "ldb": tall + 5, "ldc": tall + 1, "offset_a": 3, "offset_b": 17, "offset_c": 5,
    }  # fmt: skip
