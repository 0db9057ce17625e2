"""How many bytes inputs have, how many input sets outlast the caches, and which inputs are passed by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.app import patience
from hotloop.errors import HotloopError
from hotloop.model.dtype import item_bytes
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem

ROTATION_BYTES = 48 * 2**20
"""Input sets together exceed the last-level cache; used when the device does not say how large that is."""
_LARGEST_ROTATION_BYTES = {"cpu": 256 * 2**20, "gpu": 768 * 2**20}
_CACHES = {"cpu": 2, "gpu": 3}
"""How many times the size of the last-level cache the input sets have together; a GPU's cache does not evict the oldest data first, so it needs more."""


def rotation_bytes(device: Device) -> int:
    """Return the size that all input sets together have at least, so that calls find little of their inputs in caches."""
    kind = "gpu" if device.kind == "gpu" else "cpu"
    wanted = _CACHES[kind] * (device.llc_bytes or 0) or ROTATION_BYTES
    return min(wanted, _LARGEST_ROTATION_BYTES[kind])


def least_bytes(kernel: Kernel, problem: Problem) -> float:
    """Return what a problem's arrays take at least, by its own count of work; 0 where that is not known."""
    try:
        return float(kernel.work(problem).bytes)
    except patience.LateError:  # would be waited for again at every case
        raise
    except HotloopError:  # the user's function raises: whoever needs the work itself reports it
        return 0.0


def scalars(inputs: Inputs) -> dict[str, float]:
    """Return the inputs that are passed by value."""
    numbers = {k: v for k, v in inputs.items() if not isinstance(v, np.ndarray | Empty)}
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in numbers.items()}


def sharing(first: Inputs, drawn: Inputs) -> Inputs:
    """Return drawn inputs that a program can be timed on beside `first`: with its numbers, which the program was resolved with.

    Where their arrays have other forms, as where a number says how many elements there are, `first` itself is returned: the
    worker's arrays have one form, and a part of other inputs would be none that a file means.
    """
    if _forms(first) != _forms(drawn):
        return first
    return {**drawn, **{key: value for key, value in first.items() if not isinstance(value, np.ndarray | Empty)}}


def _forms(inputs: Inputs) -> list[tuple[str, tuple[int, ...], str]]:
    arrays = [(key, value) for key, value in inputs.items() if isinstance(value, np.ndarray | Empty)]
    return [(key, tuple(value.shape), str(value.dtype)) for key, value in arrays]


def size_bytes(value: object) -> int:
    """Return the size of an input in bytes; scalars take none."""
    if isinstance(value, Empty):
        return int(np.prod(value.shape, dtype=np.int64)) * item_bytes(value.dtype)
    return int(value.nbytes) if isinstance(value, np.ndarray) else 0
