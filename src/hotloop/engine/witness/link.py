"""The judging process's side of the witness."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.engine.witness.far import FUNCTIONS, Far, Form, OnHostError
from hotloop.engine.witness.functions import TABLE
from hotloop.engine.witness.process import BULK
from hotloop.errors import HotloopError
from hotloop.host import blocks, profiling, settings
from hotloop.host.arena import Arena
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.host.turns import Turn
from hotloop.model.dtype import dtype_of
from hotloop.model.language import language

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.verify.tolerance import Bound

MODULE = "hotloop.engine.witness.process"
LIMIT_S = 120.0
"""Seconds for one request: a product of large matrices in float64 on a device that computes it slowly, or PyTorch's start."""
_MOST_CALLS = 20_000
"""Operations of one reference: one of more is written in small pieces, which NumPy works through as fast."""
_MOST_WAITING = 256
"""Operations that are sent together: what they leave takes memory there."""
_SLOW_S, _TERM_S, _FLOP_S = 2.5e-9, 1.2e-8, 5e-11
"""What NumPy takes for an element of simple arithmetic, of a function such as `exp`, and for a floating-point operation of a
matrix product on one core, in s: estimates, to tell references of seconds from those of minutes."""
_MASKS = {"getitem": 1, "setitem": 1, "where": 0}
"""Arguments, by place, that say where, and are not cast."""
_FUNCTIONS = frozenset(
    [
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "power",
        "sin",
        "cos",
        "tan",
        "arctan2",
        "sinh",
        "cosh",
        "tanh",
        "cbrt",
        "hypot",
        "logaddexp",
    ]
)


def asked_of(*, gpu: bool) -> str | None:
    """Return the device on which the settings want references computed: empty for the GPU that is used; None: on none."""
    asked = settings.REFERENCES.get()
    if asked == "cpu":
        return asked
    return "" if gpu and asked != "host" else None


def foreseen(environment: Mapping[str, str], name: str, before: Witness | None = None) -> Witness | None:
    """Return a witness that starts while a worker still looks for the GPU: each takes seconds to load PyTorch and the driver.

    None where the language of that name runs on CPUs, too, or this machine shows no GPU, or the settings want none there. `called` tells it
    which GPU it was. One that was there `before` is kept.
    """
    device = asked_of(gpu=True)
    if before is not None or device is None or not language(name).events or not profiling.vendor():
        return before
    return Witness(environment, device, cores=settings.usable_cores(), gpu=None)


def called(environment: Mapping[str, str], gpu: str, before: Witness | None = None) -> Witness | None:
    """Return a witness that starts now, because PyTorch takes seconds to import; `gpu`: the name of the one in use, at which it takes turns.

    `before`, if any, is kept, unless it was `foreseen` for a GPU that is not used. None where the settings want none.
    """
    device = asked_of(gpu=bool(gpu))
    if before is not None and before.gpu is None and device == before.device:
        before.gpu = gpu
    if before is not None and before.gpu is not None:
        return before
    if before is not None:
        before.close()
    return None if device is None else Witness(environment, device, cores=settings.usable_cores(), gpu=gpu)


