"""Processes that predict programs beside one another, one for each core that this process may use."""

from __future__ import annotations

import hashlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.errors import HotloopError, MachineError, MissingExtraError, UsageError
from hotloop.host import scratch, strays, toolchain
from hotloop.host.process import Child, ChildDiedError, ChildSilentError, kill_all
from hotloop.model.codec import decode, encode
from hotloop.model.kernel import Empty
from hotloop.predict.sequence import Sequel

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program

HELPER = "hotloop.app.predict.helper"
_START_S = 60.0
"""Time that a process may take until it is ready, in s: on a busy machine imports are slow."""
_OVER = "the time for predictions is over"
_WAIT = 20
"""Wall time after which a process is given up, in multiples of the processor time that it may take."""


class UnfinishedError(HotloopError):
    """A program was not predicted in its time; another time it may be."""


@dataclass(slots=True)
class Crew:
    """Processes for one card and one set of inputs; they start when they are first needed."""

    target: str
    card: str
    label: str
    inputs: Callable[[], Inputs]
    limit_s: float
    """Processor time that one prediction may take, its compiler's not counted."""
    end_s: float = float("inf")
    """Reading of `time.monotonic` at which those that are not finished are given up."""
    _idle: list[Child] = field(default_factory=list, init=False)
    _all: list[Child] = field(default_factory=list, init=False)
    _folder: Path | None = field(default=None, init=False)
    _stack: ExitStack = field(default_factory=ExitStack, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _closed: bool = field(default=False, init=False)

    def predict(self, program: Program) -> Sequel:
        """Return the prediction of a program; any thread may ask.

        Raises:
            UsageError: it cannot be compiled or executed, ever.
            UnfinishedError: it took too long or ended the process.
        """
        limit_s = min(max(_START_S, _WAIT * self.limit_s), self.end_s - time.monotonic())
        if limit_s <= 0:
            raise UnfinishedError(_OVER)
        child = self._taken()
        try:
            answer = child.ask({"program": encode(program), "limit_s": self.limit_s}, limit_s)
        except ChildSilentError:
            self._gone(child)
            raise UnfinishedError(f"it was not predicted within {limit_s:.3g} s") from None
        except ChildDiedError as death:
            self._gone(child)
            raise UnfinishedError(f"the process that predicted it ended ({death.returncode})") from None
        with self._lock:
            self._idle.append(child)
        return _sequel(answer)

    def close(self) -> None:
        """End all processes, also those at work. Safe to call twice."""
        with self._lock:
            self._closed, ended = True, tuple(self._all)
            self._all.clear()
            self._idle.clear()
        kill_all(ended)
        self._stack.close()

    def _taken(self) -> Child:
        inputs = (
            self.inputs() if self._folder is None else {}
        )  # a user's function, which may take long, not under the lock
        with self._lock:
            if self._closed:
                raise UnfinishedError(_OVER)
            if self._idle:
                return self._idle.pop()
            if self._folder is None:
                self._folder = self._filled(inputs)
            child = Child(HELPER, toolchain.environment(**{strays.MARK: f"predict-{uuid.uuid4().hex}"}))
            self._all.append(child)
            hello = {"target": self.target, "card": self.card, "label": self.label, "inputs": str(self._folder)}
        try:
            child.ask(hello, _START_S)
        except (ChildSilentError, ChildDiedError) as error:
            self._gone(child)
            if self._closed:
                raise UnfinishedError(_OVER) from None
            raise MachineError(f"a process that predicts did not start: {error}.") from None
        return child

    def _filled(self, inputs: Inputs) -> Path:
        """Return a folder that holds the inputs. Raises MachineError."""
        try:
            folder = Path(self._stack.enter_context(scratch.folder()))
            written(inputs, folder)
        except OSError as error:
            raise MachineError(
                f"the inputs cannot be written for the processes that predict: {error.strerror}."
            ) from None
        return folder

    def _gone(self, child: Child) -> None:
        child.kill()
        with self._lock:
            if child in self._all:
                self._all.remove(child)


def _sequel(answer: dict[str, Any]) -> Sequel:
    if "sequel" in answer:
        return decode(answer["sequel"], Sequel)
    if "needs" in answer:
        raise MissingExtraError(*answer["needs"])
    raise (UsageError if answer["lasting"] else UnfinishedError)(answer["refused"])


def written(inputs: Inputs, folder: Path) -> None:
    """Leave inputs in a folder for `helper.loaded`."""
    told: dict[str, Any] = {}
    for number, (name, value) in enumerate(inputs.items()):
        if isinstance(value, np.ndarray):  # not as .npy, which takes bfloat16 for bytes without a meaning
            np.ascontiguousarray(value).tofile(folder / f"{number}")
            told[name] = {"file": f"{number}", "shape": value.shape, "dtype": value.dtype.name}
        elif isinstance(value, Empty):
            told[name] = {"empty": encode(value)}
        else:
            told[name] = {"number": value.item() if isinstance(value, np.generic) else value}
    (folder / "inputs.json").write_text(json.dumps(told), encoding="utf-8")


def digest_of(inputs: Inputs) -> str:
    """Return a digest of inputs with their contents."""
    made = hashlib.sha256()
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            made.update(f"\0{name} {value.shape} {value.dtype}\0".encode())
            made.update(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
        else:
            made.update(f"\0{name} {value!r}".encode())
    return made.hexdigest()


@contextmanager
def opened(crew: Crew) -> Iterator[Crew]:
    """Give a crew whose processes are ended with the block."""
    try:
        yield crew
    finally:
        crew.close()
