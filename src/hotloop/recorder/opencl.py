"""Launches of pyopencl programs: arguments as they are set, sources as the runtime has them."""

from __future__ import annotations

import os
import shlex
import struct
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.recorder import place
from hotloop.recorder.book import Book
from hotloop.recorder.clocked import Tally, clocks

SETTERS = ("set_arg", "_set_arg_multi", "_set_arg_buf_multi", "_set_arg_buf_pack_multi")
_LARGEST_RAW = 4096
_TEXTLESS = "it comes from a binary, from intermediate code or from several linked programs, not from one text, so nothing of it can be optimized"


def listen(module: ModuleType, book: Book) -> None:
    """Record what goes through pyopencl; the layer for other programs (`recorder/layer`) is told that this process is heard."""
    os.environ["HOTLOOP_HEARD"] = str(os.getpid())
    os.register_at_fork(after_in_child=lambda: os.environ.__setitem__("HOTLOOP_HEARD", str(os.getpid())))
    native = module._cl  # noqa: SLF001
    _Listener(module, native, book)


class _Listener:
    def __init__(self, cl: Any, native: Any, book: Book) -> None:  # noqa: ANN401 - pyopencl is untyped here
        self._cl, self._native, self._book = cl, native, book
        self._set: dict[int, dict[int, Any]] = {}
        self._sources: dict[str, tuple[str, int]] = {}
        self._gates: set[int] = set()
        """Events that the program has to set itself: whoever waits for the queue before that may wait for himself."""
        self._programs: list[Any] = []
        """Kept: of a program that nobody holds any more a runtime tells no text, although its kernels go on."""
        self._enqueue = native.enqueue_nd_range_kernel
        native.enqueue_nd_range_kernel = self.enqueued
        cl.enqueue_nd_range_kernel = self.enqueued
        for name in SETTERS:
            if hasattr(native.Kernel, name):
                setattr(native.Kernel, name, noting(name, getattr(native.Kernel, name), self._set))
        cl.UserEvent = native.UserEvent = self._gated(native.UserEvent)
        made = cl.Program.__init__

        def begun(program: Any, *given: Any, **others: Any) -> None:  # noqa: ANN401
            if len(given) == 2 and isinstance(given[1], str):
                self._sources.setdefault(given[1], place.caller())
            made(program, *given, **others)

        build = cl.Program.build

        def built(program: Any, *given: Any, **others: Any) -> Any:  # noqa: ANN401
            began = clocks()
            result = build(program, *given, **others)
            if book.journal.uncached:  # from its second run on the program finds its kernels compiled
                book.spent(clocks().since(began))
            self._programs.append(program._prg)  # noqa: SLF001
            return result

        cl.Program.__init__, cl.Program.build = begun, built

    def _gated(self, kind: Any) -> Any:  # noqa: ANN401
        """Return the class of the program's own events, of which it is known which ones are not set yet."""
        gates = self._gates

        class UserEvent(kind):  # type: ignore[misc] # pyopencl is untyped here
            def __init__(self, *given: Any, **others: Any) -> None:  # noqa: ANN401
                super().__init__(*given, **others)
                gates.add(self.int_ptr)

            def set_status(self, *given: Any, **others: Any) -> None:  # noqa: ANN401
                gates.discard(self.int_ptr)
                super().set_status(*given, **others)

        return UserEvent

    def enqueued(self, *given: Any, **others: Any) -> Any:  # noqa: ANN401
        """Record a launch and do it."""
        before = given[5] if len(given) > 5 else others.get("wait_for")
        try:
            asked = self._asked(given, others, before)
        except Exception as error:  # noqa: BLE001 - the launch itself says what is wrong with it
            self._book.failed(f"a launch of {getattr(given[1], 'function_name', '?')} is not understood: {error}")
            return self._enqueue(*given, **others)
        timed = partial(self._timed, given[0], before)
        return self._book.launched(*asked, partial(self._enqueue, *given, **others), timed, ready=not self._gates)

    def _asked(
        self, given: tuple[Any, ...], others: Mapping[str, Any], before: Sequence[Any] | None
    ) -> tuple[Hashable, Callable[[], Mapping[str, Any]], Hashable, Callable[[], Mapping[str, Any]]]:
        """Return identity and facts of kernel and launch."""
        queue, kernel = given[0], given[1]
        items, part = (_sizes(sizes) for sizes in (given[2], given[3] if len(given) > 3 else None))
        if others.get("g_times_l") or (len(given) > 6 and given[6]):
            items = tuple(a * b for a, b in zip(items or (), part or (), strict=True))
        offset = given[4] if len(given) > 4 else others.get("global_offset")
        values = self._set.get(kernel.int_ptr, {})
        key = (kernel.get_info(self._cl.kernel_info.PROGRAM).int_ptr, kernel.function_name)
        moved = tuple(_sizes(offset) or ())
        kind = (items, part, moved if any(moved) else (), tuple(_kind(values.get(at)) for at in range(kernel.num_args)))
        launch = partial(self._launch, kernel, queue, before, items, part, values, moved)
        return key, partial(self._kernel, kernel, queue), kind, launch

    def _waited(self, queue: Any, before: Sequence[Any] | None) -> None:  # noqa: ANN401
        if before:
            self._cl.wait_for_events(list(before))
        queue.finish()

    def _timed(self, queue: Any, before: Sequence[Any] | None, run: Callable[[], Any], tally: Tally) -> Any:  # noqa: ANN401
        self._waited(queue, before)
        began = clocks()
        event = run()
        queue.finish()
        tally.ran(clocks().since(began))
        return event

    def _kernel(self, kernel: Any, queue: Any) -> Mapping[str, Any]:  # noqa: ANN401
        program = kernel.get_info(self._cl.kernel_info.PROGRAM)
        text = str(program.get_info(self._cl.program_info.SOURCE)).rstrip("\0")
        options = str(program.get_build_info(queue.device, self._cl.program_build_info.OPTIONS))
        path, line = self._sources.get(text) or place.caller()
        return {
            "language": "opencl", "entry": kernel.function_name, "text": text, "options": words(options), "refused": "" if text.strip() else _TEXTLESS,
            "path": path, "line": line, "digest": place.digest(path), "folder": str(Path.cwd()), "device": queue.device.name.strip(), "versions": queue.device.driver_version.strip(),
            "interpreted": False,
        }  # fmt: skip

    def _launch(
        self,
        kernel: Any,  # noqa: ANN401
        queue: Any,  # noqa: ANN401
        before: Sequence[Any] | None,
        whole: tuple[int, ...] | None,
        part: tuple[int, ...] | None,
        values: Mapping[int, Any],
        offset: tuple[int, ...] | None,
    ) -> Mapping[str, Any]:
        if not self._gates:
            with self._book.waiting():
                self._waited(queue, before)
        seen: dict[int, tuple[int, int, int]] = {}
        rows = [self._argument(at, values.get(at), queue, seen) for at in range(kernel.num_args)]
        return {"grid": whole or (), "group": part, "offset": offset or (), "arguments": rows}

    def _argument(self, at: int, value: Any, queue: Any, seen: dict[int, tuple[int, int, int]]) -> Mapping[str, Any]:  # noqa: ANN401
        row: dict[str, Any] = {"name": str(at), "kind": "other"}
        if value is None:
            return row | {"kind": "null"}
        if isinstance(value, self._cl.LocalMemory):
            return row | {"kind": "local", "bytes": value.size}
        if isinstance(value, self._cl.MemoryObjectHolder) and hasattr(value, "size") and not _image(self._cl, value):
            base, begin = _placed(self._cl, value)
            same = [str(one) for one, place in seen.items() if place == (base, begin, value.size)]
            parts = [
                str(n)
                for n, (b, first, size) in seen.items()
                if b == base and first < begin + value.size and begin < first + size
            ]
            seen[at] = (base, begin, value.size)
            row |= {
                "kind": "array",
                "dtype": "uint8",
                "shape": [value.size],
                "strides": [1],
                "alias": same[0] if same else "",
            }
            return row if same else row | {"overlaps": parts} | self._content(value, queue)
        raw = _raw(value)
        return row | ({"value": _odd(self._cl, value)} if raw is None else {"kind": "bytes", "value": raw.hex()})

    def _content(self, buffer: Any, queue: Any) -> dict[str, Any]:  # noqa: ANN401
        import numpy as np

        if self._gates:
            return {"bytes": buffer.size}

        def read(count: int) -> bytes:
            host = np.empty(count, np.uint8)
            self._cl.enqueue_copy(queue, host, buffer, is_blocking=True)
            return host.tobytes()

        try:
            name, complete = self._book.journal.keep(buffer.size, read)
        except (self._cl.Error, OSError) as error:
            return {"bytes": buffer.size, "unread": str(error)[:200]}
        return {"bytes": buffer.size, "values": name, "whole": complete}