class Witness:
    """Starts the process when it is made, and talks to it once it is needed; whatever goes wrong, the host does the work."""

    def __init__(
        self,
        environment: Mapping[str, str],
        device: str,
        *,
        gpu: str | None = "",
        cores: int = 1,
        module: str = MODULE,
    ) -> None:
        FUNCTIONS.update(TABLE)
        self._arena = Arena.create()
        self.device, self.gpu = device, gpu
        """Where it computes, and the name of the GPU at which it takes turns: empty for none, None while nobody knows."""
        self._environment, self._cores = dict(environment), cores
        self._lock = threading.RLock()
        self._released: list[int] = []
        self._sent: list[Far] = []
        """Arrays of this process among the arguments of the call that is under way."""
        self._bulk: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._ready = False
        self._calls = 0
        self._closed = False
        self.version = ""
        """What computes there, once it was asked for something."""
        self.lost = ""
        """Why there is no witness any more."""
        self.host_s = 0.0
        """What NumPy would have taken for all operations so far, by estimate."""
        self._last = 0
        """Number of the latest array."""
        self._waiting: list[Mapping[str, Any]] = []
        """Operations whose results have a known form: they are sent with the next message that asks for something."""
        self._child: Child | None = Child(module, {**environment, **self._arena.environment()})
        threading.Thread(target=self._works, daemon=True).start()  # PyTorch's start takes seconds

    def _turn(self) -> AbstractContextManager[object]:
        return Turn(self.gpu, self._environment, alone=False) if self.gpu else nullcontext()

    @property
    def works(self) -> bool:
        """Tell whether it answers; waits for its start."""
        if not self._ready:
            self._works()
        return self._child is not None

    def _works(self) -> None:
        with self._lock, suppress(OnHostError):
            if not self._ready and self._child is not None:
                self._greet()

    def lend(self, array: NDArray[np.generic]) -> Far:
        """Return an array that lies with the witness. Raises OnHostError."""
        with self._lock:
            return self._made({"op": "load", **self._written(array), "shape": list(array.shape)})

    def fetch(self, array: Far) -> NDArray[np.generic]:
        """Return the elements of a far array. Raises OnHostError."""
        with self._lock:
            size_bytes = self._ask({"op": "fetch", "number": array.number})["bytes"]
            if size_bytes != array.nbytes:
                raise OnHostError("the witness returned another number of bytes")
            return np.fromfile(self._arena.path / BULK, dtype_of(array.dtype), count=array.size).reshape(array.shape)

    def within(
        self, actual: NDArray[np.generic], reference: Far, magnitude: Far | None, bound: Bound
    ) -> tuple[float, ...] | None:
        """Return the measures of a result that is within its bounds, see `torched.Torched.within`; None for any other."""
        with self._lock:
            asked = {
                "op": "within", **self._written(actual), "reference": reference.number,
                "magnitude": None if magnitude is None else magnitude.number,
                "bound": [bound.relative, bound.absolute, bound.rounding],
            }  # fmt: skip
            with self._turn():
                measures = self._ask(asked)["measures"]
        return None if measures is None else tuple(map(float, measures))

    def session(self) -> AbstractContextManager[object]:
        """Return a context manager for computing one reference: it counts operations anew and keeps timed runs off the device meanwhile.

        A reference of more than `_MOST_CALLS` operations raises OnHostError.
        """
        self._calls = 0
        return self._turn()

    def tidy(self) -> None:
        """Have memory that nothing holds given back to the device."""
        with self._lock, suppress(OnHostError):
            self._ask({"op": "tidy"})

    def call(self, name: str, arguments: Sequence[object], cast: str = "", result: Form | None = None) -> Far:
        """Implement `Channel`."""
        with self._lock:
            self._calls += 1
            if self._calls > _MOST_CALLS:
                raise OnHostError(f"more than {_MOST_CALLS} operations")
            sent = [self._told(argument, mask=_MASKS.get(name) == place) for place, argument in enumerate(arguments)]
            message = {"op": "call", "name": name, "arguments": sent, "cast": cast}
            made = self._made(message) if result is None else self._queued(message, result)
            self._sent.clear()
            self.host_s += self._host_s(name, arguments, made)
            return made

    def item(self, array: Far) -> bool | int | float:
        """Implement `Channel`."""
        with self._lock:
            return self._ask({"op": "item", "number": array.number})["value"]  # type: ignore[no-any-return]

    def release(self, number: int) -> None:
        """Implement `Channel`."""
        self._released.append(number)

    def close(self) -> None:
        """End the process and remove its folder. Safe to call twice."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
            self._child = None
        self._bulk = np.zeros(0, np.uint8)
        self._arena.remove()

    def _host_s(self, name: str, arguments: Sequence[object], made: Far) -> float:
        """Estimate what NumPy would have taken."""
        arrays = [array for array in arguments if isinstance(array, Far)]
        if name == "matmul" and len(arrays) == 2:
            return 2.0 * made.size * arrays[0].shape[-1] * _FLOP_S / self._cores
        largest = max((array.size for array in (made, *arrays)), default=0)
        return largest * (_TERM_S if name in _FUNCTIONS else _SLOW_S)

    def _told(self, value: object, *, mask: bool = False) -> Any:  # noqa: ANN401 - JSON
        """Return an argument as it is sent; arrays of this process are sent before."""
        if isinstance(value, np.ndarray):
            value = self.lend(value)
            self._sent.append(value)
        if isinstance(value, Far):
            return {"mask" if mask else "far": value.number}
        if isinstance(value, list | tuple):
            return {"list" if isinstance(value, list) else "tuple": [self._told(item, mask=mask) for item in value]}
        if isinstance(value, slice):
            return {"slice": [None if item is None else int(item) for item in (value.start, value.stop, value.step)]}
        if value is None or value is Ellipsis:
            return {"none" if value is None else "dots": 0}
        if isinstance(value, np.generic):
            value = value.item()
        if not isinstance(value, bool | int | float | str):
            raise OnHostError(f"an argument of type {type(value).__name__}")
        return value

    def _written(self, array: NDArray[np.generic]) -> dict[str, Any]:
        """Put an array's bytes where the witness finds them."""
        if array.nbytes > self._bulk.size:
            self._bulk = np.zeros(0, np.uint8)
            with (self._arena.path / BULK).open("ab") as file:
                file.truncate(max(array.nbytes, file.tell()))
            self._bulk = np.memmap(self._arena.path / BULK, np.uint8, "r+")
        place, plain = self._bulk[: array.nbytes], np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        blocks.over(array.nbytes, lambda start, stop: np.copyto(place[start:stop], plain[start:stop]))
        return {"dtype": array.dtype.name, "bytes": array.nbytes}

    def _queued(self, message: Mapping[str, Any], result: Form) -> Far:
        """Return what an operation will have made; that it cannot be done is told to whoever asks for something next."""
        dtype, shape = result
        self._last += 1
        form = {"dtype": dtype.name, "shape": list(shape)}
        self._waiting.append(self._freeing({**message, "number": self._last, "form": form}))
        made = Far(self, self._last, dtype, shape)
        if len(self._waiting) >= _MOST_WAITING:
            self._ask({"op": "wait"})
        return made

    def _made(self, message: Mapping[str, Any]) -> Far:
        self._last += 1
        answer = self._ask({**message, "number": self._last})
        try:
            return Far(self, self._last, dtype_of(answer["dtype"]), tuple(answer["shape"]))
        except (LookupError, TypeError, ValueError) as error:
            raise OnHostError(f"the witness answered nonsense: {error}") from None

    def _greet(self) -> None:
        assert self._child is not None
        self.version = self._answer({"folder": str(self._arena.path), "device": self.device})["version"]
        self._ready = True

    def _ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._ready and self._child is not None:
            self._greet()
        message = self._freeing(message)
        if self._waiting:
            message, self._waiting = {**message, "first": self._waiting}, []
        return self._answer(message)

    def _freeing(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a message with the arrays that nobody holds any more."""
        freed, self._released = self._released, []
        return {**message, "free": freed} if freed else message

    def _answer(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._child is None:
            raise OnHostError(self.lost or "there is no witness")
        try:
            answer = self._child.ask(message, LIMIT_S)
        except ChildSilentError:
            raise self._gone(f"the witness did not answer within {LIMIT_S:.0f} s") from None
        except (ChildDiedError, HotloopError) as death:
            raise self._gone(f"the witness ended: {str(getattr(death, 'tail', '')).strip()[-200:]}") from None
        if "refused" in answer:
            if "op" not in message:
                raise self._gone(str(answer["refused"]))
            raise OnHostError(str(answer["refused"]))
        return answer

    def _gone(self, reason: str) -> OnHostError:
        if self._child is not None:
            self._child.kill()
        self._child, self.lost = None, reason
        return OnHostError(reason)
