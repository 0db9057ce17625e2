"""Inputs of which the executed work-groups hardly read anything: what was counted then says little of a launch on real data.

Groups that leave at once because a size does not fit, an array that was meant for another launch, or a mask that is never true cost no time here, and
the prediction looks as sure as any other. Some kernels do read little of a large table; so this is a remark, and no doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.sanitizer.access import Kind
from hotloop.units import percent, size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.launch import Launch
    from hotloop.emulate.memory import Buffer
    from hotloop.predict.watch import Touch

    Array = NDArray[Any]

_HARDLY = 0.1
"""Part of an input below which it counts as hardly read."""


def unread(touches: Sequence[Touch], buffers: Mapping[str, Buffer], launch: Launch, executed: int) -> tuple[str, ...]:
    """Return remarks about inputs of which the whole grid would read less than a tenth, if every group read other bytes than these.

    Args:
        touches: what the executed groups accessed.
        buffers: where the launch's arrays lie, by name.
        launch: what was started.
        executed: number of groups that were executed.
    """
    fresh = {launch.names[n] for n in launch.fresh if n < len(launch.names)}
    return tuple(_remarks(touches, buffers.values(), fresh, prod(launch.grid) / executed))


def _remarks(
    touches: Sequence[Touch], buffers: Collection[Buffer], fresh: Collection[str], times: float
) -> Iterator[str]:
    for buffer in buffers:
        inside = [_inside(touch, buffer) for touch in touches]
        if buffer.name in fresh or any(
            len(starts) and touch.kind in (Kind.WRITE, Kind.ATOMIC)
            for touch, starts in zip(touches, inside, strict=True)
        ):
            continue
        share = min(1.0, times * _distinct(touches, inside) / max(1, buffer.bytes))
        if share < _HARDLY:
            yield f"{buffer.name} is hardly read: {_how(share, buffer)}; is it meant for this launch? If not, these counts mean little"


def _how(share: float, buffer: Buffer) -> str:
    if not share:
        return f"the executed work-groups read none of its {size(buffer.bytes)}"
    return (
        f"the whole grid reads at most {percent(share)} of its {size(buffer.bytes)}, judged by the executed work-groups"
    )


def _inside(touch: Touch, buffer: Buffer) -> Array:
    """Return where the lanes' accesses to a buffer begin, each place once, in bytes from the beginning of the arena."""
    starts = touch.addresses[touch.lanes]
    return np.unique(starts[(starts >= buffer.offset) & (starts < buffer.offset + buffer.bytes)])


def _distinct(touches: Sequence[Touch], inside: Sequence[Array]) -> int:
    """Return how many bytes are read at least once."""
    octets = [
        (starts[:, None] + np.arange(touch.bytes)).reshape(-1)
        for touch, starts in zip(touches, inside, strict=True)
        if len(starts)
    ]
    return len(np.unique(np.concatenate(octets))) if octets else 0
