"""Products of a batch: ``C[i] = act(A[i] · B[i] + bias[i]) + R[i]``, all of one height, or of uneven heights as experts have them.

Sizes: ``batch`` products of ``m`` by ``n`` by ``k``; ``dtype``; ``op`` two letters, n (by rows) or t (by columns), for A and B;
``epilogue`` none, bias, an activation, or ``bias-`` and an activation; ``residual`` 1 adds a matrix after the activation; ``shared``
tells which operand all products share: ``none``, ``a`` or ``b``. With ``uneven`` 1 A and C are matrices of batch · m rows, and int32 ``ends``
says before which row each product ends: they share the rows unevenly, and some may have none. Sums are float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "gemm_batched"
ELEMENT_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4}
ACTIVATIONS = ("none", "relu", "gelu-tanh", "gelu-erf", "silu")
"""Position is the source's ACT: that of the family ``gemm``."""
SHARED = ("none", "a", "b")
DEFAULT = Problem(
    FAMILY,
    Record(
        batch=8, m=256, n=512, k=512, dtype="float16", op="nn", epilogue="none", residual=0, shared="none", uneven=0
    ),
)


@dataclass(frozen=True, slots=True)
class Form:
    """A problem as the kernel sees it."""

    batch: int
    m: int
    n: int
    k: int
    dtype: str
    op: str
    bias: bool
    activation: str
    residual: bool
    shared: str
    uneven: bool

    @property
    def rows(self) -> int:
        """Rows of all products together."""
        return self.batch * self.m


@lru_cache(maxsize=256)
def form_of(problem: Problem) -> Form:
    """Return what a problem asks for. Raises ValueError when a size or name has no meaning."""
    for name, allowed in (
        ("dtype", tuple(ELEMENT_BYTES)), ("op", ("nn", "nt", "tn", "tt")), ("shared", SHARED), ("residual", (0, 1)),
        ("uneven", (0, 1)),
    ):  # fmt: skip
        if problem.sizes[name] not in allowed:
            raise ValueError(f"{name}={problem.sizes[name]!r} is not one of {', '.join(map(str, allowed))}")
    sizes = [problem.integer(name) for name in ("batch", "m", "n", "k")]
    if min(sizes) < 1:
        raise ValueError(f"batch, m, n, k of {', '.join(map(str, sizes))}: each must be at least 1")
    text = str(problem.epilogue)
    activation = text.removeprefix("bias").removeprefix("-") or "none"
    if activation not in ACTIVATIONS:
        raise ValueError(f"epilogue={text!r} is not [bias-]{'|'.join(ACTIVATIONS)}")
    op, shared, uneven = str(problem.op), str(problem.shared), problem.integer("uneven") == 1
    if uneven and (op[0] != "n" or shared != "none"):
        raise ValueError("uneven products have rows of A one after the other, and share no operand")
    batch, m, n, k = sizes
    biased = text.startswith("bias")
    return Form(
        batch, m, n, k, str(problem.dtype), op, biased, activation, problem.integer("residual") == 1, shared, uneven
    )


def work(problem: Problem) -> Work:
    """Return 2·m·n·k flops of each product, operands, bias and residual read once, C written once."""
    form = form_of(problem)
    left = form.m * form.k * (1 if form.shared == "a" else form.batch)
    right = form.k * form.n * (1 if form.shared == "b" else form.batch)
    results = form.rows * form.n * (2 if form.residual else 1) + (form.batch * form.n if form.bias else 0)
    moved = ELEMENT_BYTES[form.dtype] * (left + right + results)
    return Work(
        2.0 * form.rows * form.n * form.k, float(moved), "2·m·n·k flops a product; everything read once, C written once"
    )


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: edges, primes, layouts, shared operands, uneven and empty products."""
    base = problem.replace(op="nn", shared="none", uneven=0)
    changes: tuple[dict[str, int | str], ...] = (
        {"batch": 3, "m": 37, "n": 53, "k": 29},
        {"batch": 1, "m": 1, "n": 1, "k": 1},
        {"batch": 2, "m": 65, "n": 33, "k": 97, "op": "tt", "epilogue": "bias-relu"},
        {"batch": 5, "m": 7, "n": 40, "k": 64, "op": "nt", "shared": "b", "residual": 1},
        {"batch": 2, "m": 19, "n": 72, "k": 40, "op": "tn", "shared": "a", "epilogue": "gelu-erf"},
        {"batch": 6, "m": 11, "n": 48, "k": 70, "op": "nt", "uneven": 1, "epilogue": "bias-silu", "residual": 1},
        {"batch": 9, "m": 2, "n": 17, "k": 33, "uneven": 1, "epilogue": "bias-gelu-tanh"},
    )
    return tuple(base.replace(**change) for change in changes)
