"""Launches of Triton kernels: compiled or interpreted, plain, autotuned or with heuristics; by the same code.

`JITFunction.run` and `InterpretedFunction.run` are what every launch ends in: a decorator above them has chosen its constants by
then. Launches that an autotuner makes to measure are not the program's, and are not recorded.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from hotloop.recorder import identity, memory, place
from hotloop.recorder.book import Book
from hotloop.recorder.clocked import DELAY_CYCLES, Tally, clocks

_MOST_GRIDS = 512
_FEWEST, _MOST_BLOCK = 8, 1 << 16
_NEIGHBOURS = 7
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
_tuning = threading.local()
_tuners: dict[int, Mapping[str, Any]] = {}
"""Configurations and keys of an autotuner, by the function that it tunes."""


def compiled(module: ModuleType, book: Book) -> None:
    """Record launches of compiled kernels."""
    module.JITFunction.run = _recording(module.JITFunction.run, book, interpreted=False)


def relaunched(module: ModuleType, book: Book) -> None:
    """Record launches of what an earlier launch compiled, as packages with a cache of their own make them: ``kernel[grid](...)``."""
    chosen = module.CompiledKernel.__getitem__

    def launcher(self: Any, grid: Any) -> Callable[..., Any]:  # noqa: ANN401
        run = chosen(self, grid)
        own = _made.get(id(self))
        return run if own is None else partial(_again, book, own, grid, run)

    module.CompiledKernel.__getitem__ = launcher


def interpreted(module: ModuleType, book: Book) -> None:
    """Record launches in Triton's interpreter."""
    module.InterpretedFunction.run = _recording(module.InterpretedFunction.run, book, interpreted=True)


def tuned(module: ModuleType, _book: Book) -> None:
    """Note what autotuners choose among, and keep what they launch to measure out of the record."""
    tuner = module.Autotuner
    bench, run = tuner._bench, tuner.run  # noqa: SLF001

    def measured(self: Any, *given: Any, config: Any, **meta: Any) -> Any:  # noqa: ANN401
        if _interprets(self.fn):  # nothing to measure, and no driver to ask: the first configuration is taken
            order = next((at for at, candidate in enumerate(self.configs) if candidate is config), len(self.configs))
            return [float(order)] * 3
        with _measuring():
            return bench(self, *given, config=config, **meta)

    def chosen(self: Any, *given: Any, **others: Any) -> Any:  # noqa: ANN401
        with contextlib.suppress(Exception):
            rows = [{k: v for k, v in config.all_kwargs().items() if _plain(v)} for config in self.configs]
            _tuners[id(_innermost(self))] = {"configs": rows, "keys": list(self.keys)}
        return run(self, *given, **others)

    tuner._bench, tuner.run = measured, chosen  # noqa: SLF001


def benched(module: ModuleType, _book: Book) -> None:
    """Keep what an autotuner of a program's own measures with Triton's functions out of the record, too."""
    for name in ("do_bench", "do_bench_cudagraph"):
        if original := getattr(module, name, None):
            setattr(module, name, partial(_benched, original))


def _benched(original: Any, *given: Any, **others: Any) -> Any:  # noqa: ANN401
    """Measure; what asks for it is an autotuner where it has configurations and a function."""
    caller = sys._getframe(1).f_locals.get("self")  # noqa: SLF001 - nothing else tells who asks
    if not (hasattr(caller, "configs") and hasattr(caller, "fn")):
        return original(*given, **others)  # a program that measures is a program
    with _measuring():
        return original(*given, **others)


@dataclass(frozen=True)
class _Made:
    """What a launch compiled, and what it was launched with beside its arguments."""

    kernel: Any
    """The compiled kernel; it is kept so that no other object gets its identity."""
    function: Any
    constants: Mapping[str, Any]
    options: Mapping[str, Any]


_made: dict[int, _Made] = {}


@contextlib.contextmanager
def _measuring() -> Iterator[None]:
    before = getattr(_tuning, "on", False)
    _tuning.on = True
    try:
        yield
    finally:
        _tuning.on = before


