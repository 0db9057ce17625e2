"""Which calls are softmax over rows: PyTorch's, and this family's own operator."""

from __future__ import annotations

from hotloop.dispatch.observed import Reader, Seen
from hotloop.kernels.reduction.problem import DEFAULT, rows_of
from hotloop.model.problem import Problem


def problem(seen: Seen) -> Problem:
    """Return the softmax of a call. Raises ValueError where it is none of this family's."""
    x = seen.tensor(0)
    dim = int(seen.number(1, "its dimension"))
    if not x.shape or dim not in (-1, len(x.shape) - 1):
        raise ValueError("softmax over another dimension than the last is not known")
    if not x.tight:
        raise ValueError("softmax of a tensor with gaps is not known")
    made = DEFAULT.replace(
        rows=x.elements // max(1, x.shape[-1]), columns=x.shape[-1], operation="softmax", dtype=x.dtype
    )
    rows_of(made)
    return made


OBSERVED = Reader(frozenset({"aten::_softmax", "aten::softmax", "hotloop::softmax"}), problem)
