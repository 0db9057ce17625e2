"""Which calls are attention: PyTorch's function, the kernels behind it, and this family's own operators."""

from __future__ import annotations

from typing import NamedTuple

from hotloop.dispatch.observed import Reader, Seen
from hotloop.kernels.attention.problem import DEFAULT, shape_of
from hotloop.model.problem import Problem

_FORM = 4


class _Places(NamedTuple):
    """Positions of what a call is given beside q, k and v; None: it takes no such argument."""

    causal: int
    scale: int
    mask: int | None = None
    dropout: int | None = None


_PLACES = {
    "aten::scaled_dot_product_attention": _Places(causal=5, scale=6, mask=3, dropout=4),
    "aten::_scaled_dot_product_flash_attention": _Places(causal=4, scale=6, dropout=3),
    "aten::_scaled_dot_product_flash_attention_for_cpu": _Places(causal=4, scale=6, mask=5, dropout=3),
    "aten::_scaled_dot_product_efficient_attention": _Places(causal=6, scale=7, mask=3, dropout=5),
    "aten::_scaled_dot_product_cudnn_attention": _Places(causal=6, scale=8, mask=3, dropout=5),
    "hotloop::attention": _Places(causal=3, scale=4),
    "hotloop::attention_lse": _Places(causal=3, scale=4),
}


def problem(seen: Seen) -> Problem:
    """Return the attention of a call. Raises ValueError where it is none of this family's."""
    places = _PLACES[seen.name]
    q, k, v = (seen.tensor(index) for index in range(3))
    if any(len(x.shape) != _FORM for x in (q, k, v)):
        raise ValueError("attention of other than four dimensions is not known")
    if places.mask is not None and seen.maybe(places.mask) is not None:
        raise ValueError("a mask is given; causal ones and none are known")
    if places.dropout is not None and seen.number(places.dropout, "the dropout"):
        raise ValueError("dropout is not known")
    if k.shape != v.shape:
        raise ValueError(f"keys of {k} and values of {v} differ")
    made = DEFAULT.replace(
        batch=q.shape[0], heads=q.shape[1], kv_heads=k.shape[1], length_q=q.shape[2], length_k=k.shape[2], size=q.shape[3],
        dtype=q.dtype, causal=int(bool(seen.number(places.causal, "whether it is causal"))),
    )  # fmt: skip
    factor = seen.given[places.scale] if places.scale < len(seen.given) else None
    if isinstance(factor, int | float) and abs(factor - q.shape[3] ** -0.5) > 1e-6 * factor:
        made = Problem(made.family, made.sizes.replace(scale=float(factor)))
    shape_of(made)
    return made


def leaves_out(seen: Seen) -> str:
    """Return how the layout of an operand differs from the tuned problem's; empty where it does not."""
    loose = [name for name, x in zip("qkv", map(seen.maybe, range(3)), strict=True) if x and not x.tight]
    return f"{', '.join(loose)} lie with gaps or in another order; tuned is the tight form" if loose else ""


OBSERVED = Reader(frozenset(_PLACES), problem, leaves_out=leaves_out)