def _innermost(function: Any) -> Any:  # noqa: ANN401
    while not inspect.isfunction(function) and hasattr(function, "fn") and not inspect.isfunction(function.fn):
        function = function.fn
    return function


def _interprets(function: Any) -> bool:  # noqa: ANN401
    return type(_innermost(function)).__name__ == "InterpretedFunction"


def _recording(original: Callable[..., Any], book: Book, *, interpreted: bool) -> Callable[..., Any]:
    def run(self: Any, *given: Any, grid: Any, warmup: bool, **others: Any) -> Any:  # noqa: ANN401
        launch = partial(original, self, *given, grid=grid, warmup=warmup, **others)
        if warmup or getattr(_tuning, "on", False) or _graphing():
            return launch()
        try:
            seen = _Seen(self, given, others, grid, interpreted=interpreted)
        except Exception as error:  # noqa: BLE001 - the launch itself says what is wrong with it
            book.failed(f"a launch of {getattr(self, '__name__', '?')} is not understood: {error}")
            return launch()
        timer, idle = (_timed_here, None) if interpreted else (_timed_on_gpu, _idle)
        result = book.launched(id(self), seen.kernel, seen.kind, partial(seen.launch, book), launch, timer, idle=idle)
        if hasattr(result, "asm"):
            _made[id(result)] = _Made(result, self, seen.constants, seen.options)
        return result

    return run


def _again(book: Book, own: _Made, grid: Any, run: Callable[..., Any], *given: Any, **others: Any) -> Any:  # noqa: ANN401
    """Record a launch of a compiled kernel: of its arguments some versions of Triton are given the constants, too, others not."""
    launch = partial(run, *given, **others)
    if getattr(_tuning, "on", False) or _graphing():
        return launch()
    try:
        names = list(identity.signature(own.function.fn).parameters)
        if len(given) != len(names):
            names = [name for name in names if name not in own.constants]
        values = {**own.constants, **own.options, **dict(zip(names, given, strict=True))}
        seen = _Seen(own.function, (), values, grid, interpreted=False)
    except Exception as error:  # noqa: BLE001 - the launch itself says what is wrong with it
        book.failed(f"a launch of {getattr(own.function, '__name__', '?')} is not understood: {error}")
        return launch()
    return book.launched(
        id(own.function), seen.kernel, seen.kind, partial(seen.launch, book), launch, _timed_on_gpu, idle=_idle
    )


def _graphing() -> bool:
    """Tell whether a CUDA graph is being recorded: nothing may wait for the GPU then."""
    torch = sys.modules.get("torch")
    try:
        return bool(torch and torch.cuda.is_available() and torch.cuda.is_current_stream_capturing())
    except (AttributeError, RuntimeError):
        return False


def _idle() -> bool:
    """Tell whether the GPU has ended all of the current stream."""
    return bool(sys.modules["torch"].cuda.current_stream().query())


def _timed_here(run: Callable[[], Any], tally: Tally) -> Any:  # noqa: ANN401
    began = clocks()
    result = run()
    tally.ran(clocks().since(began))
    return result


def _timed_on_gpu(run: Callable[[], Any], tally: Tally) -> Any:  # noqa: ANN401
    """Time between two events, behind some work that keeps the GPU busy while the host prepares the launch."""
    if tally.calls == 0:  # it compiles
        return run()
    torch = sys.modules["torch"]
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(DELAY_CYCLES)  # noqa: SLF001 - PyTorch's own tests use it so
    first.record()
    result = run()
    last.record()

    def elapsed() -> float | None:
        last.synchronize()
        return float(first.elapsed_time(last)) * 1e6

    tally.pending.append(elapsed)
    return result


