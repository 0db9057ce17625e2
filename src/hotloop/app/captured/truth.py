"""What a captured Triton kernel computes: its own text with single and half precision redefined as double, beside itself as it is."""

from __future__ import annotations

import atexit
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hotloop.app.captured.doubled import doubled, doubles, widened
from hotloop.errors import HotloopError, KernelFileError
from hotloop.host import settings
from hotloop.model.dtype import floating, limits
from hotloop.model.outcome import Failure, describe
from hotloop.model.program import Program
from hotloop.ports import BAND_BYTES, Executed
from hotloop.verify.spread import checksums, copied, each

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.local import LocalEngine
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.record import Scalar
    from hotloop.model.space import Config

_DOUBLED = ("float16", "bfloat16", "float32")
_KNOWN = frozenset(("triton", "torch", "typing", "__future__", "math", "functools", "collections"))
_OWN = 8.0
"""Largest error of an element, in multiples of the root mean square of the text's own errors."""
_KEPT, _AGAIN = 4, 2
"""Answers that are kept, and further launches of a text whose sums come in any order."""
_SAMPLE = 1 << 20
"""Approximate number of elements from which a quantile is computed."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A text, and whether its numbers are doubles."""

    text: str
    wide: bool = False

    def dtype(self, name: str) -> str:
        """Return the type that an array is seen with."""
        return "float64" if self.wide and name in _DOUBLED else name

    def typed(self, expression: str) -> str:
        """Return a constant's expression."""
        return widened(expression) if self.wide else expression


@dataclass(slots=True)
class Truth:
    """Results of one set of inputs."""

    outputs: Mapping[str, NDArray[np.generic]]
    scale: Mapping[str, NDArray[np.generic]]
    """Magnitude of each element, of which four roundings are tolerated."""
    double: bool


class Made(Protocol):
    """What the oracle needs of a captured kernel."""

    text: str
    live: tuple[str, ...]
    """What each of its launches runs of the text."""
    outputs: frozenset[str]
    start: Config

    def program(self, problem: Problem, config: Mapping[str, Scalar], device: Device, posed: Posed) -> Program:
        """Return a text as a program."""


class Oracle:
    """Runs the text as captured on inputs; remembers the latest answers."""

    def __init__(self, made: Made, limit_s: float) -> None:
        self._made, self._beside = made, _beside(limit_s)
        self._kept: dict[object, Truth] = {}
        self._count = 0
        self.double = all(map(doubles, made.live))

    def truth(self, problem: Problem, inputs: Mapping[str, object]) -> Truth:
        """Return results in double precision where the text allows it. Raises KernelFileError where it does not run."""
        arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
        content = tuple((name, array.nbytes, checksums(array)) for name, array in arrays.items())
        key = (problem, content)
        if key not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = self._found(problem, arrays)
        return self._kept[key]

    def _found(self, problem: Problem, arrays: Mapping[str, NDArray[np.generic]]) -> Truth:
        own = self._run(problem, arrays, Posed(self._made.text))
        if not isinstance(own, dict):
            raise KernelFileError(f"{problem.family} as it was captured: {describe(own)}.")
        wide = self._run(problem, arrays, Posed(doubled(self._made.text), wide=True)) if self.double else None
        self.double = isinstance(wide, dict) and not (imports(self._made.text) and _alike(own, wide))
        exact = wide if isinstance(wide, dict) else own
        outputs = {name: own[name] if not floating(array.dtype) else array for name, array in exact.items()}
        scale = {name: _scale(array, own[name], double=self.double) for name, array in outputs.items()}
        for again in self._again(problem, arrays):
            scale = {n: np.maximum(size, _scale(outputs[n], again[n], double=True)) for n, size in scale.items()}
        return Truth(outputs, scale, self.double)

    def _again(
        self, problem: Problem, arrays: Mapping[str, NDArray[np.generic]]
    ) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Yield results of further launches where programs add to one place in any order: one launch may have been close by luck."""
        added = any(".atomic_add(" in text for text in self._made.live)
        for _ in range(_AGAIN if added and self.double else 0):
            own = self._run(problem, arrays, Posed(self._made.text))
            if isinstance(own, dict):
                yield own

    def _run(
        self, problem: Problem, arrays: Mapping[str, NDArray[np.generic]], posed: Posed
    ) -> dict[str, NDArray[np.generic]] | Failure:
        """Return the arrays that the text may write, or why it does not run."""
        _, device = self.machine()
        start = self._made.start
        if (
            posed.wide and "num_stages" in start
        ):  # blocks of doubles need four times as much of the memory that loads ahead fill
            start = start.replace(num_stages=1)
        given = {
            n: copied(array, np.dtype(np.float64)) if posed.dtype(array.dtype.name) != array.dtype.name else array
            for n, array in arrays.items()
        }
        outputs = tuple(name for name in given if name in self._made.outputs)
        return self.execute(self._made.program(problem, start, device, posed), given, outputs)

    def machine(self) -> tuple[LocalEngine, Device]:
        """Return what runs the texts. Raises HotloopError where there is no device for Triton."""
        return self._beside.engine()

    def execute(
        self, program: Program, given: Mapping[str, NDArray[np.generic]], outputs: tuple[str, ...]
    ) -> dict[str, NDArray[np.generic]] | Failure:
        """Return what a program wrote, or why it does not run."""
        engine, _ = self.machine()
        self._count += 1
        dataset = engine.dataset(f"truth{self._count}", given, outputs)
        try:
            ran = engine.execute(program, dataset)
        finally:
            engine.discard(dataset)
        if not isinstance(ran, Executed):
            return ran
        return {
            name: copied(
                ran.arrays[name][BAND_BYTES:-BAND_BYTES].view(given[name].dtype).reshape(given[name].shape),
                given[name].dtype,
            )
            for name in outputs
        }


def imports(text: str) -> bool:
    """Tell whether a text imports functions of other projects, which stay in single precision.

    >>> imports("import triton.language as tl"), imports("from fla.ops.utils.op import exp")
    (False, True)
    """
    modules = re.findall(r"^\s*from\s+(\.*[\w.]*)\s+import", text, flags=re.MULTILINE)
    return any(imported.partition(".")[0] not in _KNOWN for imported in modules)


def _alike(own: Mapping[str, NDArray[np.generic]], wide: Mapping[str, NDArray[np.generic]]) -> bool:
    """Tell whether double precision changed nothing."""
    return all(
        np.array_equal(array.astype(np.float64), wide[name].astype(np.float64), equal_nan=True)
        for name, array in own.items()
    )


def _scale(exact: NDArray[np.generic], own: NDArray[np.generic], *, double: bool) -> NDArray[np.generic]:
    """Return by element what four roundings are counted of: its own size, and what the text as captured is off by."""
    if not floating(own.dtype):
        return np.asarray(np.abs(exact.astype(np.float64)))
    size = np.empty(exact.shape)
    flat, true, published = size.reshape(-1), exact.reshape(-1), own.reshape(-1)
    if not double:  # nothing says how exact it is: what sums of numbers of this size may be off by
        squares = each(size.size, lambda part: float(np.square(_finite(true[part], published[part])[0]).sum()))
        level = np.sqrt(sum(squares) / max(1, size.size))
        each(size.size, lambda part: np.add(_finite(true[part], published[part])[0], level, out=flat[part]))
        return size
    usual, eps = _usual_error(true, published), limits(own.dtype).eps

    def fill(part: slice) -> None:
        own_size, off = _sizes(true[part], published[part])
        off *= 1.0 / eps
        off += _OWN * usual / (4.0 * eps)
        np.add(own_size, off, out=flat[part])

    each(size.size, fill)
    return size


def _sizes(
    true: NDArray[np.generic], published: NDArray[np.generic]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what `_finite` does, with few arrays in between where all is finite: cores share an allocator."""
    size, off = true.astype(np.float64), published.astype(np.float64)
    with np.errstate(invalid="ignore"):
        off -= size
    np.abs(off, out=off)
    np.abs(size, out=size)
    return (size, off) if np.isfinite(off.sum()) else _finite(true, published)


