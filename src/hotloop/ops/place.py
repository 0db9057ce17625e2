"""The GPU that a tensor lives on, as device facts, and the store's winners for it: what operators ask for (`Sources`)."""

from __future__ import annotations

import importlib
import threading
from typing import Any

from hotloop import registry
from hotloop.dispatch.place import Place, Session, Winners
from hotloop.errors import HotloopError
from hotloop.model.device import Device

_lock = threading.RLock()
_devices: dict[tuple[str, int], Device] = {}
_winners: dict[tuple[str, str], Winners] = {}


def facts(tensor: Any, backend: str) -> Place:  # noqa: ANN401 - PyTorch is imported by whoever has a tensor
    """Return a tensor's device as a backend (``cuda``, ``triton``) describes it."""
    kind, index = tensor.device.type, tensor.device.index or 0
    if kind != "cuda":
        return _elsewhere(kind, f"the tensors are on {kind}")
    if importlib.import_module("torch").version.hip is not None:
        return _elsewhere(kind, "the kernels were written for and run on NVIDIA GPUs only")
    with _lock:
        if (backend, index) not in _devices:
            try:
                listed = registry.load("hotloop.backends", backend, "BACKEND")().devices()
            except HotloopError as error:
                return _elsewhere(kind, str(error).rstrip("."))
            if index >= len(listed):
                return _elsewhere(kind, f"{backend} lists no device {index}")
            _devices[backend, index] = listed[index]
        return Place(_devices[backend, index])


def _elsewhere(kind: str, why: str) -> Place:
    """Return what stands for a device that hotloop's kernels do not use."""
    device = Device(
        name=kind, kind="cpu" if kind == "cpu" else "gpu", backend="torch", runtime="PyTorch", runtime_key="torch"
    )
    return Place(device, why)


def winners(family: str, device: Device) -> Winners:
    """Return the store's winners of a family on a device, read once."""
    with _lock:
        if (family, device.key) not in _winners:
            from hotloop.ops import book

            kernel = registry.load("hotloop.kernels", family, "KERNEL")
            _winners[family, device.key] = book.winners(kernel, device)
        return _winners[family, device.key]


def session(device: str) -> Session:
    """Open the device that computes on NumPy arrays, once; `device` is part of its name or runtime."""
    from hotloop.ops.session import session as opened  # with the runtimes that tensors do not need

    return opened(device)


def forget() -> None:
    """Drop the winners; the store is read again."""
    with _lock:
        _winners.clear()