def noting(name: str, original: Callable[..., Any], noted: dict[int, dict[int, Any]]) -> Callable[..., Any]:
    """Return a setter of arguments that notes by kernel what it sets."""
    step = 3 if name == "_set_arg_buf_pack_multi" else 2

    def setter(kernel: Any, *given: Any) -> Any:  # noqa: ANN401
        result = original(kernel, *given)
        arguments = noted.setdefault(kernel.int_ptr, {})
        if name == "set_arg":
            arguments[given[0]] = given[1]
        elif step == 2:
            arguments.update(zip(given[0][::2], given[0][1::2], strict=True))
        else:
            for at, kind, value in zip(given[0][::3], given[0][1::3], given[0][2::3], strict=True):
                arguments[at] = struct.pack(kind.decode() if isinstance(kind, bytes) else kind, value)
        return result

    return setter


def words(options: str) -> list[str]:
    """Return the words of a compiler's options; quotation marks keep words together, as compilers read them.

    >>> words('-D "A=(1 + 2)" -I /usr/include')
    ['-D', 'A=(1 + 2)', '-I', '/usr/include']
    """
    try:
        return shlex.split(options)
    except ValueError:  # a mark that is never closed
        return options.split()


def _sizes(given: Any) -> tuple[int, ...] | None:  # noqa: ANN401
    if given is None:
        return None
    return (int(given),) if isinstance(given, int) else tuple(int(size) for size in given)