class _Seen:
    """One launch as it was asked for."""

    def __init__(
        self,
        function: Any,  # noqa: ANN401
        given: tuple[Any, ...],
        others: Mapping[str, Any],
        grid: Any,  # noqa: ANN401
        *,
        interpreted: bool,
    ) -> None:
        self.function, self._grid, self._interpreted = function, grid, interpreted
        signature = identity.signature(function.fn)
        names = set(signature.parameters)
        bound = signature.bind(*given, **{name: value for name, value in others.items() if name in names})
        bound.apply_defaults()
        self.bound = dict(bound.arguments)
        # a parameter that is called like the compiler's option is both where it is given by name
        self.options = {n: value for n, value in others.items() if (n not in names or n in _OPTIONS) and _plain(value)}
        self.constants = {
            name: self.bound[name]
            for name, parameter in signature.parameters.items()
            if _constexpr(parameter.annotation)
        }
        self.given = {n: memory.behind(value) for n, value in self.bound.items() if n not in self.constants}
        self.grid = self._sized(self.bound)
        rest = tuple((name, _kind(value)) for name, value in self.given.items())
        constants = tuple(sorted((name, repr(value)[:80]) for name, value in self.constants.items()))
        programs = (*self.grid, 1, 1)[:3]
        self.kind: Hashable = (programs, rest, constants, tuple(sorted(self.options.items(), key=str)))

    def _sized(self, values: Mapping[str, Any]) -> tuple[int, ...]:
        grid = self._grid(values) if callable(self._grid) else self._grid
        return tuple(int(size) for size in (grid if isinstance(grid, tuple | list) else (grid,)))

    def kernel(self) -> Mapping[str, Any]:
        from hotloop.errors import HotloopError
        from hotloop.languages.excerpt import plain_excerpt

        function = self.function.fn
        rows, first = inspect.getsourcelines(function)
        path = inspect.getsourcefile(function) or ""
        row: dict[str, Any] = {
            "language": "triton", "entry": function.__name__, "options": [], "path": path, "line": first,
            "last": first + len(rows) - 1, "digest": place.digest(path), "interpreted": self._interpreted,
            "device": identity.device(interpreted=self._interpreted), "tuner": _tuners.get(id(self.function)),
            "versions": identity.versions(), "own": identity.own_text(function),
        }  # fmt: skip
        try:
            made = plain_excerpt(self.function, "that was launched")
        except (HotloopError, OSError, SyntaxError) as error:
            return row | {"text": "".join(rows), "refused": str(error)}
        return row | {
            "text": made.text, "search": list(made.search), "package": made.package, "uses": dict(made.uses),
        }  # fmt: skip

    def launch(self, book: Book) -> Mapping[str, Any]:
        seen: dict[tuple[int, str], str] = {}
        rows = [_argument(name, value, book, seen) for name, value in self.given.items()]
        return {
            "grid": self.grid, "group": None, "arguments": rows, "compiler": self.options,
            "constants": {name: _told(value) for name, value in self.constants.items()},
            "grids": self._grids() if callable(self._grid) else [],
        }  # fmt: skip

    def _grids(self) -> list[Mapping[str, Any]]:
        """Return the grids that the program's own function gives for other constants: powers of two are doubled and halved."""
        choices: dict[str, list[int]] = {}
        for name, value in self.constants.items():
            if isinstance(value, int) and not isinstance(value, bool) and value > 0 and value & (value - 1) == 0:
                around = [value >> 3, value >> 2, value >> 1, value, value << 1, value << 2, value << 3, value << 4]
                fewest = _FEWEST if value >= _FEWEST else 1
                if fewest == _FEWEST or self._follows(name, value):
                    choices[name] = [block for block in around if fewest <= block <= _MOST_BLOCK][:_NEIGHBOURS]
        rows: list[Mapping[str, Any]] = []
        for picked in itertools.islice(itertools.product(*choices.values()), 1 << 14):
            changed = dict(zip(choices, picked, strict=True))
            with contextlib.suppress(Exception):
                grid = self._sized({**self.bound, **changed})
                rows.append({"constants": changed, "grid": grid})
            if len(rows) >= _MOST_GRIDS:
                break
        return rows if any(tuple(row["grid"]) != self.grid for row in rows) else []

    def _follows(self, name: str, value: int) -> bool:
        """Tell whether the grid follows a small constant: rows of a block, not a number of the problem's."""
        try:
            return self._sized({**self.bound, name: value << 1}) != self.grid
        except Exception:  # noqa: BLE001 - the program's own function, asked for what it never meant to answer
            return False


