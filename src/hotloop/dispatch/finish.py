"""What follows a product, computed by PyTorch."""

from __future__ import annotations

from hotloop.dispatch.arguments import torch


def activated(x: torch.Tensor, name: str) -> torch.Tensor:
    """Return an activation of x by its name in the families."""
    functional = torch.nn.functional
    match name:
        case "relu":
            return functional.relu(x)
        case "gelu-erf":
            return functional.gelu(x)
        case "gelu-tanh":
            return functional.gelu(x, approximate="tanh")
        case "silu":
            return functional.silu(x)
        case _:
            return x