def _placed(cl: ModuleType, buffer: Any) -> tuple[int, int]:  # noqa: ANN401
    """Return the memory that a buffer lies in, and where: a part of another one begins somewhere in that."""
    whole = buffer.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    if whole is None or not hasattr(whole, "int_ptr"):
        return buffer.int_ptr, 0
    return whole.int_ptr, buffer.get_info(cl.mem_info.OFFSET)


def _image(cl: ModuleType, value: Any) -> bool:  # noqa: ANN401
    kinds = tuple(getattr(cl, name) for name in ("Image", "Pipe") if hasattr(cl, name))
    return isinstance(value, kinds)


def _odd(cl: ModuleType, value: Any) -> str:  # noqa: ANN401
    """Return in words what an argument is that is not given again."""
    words = {
        "Image": "an image",
        "Pipe": "a pipe",
        "Sampler": "a sampler",
        "SVM": "shared virtual memory",
        "SVMPointer": "shared virtual memory",
    }
    return next(
        (what for name, what in words.items() if isinstance(value, getattr(cl, name, ()))), type(value).__name__
    )


def _kind(value: Any) -> Hashable:  # noqa: ANN401
    """Return what makes two launches of one kind: the size of a buffer, a number by value only where it is whole."""
    if hasattr(value, "size") and not hasattr(value, "dtype") and hasattr(value, "int_ptr"):
        return ("buffer", value.size)
    raw = _raw(value)
    return type(value).__name__ if raw is None else ("value", len(raw))


def _raw(value: Any) -> bytes | None:  # noqa: ANN401
    """Return the bytes of a number, a short vector or a structure that is passed by value."""
    if isinstance(value, bytes):
        return value if len(value) <= _LARGEST_RAW else None
    if hasattr(value, "tobytes") and getattr(value, "nbytes", _LARGEST_RAW + 1) <= _LARGEST_RAW:
        return bytes(value.tobytes())
    if isinstance(value, Sequence | int | float):
        return None
    try:
        made = bytes(memoryview(value))
    except TypeError:
        return None
    return made if len(made) <= _LARGEST_RAW else None
