"""Zeros that kernels count up and set back, kept between calls: a fresh one would cost each call a launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Hashable

_kept: dict[Hashable, torch.Tensor] = {}


def zeros(device: torch.device, count: int, use: str) -> torch.Tensor:
    """Return at least `count` int32 that are zero, or what the last kernel of the same `use` on this stream left.

    A graph under capture gets zeros of its own: kept ones would be memory of the graph that nothing has cleared yet.
    """
    if device.type != "cuda" or torch.cuda.is_current_stream_capturing():
        return torch.zeros((count,), dtype=torch.int32, device=device)
    key = (device, torch.cuda.current_stream(device).cuda_stream, use)
    found = _kept.get(key)
    if found is None or found.numel() < count:
        found = _kept[key] = torch.zeros((max(count, 1024),), dtype=torch.int32, device=device)
    return found
