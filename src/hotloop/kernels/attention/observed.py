"""Which calls are attention: PyTorch's function, the kernels behind it, and this family's own operators."""

from __future__ import annotations

from hotloop.dispatch.observed import Operand, Reader, Seen
from hotloop.kernels.attention.problem import DEFAULT, shape_of
from hotloop.model.problem import Problem

_FORM = 4
_PLACES = {
    "aten::scaled_dot_product_attention": (5, 3, 4, 6),
    "aten::_scaled_dot_product_flash_attention": (4, None, 3, 6),
    "aten::_scaled_dot_product_flash_attention_for_cpu": (4, 5, 3, 6),
    "aten::_scaled_dot_product_efficient_attention": (6, 3, 5, 7),
    "aten::_scaled_dot_product_cudnn_attention": (6, 3, 5, 8),
    "hotloop::attention": (3, None, None, 4),
    "hotloop::attention_lse": (3, None, None, 4),
}
"""Positions of the arguments of each call: whether it is causal, the mask, the dropout, the scale."""


def problem(seen: Seen) -> Problem:
    """Return the attention of a call. Raises ValueError where it is none of this family's."""
    causal, mask, dropout, scale = _PLACES[seen.name]
    q, k, v = (seen.tensor(index) for index in range(3))
    if any(len(x.shape) != _FORM for x in (q, k, v)):
        raise ValueError("attention of other than four dimensions is not known")
    if mask is not None and seen.maybe(mask) is not None:
        raise ValueError("a mask is given; causal ones and none are known")
    if dropout is not None and seen.number(dropout, "the dropout"):
        raise ValueError("dropout is not known")
    if k.shape != v.shape:
        raise ValueError(f"keys of {k} and values of {v} differ")
    made = DEFAULT.replace(
        batch=q.shape[0], heads=q.shape[1], kv_heads=k.shape[1], length_q=q.shape[2], length_k=k.shape[2], size=q.shape[3],
        dtype=q.dtype, causal=int(bool(seen.number(causal, "whether it is causal"))),
    )  # fmt: skip
    factor = seen.given[scale] if scale < len(seen.given) else None
    if isinstance(factor, int | float) and abs(factor - q.shape[3] ** -0.5) > 1e-6 * factor:
        made = Problem(made.family, made.sizes.replace(scale=float(factor)))
    shape_of(made)
    return made


def leaves_out(seen: Seen) -> str:
    """Return how the layout of an operand differs from the tuned problem's; empty where it does not."""
    loose = [name for name, x in zip("qkv", map(seen.maybe, range(3)), strict=True) if x and not _usual(x)]
    return f"{', '.join(loose)} lie with gaps or in another order; tuned is the tight form" if loose else ""


def _usual(x: Operand) -> bool:
    return x.tight


OBSERVED = Reader(frozenset(_PLACES), problem, leaves_out=leaves_out)