def _plain(value: Any) -> bool:  # noqa: ANN401
    return value is None or isinstance(value, bool | int | float | str)


def _constexpr(annotation: Any) -> bool:  # noqa: ANN401
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return str(text).rpartition(".")[2].strip("'\"") == "constexpr"


def _told(value: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """Return a constant as JSON: its value, or an expression that the worker evaluates beside the kernel."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if _plain(value):
        return {"value": value}
    name = getattr(value, "__name__", "")
    if type(value).__name__ in ("JITFunction", "InterpretedFunction"):
        return {"function": name}
    if type(value).__module__.startswith("triton") and type(value).__name__ == "dtype":
        return {"expression": f"tl.{_type_name(str(value))}"}
    return {"expression": repr(value)}


def _type_name(text: str) -> str:
    short = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}
    return short.get(text, text)


def _kind(value: Any) -> Hashable:  # noqa: ANN401
    if memory.tensor(value):
        return (str(value.dtype), tuple(value.shape), tuple(value.stride()))
    return type(value).__name__ if isinstance(value, float) else memory.described(value)


def _argument(name: str, value: Any, book: Book, seen: dict[tuple[int, str], str]) -> Mapping[str, Any]:  # noqa: ANN401
    row: dict[str, Any] = {"name": name, "kind": "other"}
    if value is None:
        return row | {"kind": "null"}
    if isinstance(value, bool):
        return row | {"kind": "number", "dtype": "bool", "value": int(value)}
    if isinstance(value, int):
        return row | {"kind": "number", "dtype": "int64" if abs(value) >> 31 else "int32", "value": value}
    if isinstance(value, float):
        return row | {"kind": "number", "dtype": "float32", "value": repr(value)}
    if type(value).__name__ == "TensorDescriptor" and memory.tensor(value.base):
        made = _argument(name, value.base, book, seen)
        shape, strides, block = (
            [int(x) for x in extents] for extents in (value.shape, value.strides, value.block_shape)
        )
        return {**made, "descriptor": {"shape": shape, "strides": strides, "block": block}}
    if not memory.tensor(value):
        return row | {"value": memory.described(value)}
    dtype = str(value.dtype).removeprefix("torch.")
    same = seen.setdefault((value.data_ptr(), dtype), name)
    others = [n for (at, _), n in seen.items() if n not in (name, same) and _overlap(at, value)]
    row |= {
        "kind": "array", "dtype": dtype, "shape": list(value.shape), "strides": list(value.stride()),
        "alias": same if same != name else "", "overlaps": others, "aligned": value.data_ptr() % 16 == 0,
        "pad": int(value.storage_offset()),
    }  # fmt: skip
    return row if same != name else row | _content(value, book)


def _overlap(at: int, value: Any) -> bool:  # noqa: ANN401
    start = value.data_ptr()
    return bool(start < at < start + _span(value) * value.element_size())


def _span(value: Any) -> int:  # noqa: ANN401
    """Return how many elements lie between the first and the last that the tensor names, both counted."""
    if value.numel() == 0:
        return 0
    return 1 + sum((int(extent) - 1) * int(stride) for extent, stride in zip(value.shape, value.stride(), strict=True))


def _content(value: Any, book: Book) -> dict[str, Any]:  # noqa: ANN401
    """Write the memory from the tensor's first element to its last, gaps included, so that strides stay what they are."""
    torch = sys.modules["torch"]
    span, width = _span(value), int(value.element_size())
    end = int(value.untyped_storage().nbytes()) // width
    # the dtypes of PyTorch that NumPy lacks travel as their bytes
    flat = torch.as_strided(value.detach(), (span,), (1,), value.storage_offset())

    def read(count: int) -> bytes:
        part = flat[: count // width].contiguous().cpu()
        return bytes(part.view(torch.uint8).numpy().tobytes())

    name, complete = book.journal.keep(span * width, read)
    return {"bytes": span * width, "values": name, "whole": complete, "room": end - int(value.storage_offset())}
