"""A kernel's first launch in a process of its own: one that faults takes the device from that process, not from the caller's.

What is to be measured has never run in this form. `Apart` tells a child of its own about a call, all tensors by shape, strides, type
and alignment, numbers that are no fractions by value (they may be places in other tensors); the child launches one kernel after the
other on memory of its own and waits for each. A child that dies, or is silent for too long, is replaced, and the kernel is told.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import sys
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from hotloop.dispatch.operator import Operator
from hotloop.dispatch.remembered import Answer
from hotloop.host import strays
from hotloop.host.process import Child, ChildDiedError, ChildSilentError, die_with_parent, receive, send

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice

START_S, LIMIT_S = 120.0, 180.0
"""What importing PyTorch, and what compiling and running one kernel, may take."""
_ALIGNED_BYTES = 256


@dataclass(frozen=True, slots=True)
class Like:
    """A tensor of which only the form matters."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    offset: int
    """Elements between an aligned address and its first one."""
    device: str

    @classmethod
    def of(cls, x: torch.Tensor) -> Like:
        """Return the form of a tensor."""
        offset = x.data_ptr() % _ALIGNED_BYTES // x.element_size()
        return cls(tuple(x.shape), tuple(x.stride()), x.dtype, offset, str(x.device))

    def told(self) -> dict[str, object]:
        """Return the form as JSON has it."""
        dtype = str(self.dtype).removeprefix("torch.")
        return {
            "shape": self.shape,
            "stride": self.stride,
            "dtype": dtype,
            "offset": self.offset,
            "device": self.device,
        }

    @classmethod
    def read(cls, row: dict[str, Any]) -> Like:
        """Return the form that `told` described."""
        shape, stride, dtype = tuple(row["shape"]), tuple(row["stride"]), getattr(torch, row["dtype"])
        return cls(shape, stride, dtype, row["offset"], row["device"])

    def drawn(self) -> torch.Tensor:
        """Return such a tensor of random numbers."""
        steps = zip(self.shape, self.stride, strict=True)
        reach = 1 + sum((size - 1) * step for size, step in steps) if 0 not in self.shape else 0
        room = _ALIGNED_BYTES // self.dtype.itemsize
        memory = torch.randn(room + self.offset + reach, device=self.device).to(self.dtype)
        aligned = -memory.data_ptr() % _ALIGNED_BYTES // self.dtype.itemsize
        return memory.as_strided(self.shape, self.stride, aligned + self.offset)


def _told(x: object) -> object:
    """Return what a child is told of an argument, as JSON has it."""
    if not isinstance(x, torch.Tensor):
        return x
    if x.is_floating_point():
        return {"like": Like.of(x).told()}
    return {"values": x.tolist(), "dtype": str(x.dtype).removeprefix("torch.")}


def _made(sent: Any, device: str) -> object:  # noqa: ANN401 - JSON
    if isinstance(sent, list):
        return tuple(sent)
    if not isinstance(sent, dict):
        return sent
    if "like" in sent:
        return Like.read(sent["like"]).drawn()
    return torch.tensor(sent["values"], dtype=getattr(torch, sent["dtype"]), device=device)


@dataclass(slots=True)
class Apart:
    """Tries kernels of calls in a child, which lives until `close`."""

    module: str = "hotloop.ops.apart"
    """Module that the child process runs."""
    _child: Child | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def troubles(self, operator: Operator[Any, Any, Any], call: Any, choices: Sequence[Choice]) -> list[str]:  # noqa: ANN401
        """Return what is wrong with each choice's launch for a call; empty where it ended well."""
        asked = {"operator": operator.name, "call": [_told(x) for x in call], "device": str(call[0].device)}
        wanted = [{"implementation": choice.implementation, "config": dict(choice.config)} for choice in choices]
        with self._lock:
            return [self._trouble({**asked, **choice}) for choice in wanted]

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _trouble(self, asked: dict[str, object]) -> str:
        limit_s = LIMIT_S if self._child is not None else START_S + LIMIT_S
        try:
            answer = self._here().ask(asked, limit_s)
        except ChildDiedError as gone:
            self._child = None
            return f"it ended the process that tried it: {(gone.tail.strip().splitlines() or ['without a word'])[-1][:200]}"
        except ChildSilentError:
            self._child = None
            return f"it did not end within {limit_s:.0f} s"
        if not answer["usable"]:
            self.close()
        return str(answer["trouble"])

    def _here(self) -> Child:
        if self._child is None:
            paths = os.pathsep.join(filter(None, sys.path))
            self._child = Child(self.module, {**os.environ, "PYTHONPATH": paths, strays.MARK: uuid.uuid4().hex})
        return self._child


def _answer(asked: dict[str, Any]) -> dict[str, object]:
    """Return what became of a launch, and whether the device is still there."""
    operator, device = Operator.named(asked["operator"]), asked["device"]
    try:
        with torch.no_grad():
            call = operator.arguments(*(_made(x, device) for x in asked["call"]))
            operator.run(call, Answer(_choice(operator, call, asked["implementation"], asked["config"])))
            _wait(device)
    except Exception as error:  # noqa: BLE001 - a kernel's failure is the answer
        return {"trouble": f"{type(error).__name__}: {_first(error)}", "usable": _usable(device)}
    return {"trouble": "", "usable": True}


def _choice(operator: Operator[Any, Any, Any], call: Any, implementation: str, config: dict[str, Any]) -> Choice:  # noqa: ANN401
    """Return the choice that is meant, of those that there are for a call. Raises LookupError."""
    described = operator.described(call, gradient=False)
    for candidate in (operator.choose(described, call[0]), *operator.alternatives(described, call[0])):
        if (candidate.implementation, dict(candidate.config)) == (implementation, config):
            return candidate
    raise LookupError(f"{implementation} is not offered for such a call in another process")


def _first(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)


def _usable(device: str) -> bool:
    try:
        _wait(device)
        if device.startswith("cuda"):
            torch.zeros(1, device=device).item()
    except RuntimeError:
        return False
    return True


def serve(channel: socket.socket) -> None:
    """Answer what the parent asks until it is gone."""
    die_with_parent()
    with contextlib.suppress(EOFError):
        while True:
            send(channel, _answer(receive(channel)))


def main() -> None:
    """Serve the socket whose number is the argument."""
    from hotloop.ops import functions

    for family in functions.families():
        importlib.import_module(family.tensors)  # there its operators get their names
    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
