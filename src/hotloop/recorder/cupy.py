"""Launches of CuPy's RawKernel and RawModule: the text is theirs, arguments come with the call, a GPU's events time them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from hotloop.recorder import place
from hotloop.recorder.book import Book
from hotloop.recorder.clocked import Tally


def listen(module: Any, book: Book) -> None:  # noqa: ANN401 - CuPy is untyped
    """Put classes that record in the place of CuPy's; what is made of them stays an instance of both."""
    listener = _Listener(module, book)
    module.RawKernel = listener.kernels(module.RawKernel)
    module.RawModule = listener.modules(module.RawModule)


class _Listener:
    def __init__(self, cupy: Any, book: Book) -> None:  # noqa: ANN401
        self._cupy, self._book = cupy, book

    def kernels(self, original: Any) -> Any:  # noqa: ANN401
        listener = self

        class RawKernel(original):  # type: ignore[misc]
            """CuPy's own, heard when it is called."""

            def __init__(self, code: str, name: str, *given: Any, **others: Any) -> None:  # noqa: ANN401
                super().__init__(code, name, *given, **others)
                self._heard = _Heard(code, name, _options(given, others), *place.caller())

            def __call__(self, grid: Any, block: Any, args: Any, **others: Any) -> Any:  # noqa: ANN401
                run = partial(super().__call__, grid, block, args, **others)
                return listener.launched(self._heard, grid, block, args, run)

        return _named(RawKernel, original)

    def modules(self, original: Any) -> Any:  # noqa: ANN401
        listener = self

        class RawModule(original):  # type: ignore[misc]
            """CuPy's class; the launches of its functions are recorded."""

            def __init__(self, *given: Any, **others: Any) -> None:  # noqa: ANN401
                super().__init__(*given, **others)
                code = given[0] if given else others.get("code")
                self._told = (code, _options(given[2:], others), place.caller())

            def get_function(self, name: str) -> Any:  # noqa: ANN401
                code, options, (path, line) = self._told
                made = super().get_function(name)
                return made if code is None else _Function(made, _Heard(code, name, options, path, line), listener)

        return _named(RawModule, original)

    def launched(self, heard: _Heard, grid: Any, block: Any, args: Any, run: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Record a launch and do it."""
        try:
            blocks, part, given = _sizes(grid), _sizes(block), tuple(args)
            kind: Hashable = (blocks, part, tuple(map(_kind, given)))
        except Exception as error:  # noqa: BLE001 - the launch itself says what is wrong with it
            self._book.failed(f"a launch of {heard.name} is not understood: {error}")
            return run()
        key = (heard.code, heard.name, heard.options)
        launch = partial(self._launch, blocks, part, given)
        return self._book.launched(key, partial(self._kernel, heard), kind, launch, run, self._timed)

    def _timed(self, run: Callable[[], Any], tally: Tally) -> Any:  # noqa: ANN401
        begun, ended = self._cupy.cuda.Event(), self._cupy.cuda.Event()
        begun.record()
        result = run()
        ended.record()

        def elapsed() -> float:
            ended.synchronize()
            return 1e6 * float(self._cupy.cuda.get_elapsed_time(begun, ended))

        tally.pending.append(elapsed)
        if len(tally.pending) > 8:
            tally.settle()
        return result

    def _kernel(self, heard: _Heard) -> Mapping[str, Any]:
        device = self._cupy.cuda.Device()
        name = self._cupy.cuda.runtime.getDeviceProperties(device.id)["name"]
        versions = f"driver {self._cupy.cuda.runtime.driverGetVersion()}, CuPy {self._cupy.__version__}"
        return {
            "language": "cuda", "entry": heard.name, "text": heard.code, "options": list(heard.options),
            "path": heard.path, "line": heard.line, "digest": place.digest(heard.path),
            "device": name.decode() if isinstance(name, bytes) else str(name), "versions": versions, "interpreted": False,
        }  # fmt: skip

    def _launch(self, whole: tuple[int, ...], part: tuple[int, ...], given: Sequence[Any]) -> Mapping[str, Any]:
        group = (*part, *(1 for _ in whole[len(part) :]))
        blocks = (*whole, *(1 for _ in group[len(whole) :]))
        seen: dict[int, str] = {}
        rows = [self._argument(str(at), value, seen) for at, value in enumerate(given)]
        items = [count * size for count, size in zip(blocks, group, strict=True)]
        return {"grid": items, "group": list(group), "offset": (), "arguments": rows}

    def _argument(self, name: str, value: Any, seen: dict[int, str]) -> Mapping[str, Any]:  # noqa: ANN401
        if not _array(value):
            return {"name": name, **_number(value)}
        same = seen.setdefault(int(value.data.ptr), name)
        width = int(value.dtype.itemsize)
        row = {
            "name": name, "kind": "array", "dtype": str(value.dtype), "shape": [int(extent) for extent in value.shape],
            "strides": [int(extent) // width for extent in value.strides], "alias": same if same != name else "",
        }  # fmt: skip
        if same != name:
            return row
        flat = value.ravel()

        def read(count: int) -> bytes:
            return bytes(self._cupy.asnumpy(flat[: count // width]).tobytes())

        kept, complete = self._book.journal.keep(int(value.nbytes), read)
        return {**row, "bytes": int(value.nbytes), "values": kept, "whole": complete}


class _Heard:
    """Text, entry and options of a kernel, and where the program made it."""

    def __init__(self, code: str, name: str, options: tuple[str, ...], path: str, line: int) -> None:
        self.code, self.name, self.options, self.path, self.line = str(code), name, options, path, line


class _Function:
    """A function of a module: everything but the call is its own."""

    def __init__(self, function: Any, heard: _Heard, listener: _Listener) -> None:  # noqa: ANN401
        self._function, self._heard, self._listener = function, heard, listener

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._function, name)

    def __call__(self, grid: Any, block: Any, args: Any, **others: Any) -> Any:  # noqa: ANN401
        run = partial(self._function, grid, block, args, **others)
        return self._listener.launched(self._heard, grid, block, args, run)


def _named(made: Any, original: Any) -> Any:  # noqa: ANN401
    made.__name__, made.__qualname__, made.__module__ = original.__name__, original.__qualname__, original.__module__
    return made


def _options(given: Sequence[Any], others: Mapping[str, Any]) -> tuple[str, ...]:
    options = others.get("options", given[0] if given else ())
    return tuple(str(option) for option in options) if isinstance(options, tuple | list) else ()


def _sizes(given: Any) -> tuple[int, ...]:  # noqa: ANN401
    return (int(given),) if isinstance(given, int) else tuple(int(size) for size in given)


def _array(value: Any) -> bool:  # noqa: ANN401
    return all(hasattr(value, name) for name in ("data", "strides", "dtype", "nbytes")) and hasattr(value.data, "ptr")


def _kind(value: Any) -> Hashable:  # noqa: ANN401
    return (str(value.dtype), tuple(value.shape), tuple(value.strides)) if _array(value) else type(value).__name__


def _number(value: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a number by value with the type that CuPy passes: a Python int as 64 bits, a float as double."""
    if value is None:
        return {"kind": "null"}
    if isinstance(value, bool):
        return {"kind": "number", "dtype": "bool", "value": int(value)}
    if isinstance(value, int | float) and not hasattr(value, "dtype"):
        return {"kind": "number", "dtype": "int64" if isinstance(value, int) else "float64", "value": repr(value)}
    if hasattr(value, "tobytes") and getattr(value, "nbytes", 1 << 20) <= 4096:
        return {"kind": "bytes", "value": value.tobytes().hex(), "dtype": str(getattr(value, "dtype", ""))}
    return {"kind": "other", "value": repr(value)[:200]}
