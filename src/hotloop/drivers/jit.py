"""A worker's side of a JIT program: its text as a module, its function, and a value for every parameter of that."""

from __future__ import annotations

import importlib
import inspect
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.drivers import torch as _torch
from hotloop.drivers.torch import BandedBuffer
from hotloop.errors import first_line
from hotloop.model.jit import Meta
from hotloop.model.program import Address, Argument, Array, Input, Launch, Local, Null, Program, Raw, Value
from hotloop.ports import Buffer, BuildError, LaunchError

_WRAPPERS = 8
"""Largest number of decorators above ``triton.jit`` that are looked through; real files have fewer."""
_DIMENSIONS = 3
_TYPICAL = 16
"""Triton's code for numbers that are divisible by 16 is what most launches run."""


@dataclass(frozen=True, slots=True)
class Module:
    """A loaded source text."""

    names: Mapping[str, Any]
    meta: Meta
    values: Mapping[str, object]
    """Parameters and compiler options, expressions evaluated."""


def loaded(program: Program, meta: Meta, folder: Path) -> Module:
    """Return a program's source as a module, with the values that its options give. Raises BuildError."""
    names = imported(program, meta, folder)
    return Module(names, meta, evaluated(names, meta))


def imported(program: Program, meta: Meta, folder: Path) -> Mapping[str, Any]:
    """Write the source to a file and run it as a module. Raises BuildError."""
    path = folder / f"hotloop_{program.build_key[:24]}.py"
    path.write_text(program.source, encoding="utf-8")
    linecache.checkcache(str(path))
    sys.path.extend(place for place in meta.search if place not in sys.path)
    name = f"{meta.package}.{path.stem}" if meta.package else path.stem
    if meta.package:
        _ran(program, str(path), lambda: importlib.import_module(meta.package))
    return vars(executed(program, name, str(path)))


def executed(program: Program, name: str, path: str) -> ModuleType:
    """Run a program's source as a module; `path` is where its lines are looked for. Raises BuildError."""
    module = ModuleType(name)
    module.__file__ = path
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    _ran(program, path, lambda: exec(compile(program.source, path, "exec", dont_inherit=True), vars(module)))  # noqa: S102
    return module


def _ran(program: Program, path: str, action: Callable[[], object]) -> None:
    """Run what may execute the user's code. Raises BuildError with the line that failed."""
    shown = program.source_name or Path(path).name
    try:
        action()
    except SyntaxError as error:
        raise BuildError(f"{shown}:{error.lineno}:{error.offset or 1}: error: {error.msg}") from None
    except Exception as error:  # the user's code may raise anything
        line = next((row.tb_lineno for row in _frames(error) if row.tb_frame.f_code.co_filename == path), 1)
        raise BuildError(f"{shown}:{line}:1: error: {type(error).__name__}: {first_line(error)}") from error


def _frames(error: BaseException) -> Sequence[Any]:
    frames, row = [], error.__traceback__
    while row is not None:
        frames.append(row)
        row = row.tb_next
    return frames[::-1]


def evaluated(names: Mapping[str, Any], meta: Meta) -> Mapping[str, object]:
    """Return values of parameters, expressions evaluated with what the module and the languages define."""
    if not meta.expressions:
        return meta.values
    visible = {**_language_names(), **names}
    values = dict(meta.values)
    for name, text in meta.expressions.items():
        try:
            values[name] = eval(text, visible)  # noqa: S307 - part of the candidate's code, in the worker that runs it
        except Exception as error:  # noqa: BLE001 - an expression may raise anything
            raise BuildError(f"error: {name} is {text}, which raises {type(error).__name__}: {error}") from None
    return values


def _language_names() -> dict[str, Any]:
    """Return what the ``repr`` of layouts and types refers to."""
    import triton
    from triton.experimental import gluon
    from triton.experimental.gluon import language

    return {**vars(language), "triton": triton, "tl": triton.language, "gluon": gluon, "gl": language, "ttgl": language}


def function(module: Module, entry: str) -> Any:  # noqa: ANN401
    """Return the JIT function below autotuners and heuristics. Raises BuildError."""
    member = module.names.get(entry)
    if member is None:
        raise BuildError(f"error: the source has no kernel named {entry!r}")
    for _ in range(_WRAPPERS):
        if hasattr(member, "arg_names") and not hasattr(member, "configs") and not hasattr(member, "values"):
            return member
        member = getattr(member, "fn", None)
    raise BuildError(f"error: {entry!r} is no kernel of triton.jit or gluon.jit")


