"""Zeros that kernels count up and set back, kept between calls: a fresh one would cost each call a launch."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

RESERVE = 1 << 20
"""Zeros kept for graphs, 4 MiB: some thousand launches in slices."""
_LINE = 32
"""Zeros of a line of 128 bytes, which two launches should not share."""

_lock = threading.Lock()
_kept: dict[Hashable, torch.Tensor] = {}
_reserves: dict[torch.device, torch.Tensor] = {}
"""Zeros for CUDA graphs that no launch uses yet."""


def zeros(device: torch.device, count: int, use: str) -> torch.Tensor:
    """Return at least `count` int32 that are zero, or what the last kernel of the same `use` on this stream left.

    A launch under capture gets zeros that are its own for good, since other graphs may run beside it: of a reserve, which the
    first call outside of any capture has cleared, or of the graph's memory, which each replay must clear.
    """
    if device.type != "cuda":
        return torch.zeros((count,), dtype=torch.int32, device=device)
    if torch.cuda.is_current_stream_capturing():
        return _own(device, count)
    if device not in _reserves:
        _reserves[device] = torch.zeros((RESERVE,), dtype=torch.int32, device=device)
        torch.cuda.current_stream(device).synchronize()  # graphs may run on any stream
    key = (device, _stream(device), use)
    kept = _kept.get(key)
    if kept is None or kept.numel() < count:
        kept = _kept[key] = torch.zeros((max(count, 1024),), dtype=torch.int32, device=device)
    return kept


def _stream(device: torch.device) -> int:
    """Return the current stream's handle; PyTorch's public name makes an object of it first, in 2 µs."""
    raw: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # noqa: SLF001
    if raw is None or device.index is None:
        return int(torch.cuda.current_stream(device).cuda_stream)
    return raw(device.index)


def _own(device: torch.device, count: int) -> torch.Tensor:
    with _lock:
        left = _reserves.get(device)
        if left is None or left.numel() < count:
            return torch.zeros((count,), dtype=torch.int32, device=device)
        _reserves[device] = left[-(-count // _LINE) * _LINE :]
        return left[:count]