def _finite(
    true: NDArray[np.generic], published: NDArray[np.generic]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sizes and differences, 0 where either is no finite number."""
    exact, own = true.astype(np.float64), published.astype(np.float64)
    finite = np.isfinite(exact) & np.isfinite(own)
    with np.errstate(invalid="ignore"):
        return np.where(finite, np.abs(exact), 0.0), np.where(finite, np.abs(own - exact), 0.0)


def _usual_error(true: NDArray[np.generic], published: NDArray[np.generic]) -> float:
    """Return the root mean square of the text's own errors; each counts at most what all but the largest thousandth stay below, by a sample."""
    if not true.size:
        return 0.0
    step = max(1, true.size // _SAMPLE)
    most = np.quantile(_finite(true[::step], published[::step])[1], 0.999)

    def square(part: slice) -> float:
        _, off = _sizes(true[part], published[part])
        np.minimum(off, most, out=off)
        return float(np.einsum("i,i->", off, off))

    return float(np.sqrt(sum(each(true.size, square)) / true.size))


class _Beside:
    """An engine of its own, so that no candidate touches the process that says what is right.

    It is started at once and beside the run's engine: loading PyTorch and Triton takes seconds.
    """

    def __init__(self, limit_s: float) -> None:
        from hotloop.app.session import Options, local_engine

        self._engine = local_engine(Options(limit_s=limit_s, language="triton", witness=False))
        atexit.register(self._engine.close)
        self._named, self._selected = settings.DEVICE.get(), threading.Event()
        self._device: Device | HotloopError | None = None
        threading.Thread(target=self._select, daemon=True).start()

    def engine(self) -> tuple[LocalEngine, Device]:
        """Return the engine and its device. Raises HotloopError where there is none for Triton."""
        self._selected.wait()
        if isinstance(self._device, HotloopError):
            raise self._device
        if self._device is None:
            self._device = self._engine.select(self._named, "triton")
        return self._engine, self._device

    def _select(self) -> None:
        try:
            self._device = self._engine.select(self._named, "triton")
        except HotloopError as reason:
            self._device = reason
        finally:
            self._selected.set()
        threading.Event().wait()  # for ever: Linux ends a worker with the thread that started it


@lru_cache(maxsize=1)
def _beside(limit_s: float) -> _Beside:
    return _Beside(limit_s)
