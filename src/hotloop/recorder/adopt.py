"""Putting a winner in the place of a program's own kernel while it runs; the program's own returns where anything no longer fits.

What fits is decided at every launch: the text is the one that was optimized, the device and the versions are those on which it
won. The reason for going back is told once on standard error.
"""

from __future__ import annotations

import atexit
import importlib.util
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.recorder import hooks, identity
from hotloop.rewrite.jitted.scene import SHARED, Divided, Relaunch, holds, programs


def begin(given: Mapping[str, Any]) -> None:
    """Adopt what `hotloop adopt` wrote: texts, geometry, constants, and what must be as it was.

    Raises:
        ValueError: it is truncated, of another version, or nothing that `hotloop adopt` wrote.
    """
    _sound(given)
    rows = [row for row in given["kernels"] if row["language"] == "opencl"]
    jitted = [row for row in given["kernels"] if row["language"] == "triton"]
    watched: dict[str, hooks.Hook] = {}
    if rows:
        watched["pyopencl"] = lambda module: _opencl(module, rows)
    if jitted:
        watched["triton.runtime.jit"] = lambda module: _jitted(module.JITFunction, jitted)
        watched["triton.runtime.interpreter"] = lambda module: _jitted(module.InterpretedFunction, jitted)
    hooks.watch(watched)


_FORMAT, _VERSION = "hotloop adoption", 1
_NEEDED = {
    "opencl": ("entry", "before", "after", "device", "versions", "steps", "group", "own_group"),
    "triton": ("entry", "own", "after", "device", "versions", "search", "package", "start", "config"),
}
"""Fields of a kernel that are read, by language."""


def _sound(given: object) -> None:
    if not isinstance(given, dict) or given.get("format") != _FORMAT:
        raise ValueError("hotloop adopt wrote something else")
    if given.get("version") != _VERSION:
        raise ValueError(f"it is of format {given.get('version')}, this hotloop reads {_VERSION}")
    rows = given.get("kernels")
    if not isinstance(rows, list) or not all(_whole(row) for row in rows):
        raise ValueError("it lacks what is known of a kernel")


def _whole(row: object) -> bool:
    if not isinstance(row, dict):
        return False
    needed = _NEEDED.get(str(row.get("language")))
    return needed is not None and all(name in row for name in needed)


def _opencl(module: ModuleType, rows: list[Mapping[str, Any]]) -> None:
    _OpenCL(module, rows)


_told: set[str] = set()


def _tell(entry: str, reason: str) -> None:
    if reason and (entry + reason) not in _told:
        _told.add(entry + reason)
        sys.stderr.write(f"hotloop adopt: {entry}: {reason}\n")