def placed(
    function: Any,  # noqa: ANN401
    module: Module,
    launch: Launch,
    make: Callable[[Argument], object],
) -> dict[str, object]:
    """Return a value for every parameter: by name from the options, the others from the launch's arguments in order."""
    waiting = list(launch.arguments)
    placed: dict[str, object] = {}
    for name, parameter in inspect.signature(plain(function)).parameters.items():
        if name in module.values:
            placed[name] = module.values[name]
        elif waiting:
            placed[name] = make(waiting.pop(0))
        elif parameter.default is not inspect.Parameter.empty:
            placed[name] = parameter.default
        else:
            raise BuildError(f"error: {launch.entry} has a parameter {name!r} that nothing is given for")
    if waiting:
        raise BuildError(f"error: {launch.entry} is given {len(waiting)} arguments more than it has parameters")
    return placed


def plain(function: Any) -> Callable[..., Any]:  # noqa: ANN401
    """Return the Python function that was decorated."""
    return function.fn  # type: ignore[no-any-return]


def compiler_options(module: Module, program: Program, launch: Launch) -> dict[str, object]:
    """Return the values that are no parameter of any of the program's kernels, such as ``num_warps``, as one launch has them.

    A value ``add.num_warps`` is that of the kernel ``add`` alone.
    """
    functions = [plain(function(module, entry)) for entry in {launch.entry for launch in program.launches}]
    parameters = {name for source_function in functions for name in inspect.signature(source_function).parameters}
    shared = {name: value for name, value in module.values.items() if name not in parameters and "." not in name}
    own = f"{launch.entry}."
    return shared | {name.removeprefix(own): value for name, value in module.values.items() if name.startswith(own)}


def stand_in(meta: Meta, given: Argument) -> object:
    """Return what stands for an argument when only its type matters: aligned memory, a number divisible by 16."""
    if isinstance(given, Input):
        return argument(meta, Value(_TYPICAL, given.dtype), {})
    if not isinstance(given, Array):
        return argument(meta, given, {})
    dtype = _torch.torch_type(meta.dtypes.get(given.name, "uint8"))
    return _described(meta, given.name, _StandIn(dtype)) if by_descriptor(meta, given) else dtype


def by_descriptor(meta: Meta, given: Array) -> bool:
    """Tell whether a kernel takes an argument as a tensor descriptor."""
    return given.name in meta.descriptors and not isinstance(given, Address)


class _StandIn:
    """A tensor that only has a type and an alignment, for descriptors that are compiled before there is memory."""

    def __init__(self, dtype: Any) -> None:  # noqa: ANN401
        self.dtype = dtype
        self.shape = (0,)

    def data_ptr(self) -> int:
        return 0

    def ptr_range(self) -> int:
        return 0


def argument(meta: Meta, given: Argument, buffers: Mapping[str, Buffer]) -> object:
    """Return what a kernel is called with for an argument. Raises LaunchError."""
    match given:
        case Array(name=name):
            buffer = buffers[name]
            assert isinstance(buffer, BandedBuffer)
            payload = buffer.payload(meta.dtypes.get(name, "uint8"))
            return _described(meta, name, payload) if by_descriptor(meta, given) else payload
        case Value(value=value, dtype=dtype):
            return float(value) if dtype.startswith("float") else bool(value) if dtype == "bool" else int(value)
        case Input(name=name):
            raise LaunchError(f"argument {name} has no value; the program was not resolved")
        case Null():
            return None
        case Raw():
            raise LaunchError("Triton takes no structures by value")
        case Local():
            raise LaunchError("Triton reserves shared memory itself; a program cannot ask for some")


def _described(meta: Meta, name: str, payload: Any) -> object:  # noqa: ANN401
    """Return a tensor descriptor over a buffer."""
    return describer(meta, name)(payload)


def describer(meta: Meta, name: str) -> Callable[[Any], object]:
    """Return what makes the tensor descriptor of an array, given its memory."""
    made = meta.descriptors[name]
    shape, block = list(made.shape), list(made.block)
    strides = list(made.strides) or [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    if made.layout:
        from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as Laid

        layout = eval(made.layout, _language_names())  # noqa: S307 - as in `evaluated`
        return lambda payload: Laid(payload, shape, strides, block, layout)
    from triton.tools.tensor_descriptor import TensorDescriptor

    return lambda payload: TensorDescriptor(payload, shape, strides, block)


def grid(launch: Launch) -> tuple[int, ...]:
    """Return Triton's grid: groups in each of three dimensions."""
    local = launch.local_size or (1,) * len(launch.global_size)
    groups = tuple(-(-items // part) for items, part in zip(launch.global_size, local, strict=True))
    return groups + (1,) * (_DIMENSIONS - len(groups))
