"""A kernel's first launch in a process of its own: one that faults takes the device from that process, not from the caller's.

What is to be measured has never run in this form. `Apart` tells a child of its own about a call, all tensors by shape, strides, type
and alignment, numbers that are no fractions by value (they may be places in other tensors); the child launches one kernel after the
other on memory of its own and waits for each. A child that dies, or is silent for too long, is replaced, and the kernel is told.
"""

from __future__ import annotations

import base64
import contextlib
import os
import pickle
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

    def drawn(self) -> torch.Tensor:
        """Return such a tensor of random numbers."""
        steps = zip(self.shape, self.stride, strict=True)
        reach = 1 + sum((size - 1) * step for size, step in steps) if 0 not in self.shape else 0
        room = _ALIGNED_BYTES // self.dtype.itemsize
        memory = torch.randn(room + self.offset + reach, device=self.device).to(self.dtype)
        aligned = -memory.data_ptr() % _ALIGNED_BYTES // self.dtype.itemsize
        return memory.as_strided(self.shape, self.stride, aligned + self.offset)


def _told(x: object) -> object:
    """Return what a child is told of an argument."""
    if not isinstance(x, torch.Tensor):
        return x
    return Like.of(x) if x.is_floating_point() else x.cpu()


def _made(x: object, device: str) -> object:
    if isinstance(x, Like):
        return x.drawn()
    return x.to(device) if isinstance(x, torch.Tensor) else x


@dataclass(slots=True)
class Apart:
    """Tries kernels of calls in a child, which lives until `close`."""

    module: str = "hotloop.ops.apart"
    """What the child runs."""
    _child: Child | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def troubles(self, operator: Operator[Any, Any, Any], call: Any, choices: Sequence[Choice]) -> list[str]:  # noqa: ANN401
        """Return what is wrong with each choice's launch for a call; empty where it ended well."""
        wire = operator.name, [_told(x) for x in call], str(call[0].device)
        with self._lock:
            return [self._trouble((*wire, choice)) for choice in choices]

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _trouble(self, asked: tuple[object, ...]) -> str:
        limit_s = LIMIT_S if self._child is not None else START_S + LIMIT_S
        try:
            answer = self._here().ask({"call": base64.b64encode(pickle.dumps(asked)).decode()}, limit_s)
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


def _answer(name: str, told: Sequence[object], device: str, choice: Choice) -> dict[str, object]:
    """Return what became of a launch, and whether the device is still there."""
    operator = Operator.named(name)
    try:
        with torch.no_grad():
            call = operator.arguments(*(_made(x, device) for x in told))
            operator.run(call, Answer(choice))
            _wait(device)
    except Exception as error:  # noqa: BLE001 - a kernel's failure is the answer
        return {"trouble": f"{type(error).__name__}: {_first(error)}", "usable": _usable(device)}
    return {"trouble": "", "usable": True}


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
            asked = pickle.loads(base64.b64decode(receive(channel)["call"]))  # noqa: S301 - from whoever began this process
            send(channel, _answer(*asked))


def main() -> None:
    """Serve the socket whose number is the argument."""
    from hotloop.ops import functions

    functions.families()
    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
