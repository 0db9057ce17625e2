"""The GPU that a tensor lives on, as device facts, and what is known for it; tests put facts of their own in place."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hotloop import registry
from hotloop.errors import HotloopError
from hotloop.model.device import Device
from hotloop.ops import book, choose
from hotloop.ops.choice import Choice, Origin

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hotloop.ops.choice import Candidate

MOST_CHOICES = 4096
"""Calls whose choice is kept; beyond, all are forgotten: a program with so many shapes has no favourites. Of kernels that
could not be built, and of what was logged, as many are kept, the latest."""

_lock = threading.RLock()
_devices: dict[tuple[str, int], Device] = {}
_winners: dict[tuple[str, str], tuple[tuple[Candidate, ...], str]] = {}
_choices: dict[Hashable, Choice] = {}
_given_up: dict[Hashable, Choice] = {}
"""What runs where a kernel could not be built; kept apart, because trying again would cost a compilation."""
_reported: dict[Hashable, None] = {}


def facts(tensor: Any, backend: str) -> Device | str:  # noqa: ANN401 - PyTorch is imported by whoever has a tensor
    """Return the facts of a tensor's device as a backend (``cuda``, ``triton``) gives them, or why there are none."""
    kind, index = tensor.device.type, tensor.device.index or 0
    if kind != "cuda":
        return f"the tensors are on {kind}"
    torch = importlib.import_module("torch")
    if torch.version.hip is not None:
        return "the kernels were written for and run on NVIDIA GPUs only"
    with _lock:
        if (backend, index) not in _devices:
            try:
                listed = registry.load("hotloop.backends", backend, "BACKEND")().devices()
            except HotloopError as error:
                return str(error).rstrip(".")
            if index >= len(listed):
                return f"{backend} lists no device {index}"
            _devices[backend, index] = listed[index]
        return _devices[backend, index]


def elsewhere(tensor: Any) -> Device:  # noqa: ANN401
    """Return what stands for a device that hotloop's kernels do not use."""
    kind = tensor.device.type
    return Device(
        name=kind, kind="cpu" if kind == "cpu" else "gpu", backend="torch", runtime="PyTorch", runtime_key="torch"
    )


def winners(family: str, device: Device) -> tuple[tuple[Candidate, ...], str]:
    """Return the store's winners of a family on a device, read once, and why the store was of no use, if so."""
    with _lock:
        if (family, device.key) not in _winners:
            kernel = registry.load("hotloop.kernels", family, "KERNEL")
            _winners[family, device.key] = book.winners(kernel, device)
        return _winners[family, device.key]


def remembered(key: Hashable, make: Callable[[], Choice]) -> Choice:
    """Return the choice of a call, made and reported at its first use."""
    found = _choices.get(key)
    if found is not None:
        return found
    with _lock:
        made = _given_up.get(key) or make()
        if len(_choices) >= MOST_CHOICES:
            _choices.clear()
        _choices[key] = made
        _report(made)
        return made


def known(key: Hashable) -> Choice | None:
    """Return the choice of a call that was made before, if it is still kept."""
    return _choices.get(key)


def replace(key: Hashable, choice: Choice) -> Choice:
    """Note another choice for a call, after the first one could not be compiled or launched.

    All others are forgotten: the call may be known by other keys too.
    """
    with _lock:
        _choices.clear()
        _keep(_given_up, key, choice)
        _report(choice)
        return choice


def forget() -> None:
    """Drop choices and winners; the store is read again. Compiled kernels stay."""
    with _lock:
        _choices.clear()
        _given_up.clear()
        _winners.clear()
        _reported.clear()


def _report(choice: Choice) -> None:
    """Log a choice once for its shape; of calls outside the kernels' range once for each reason."""
    key = (choice.problem.family, choice.source if choice.origin is Origin.TORCH else choice.shape)
    if key not in _reported:
        _keep(_reported, key, None)
        choose.report(choice)


def _keep(kept: dict[Hashable, Any], key: Hashable, value: object) -> None:
    """Add to what is kept, in place of the oldest where there is no room."""
    kept[key] = value
    if len(kept) > MOST_CHOICES:
        del kept[next(iter(kept))]
