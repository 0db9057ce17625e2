"""PyTorch's attention, as `hotloop.ops.attention`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.routing import RefusedError, Route, Routed

if TYPE_CHECKING:
    import torch

_FORM = 4


def attend(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,  # noqa: FBT001, FBT002 - PyTorch's arguments
) -> Routed:  # fmt: skip
    """Return attention without a mask, or with a causal one."""
    if attn_mask is not None:
        raise RefusedError("a mask is given; causal ones and none are known")
    if dropout_p:
        raise RefusedError("dropout is wanted")
    if query.dim() != _FORM or key.dim() != _FORM or key.shape != value.shape or query.shape[0] != key.shape[0]:
        raise RefusedError("attention of other than four dimensions, or of keys unlike values")
    if query.shape[1] != key.shape[1] and not enable_gqa:
        raise RefusedError("heads differ without enable_gqa, which PyTorch refuses")
    return Routed("attention", (query, key, value), {"causal": is_causal, "scale": scale})


def flash(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, dropout_p: float = 0.0, is_causal: bool = False,  # noqa: FBT001, FBT002
    *rest: object,
) -> Routed:  # fmt: skip
    """Return what one of PyTorch's flash kernels computes; its scale is the last argument."""
    mask = next((argument for argument in rest[:-1] if hasattr(argument, "dim")), None)
    return attend(query, key, value, mask, dropout_p, is_causal, rest[-1] if rest else None, enable_gqa=True)  # type: ignore[arg-type]


def efficient(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_bias: torch.Tensor | None = None,
    compute_log_sumexp: bool = False, dropout_p: float = 0.0, is_causal: bool = False, *rest: object,  # noqa: FBT001, FBT002
) -> Routed:  # fmt: skip
    """Return what PyTorch's memory-efficient kernel or cuDNN's computes; its scale is the last argument."""
    del compute_log_sumexp
    return attend(query, key, value, attn_bias, dropout_p, is_causal, rest[-1] if rest else None, enable_gqa=True)  # type: ignore[arg-type]


_BEHIND = "aten::_scaled_dot_product_"
ROUTES = (
    Route(("torch.nn.functional.scaled_dot_product_attention",), ("aten::scaled_dot_product_attention",), attend),
    Route((), (f"{_BEHIND}flash_attention", f"{_BEHIND}flash_attention_for_cpu"), flash),
    Route((), (f"{_BEHIND}efficient_attention", f"{_BEHIND}cudnn_attention"), efficient),
)