class _OpenCL:
    """Launches of programs whose text was optimized."""

    def __init__(self, cl: Any, rows: list[Mapping[str, Any]]) -> None:  # noqa: ANN401 - pyopencl is untyped here
        self._cl = cl
        self._rows = {entry: [row for row in rows if row["entry"] == entry] for entry in {row["entry"] for row in rows}}
        """By name: programs call kernels of several texts alike."""
        self._made: dict[tuple[int, str], Any] = {}
        self._programs: dict[int, tuple[Any, str]] = {}
        self._set: dict[int, dict[int, Any]] = {}
        self._enqueue = cl._cl.enqueue_nd_range_kernel  # noqa: SLF001
        cl._cl.enqueue_nd_range_kernel = cl.enqueue_nd_range_kernel = self.enqueued  # noqa: SLF001
        from hotloop.recorder.opencl import SETTERS, noting

        for name in SETTERS:
            if hasattr(cl._cl.Kernel, name):  # noqa: SLF001
                setattr(cl._cl.Kernel, name, noting(name, getattr(cl._cl.Kernel, name), self._set))  # noqa: SLF001
        build = cl.Program.build

        def built(program: Any, *given: Any, **others: Any) -> Any:  # noqa: ANN401
            result = build(program, *given, **others)
            native = program._prg  # noqa: SLF001
            self._programs[native.int_ptr] = (native, str(getattr(program, "_source", "")))
            return result

        cl.Program.build = built

    def enqueued(self, *given: Any, **others: Any) -> Any:  # noqa: ANN401
        """Launch the winner where it fits, else what was asked for."""
        queue, kernel = given[0], given[1]
        why = ""
        for row in self._named(kernel):
            try:
                changed = self._changed(row, queue, kernel, given, others)
            except Exception as error:  # noqa: BLE001 - whatever it is, the program's own kernel is there
                why = why or f"the program's own kernel runs: {error}"
                continue
            return self._enqueue(queue, *changed, None, *given[5:], **others)
        _tell(kernel.function_name, why)
        return self._enqueue(*given, **others)

    def _named(self, kernel: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401
        """Return the winners of kernels of this name, those of the same text first; none where nothing of the name was optimized."""
        rows = self._rows.get(kernel.function_name, [])
        if len(rows) < 2:
            return rows
        _, text = self._programs.get(kernel.get_info(self._cl.kernel_info.PROGRAM).int_ptr, (None, ""))
        return sorted(rows, key=lambda row: row["before"].strip() != text.strip())

    def _changed(
        self,
        row: Mapping[str, Any],
        queue: Any,  # noqa: ANN401
        kernel: Any,  # noqa: ANN401
        given: tuple[Any, ...],
        others: Mapping[str, Any],
    ) -> tuple[Any, tuple[int, ...], tuple[int, ...] | None]:
        """Return the winner with the arguments set, and its sizes. Raises ValueError with the reason where it does not fit."""
        program = kernel.get_info(self._cl.kernel_info.PROGRAM).int_ptr
        native, text = self._programs.get(program, (None, ""))
        if text.strip() != row["before"].strip():
            raise ValueError("its text has changed since")
        _same("device", row["device"], queue.device.name.strip())
        _same("driver", row["versions"], queue.device.driver_version.strip())
        if (len(given) > 4 and given[4]) or others.get("global_offset"):
            raise ValueError("it is launched with an offset")
        whole, part = given[2], given[3] if len(given) > 3 else None
        if others.get("g_times_l") or (len(given) > 6 and given[6]):
            raise ValueError("it is launched by groups")
        if len(whole) != len(row.get("own_sizes") or row["steps"]) or (part is None) != (row["own_group"] is None):
            raise ValueError("it is launched in another form")
        key = (program, row["after"])
        if key not in self._made:
            options = native.get_build_info(queue.device, self._cl.program_build_info.OPTIONS).split()
            built = self._cl.Program(native.get_info(self._cl.program_info.CONTEXT), row["after"]).build(options)
            self._made[key] = self._cl.Kernel(built, row["entry"])
        made = self._made[key]
        for at, value in self._set[kernel.int_ptr].items():
            made.set_arg(at, value)
        group = tuple(row["group"]) if row["group"] else None
        if row.get("sizes"):
            _as_won(row, tuple(whole), self._set[kernel.int_ptr])
            return made, tuple(row["sizes"]), group
        sizes = tuple(-(-extent // step) for extent, step in zip(whole, row["steps"], strict=True))
        return made, _grouped(row, sizes, group), group


def _grouped(row: Mapping[str, Any], sizes: tuple[int, ...], group: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return work-items in whole groups. Raises ValueError where these are more than the winner's text is known to have a bound for."""
    if group is None:
        return sizes
    rounded = tuple(-(-extent // size) * size for extent, size in zip(sizes, group, strict=True))
    known = row.get("rounds") or (False,) * len(sizes)
    if any(more != extent and not bound for more, extent, bound in zip(rounded, sizes, known, strict=True)):
        raise ValueError(f"its work-items are not whole groups of {group}, and its text may have no bound for more")
    return rounded


def _as_won(row: Mapping[str, Any], whole: tuple[int, ...], given: Mapping[int, Any]) -> None:
    """Refuse sizes and numbers other than those on which a winner won that is launched in other dimensions."""
    bytes_of = {at: one if isinstance(one, bytes) else getattr(one, "tobytes", bytes)() for at, one in given.items()}
    if whole != tuple(row["own_sizes"]) or any(
        bytes_of.get(int(at), b"").hex() != one for at, one in row["numbers"].items()
    ):
        raise ValueError("it is launched with other sizes or numbers than those on which it won, in other dimensions")


def _same(what: str, wanted: str, here: str) -> None:
    if wanted != here:
        raise ValueError(f"the {what} is {here}, it won on {wanted}")


def _jitted(kind: Any, rows: list[Mapping[str, Any]]) -> None:  # noqa: ANN401
    """Put winners in the place of launched functions of Triton."""
    original = kind.run
    places: dict[int, _Place] = {}
    winners: set[int] = set()

    def run(self: Any, *given: Any, grid: Any, warmup: bool, **others: Any) -> Any:  # noqa: ANN401
        called = [row for row in rows if row["entry"] == getattr(self.fn, "__name__", "")]
        if not called or warmup or id(self) in winners:
            return original(self, *given, grid=grid, warmup=warmup, **others)
        if id(self) not in places:
            places[id(self)] = place = _placed(self, called)
            winners.add(id(place.winner))
        try:
            winner, row = places[id(self)].fitting()
            divided, positional, changed = _constants(self, row, given, others)
            size, changed = _smaller(winner, {**row, "divided": divided}, positional, grid, changed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the program's own kernel is there
            _tell(called[0]["entry"], f"the program's own kernel runs: {error}")
            return original(self, *given, grid=grid, warmup=warmup, **others)
        try:
            compiled = original(winner, *positional, grid=size, warmup=warmup, **changed)
        except Exception as error:
            if places[id(self)].interpreted:  # it may have written some of its results already
                raise
            _tell(row["entry"], f"the program's own kernel runs: the winner cannot be launched: {error}")
            return original(self, *given, grid=grid, warmup=warmup, **others)
        named = identity.signature(self.fn).parameters
        options = {name: value for name, value in others.items() if name not in named}
        constants = {name: value for name, value in others.items() if name in named}
        return _Relaunched(compiled, partial(run, self, warmup=False, **options), list(named), constants)

    kind.run = run


@dataclass(frozen=True)
class _Place:
    """A launched function, and what is launched in its place."""

    function: Any
    """It is kept so that no other function gets its identity."""
    winner: Any = None
    row: Mapping[str, Any] | None = None
    reason: str = ""

    @property
    def interpreted(self) -> bool:
        """Tell whether Triton's interpreter runs it."""
        return type(self.function).__name__ == "InterpretedFunction"

    def fitting(self) -> tuple[Any, Mapping[str, Any]]:
        """Return the winner and what is known of it. Raises ValueError with the reason where none fits."""
        if self.row is None:
            raise ValueError(self.reason)
        return self.winner, self.row


def _placed(function: Any, rows: list[Mapping[str, Any]]) -> _Place:  # noqa: ANN401
    """Return what is launched in the place of a function: of several winners of its name the one that its text became."""
    try:
        own = identity.own_text(function.fn)
        row = next((row for row in rows if row["own"] == own), None)
        if row is None:
            raise ValueError("its text has changed since, or is another kernel's of this name")
        return _Place(function, _winner(function, row), row)
    except Exception as error:  # noqa: BLE001 - whatever it is, the program's own kernel is there
        return _Place(function, reason=str(error))


class _Relaunched:
    """What a launch returns in the place of its compiled kernel: launched again, it is the winner with a grid of its own."""

    def __init__(self, compiled: Any, run: Any, names: list[str], constants: Mapping[str, Any]) -> None:  # noqa: ANN401
        self._compiled, self._run, self._names, self._constants = compiled, run, names, constants

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._compiled, name)

    def __getitem__(self, grid: Any) -> Any:  # noqa: ANN401
        return partial(self._again, grid)

    def _again(self, grid: Any, *given: Any, **_stream: Any) -> Any:  # noqa: ANN401
        whole = len(given) == len(self._names)
        names = [name for name in self._names if whole or name not in self._constants]
        return self._run(grid=grid, **{**self._constants, **dict(zip(names, given, strict=True))})


def _winner(function: Any, row: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return the winner's function. Raises ValueError with the reason where device or software do not fit."""
    _same("device", row["device"], identity.device(interpreted=type(function).__name__ == "InterpretedFunction"))
    _same("software", row["versions"], identity.versions())
    sys.path.extend(place for place in row["search"] if place not in sys.path)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", suffix=".py", prefix="hotloop_adopted_", delete=False
    ) as file:
        file.write(row["after"])
    atexit.register(Path(file.name).unlink, missing_ok=True)  # Triton reads it when a kernel is first launched
    module = _loaded(Path(file.name), row["package"])
    return getattr(module, row["entry"])


def _loaded(path: Path, package: str) -> ModuleType:
    name = f"{package}.{path.stem}" if package else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _constants(
    function: Any,  # noqa: ANN401
    row: Mapping[str, Any],
    given: tuple[Any, ...],
    others: Mapping[str, Any],
) -> tuple[list[Mapping[str, Any]], tuple[Any, ...], dict[str, Any]]:
    """Return arguments with the winner's constants, where the launch has those from which it started, and what of its grid follows them."""
    signature = identity.signature(function.fn)
    names = list(signature.parameters)
    bound = signature.bind_partial(*given, **{k: v for k, v in others.items() if k in signature.parameters})
    bound.apply_defaults()
    asked = {**{k: v for k, v in others.items() if k not in signature.parameters}, **bound.arguments}
    start = row["start"]
    if any(asked.get(name, value) != value for name, value in start.items()):
        return [], given, dict(others)  # another configuration, for other sizes: its own constants, the winner's text
    changed = {name: value for name, value in row["config"].items() if value != start.get(name)}
    positional = tuple(changed.pop(name, value) for name, value in zip(names, given, strict=False))
    return list(row.get("divided", ())), positional, {**others, **changed}


def _smaller(
    winner: Any,  # noqa: ANN401
    row: Mapping[str, Any],
    given: tuple[Any, ...],
    grid: Any,  # noqa: ANN401
    others: dict[str, Any],
) -> tuple[Any, dict[str, Any]]:
    """Return the winner's grid and arguments. Raises ValueError where its text would not be right for them."""
    conditions, fewer, divided = row.get("guards", ()), row.get("fewer", ()), row.get("divided", ())
    if not conditions and not fewer and not divided:
        return grid, others
    units = row.get("units", 1)
    bound = identity.signature(winner.fn).bind_partial(
        *given, **{k: v for k, v in others.items() if k in winner.arg_names}
    )
    bound.apply_defaults()
    values = {**others, **bound.arguments}
    size = grid(values) if callable(grid) else grid
    if callable(grid) and divided and tuple(size) != tuple(grid({**values, **row["start"]})):
        divided = ()  # the host has counted them by the winner's constants
    for each in (Divided(**fields) for fields in divided):
        size = each.grid(tuple(size))
    facts = {**values, **programs(tuple(size)), SHARED: int(_shared(bound.arguments.values()))}
    for condition in conditions:
        if not holds(condition, facts):
            raise ValueError(f"{condition} does not hold")
    for condition in (Relaunch(**row) for row in fewer):
        size, others = condition.grid(tuple(size), units), {**others, condition.argument: size[condition.axis]}
    return size, others


def _shared(given: Iterable[Any]) -> bool:
    """Tell whether two arguments lie in the same storage."""
    places = [tensor.untyped_storage().data_ptr() for tensor in given if hasattr(tensor, "untyped_storage")]
    return len(set(places)) < len(places)
