"""Whether the functions that judge are still the ones that were shipped: a kernel file runs in the same process.

This finds monkeypatching, by accident or on purpose, of NumPy, of the clocks and of hotloop itself. It is no defence
against code that wants to hide (see docs/security.md); it is what keeps a verdict from being weakened silently.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import operator
import reprlib
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

VERIFY = (
    "hotloop.model.check",
    "hotloop.model.dtype",
    "hotloop.model.outcome",
    "hotloop.model.verdict",
    "hotloop.stats.paired",
    "hotloop.stats.rounds",
    *(
        f"hotloop.verify.{name}"
        for name in (
            "cases",
            "compare",
            "distributions",
            "guards",
            "judge",
            "oracle",
            "poison",
            "tolerance",
            "domain",
            "variety",
            "condition",
            "sizes",
            "nearly",
            "rounded",
            "watched",
            "extents",
            "told.reach",
        )
    ),
)
_UFUNCS = ("abs", "isfinite", "isinf", "isnan", "maximum", "sign", "sqrt", "subtract")
_FUNCTIONS = (
    "allclose", "array_equal", "asarray", "ascontiguousarray", "argmax", "broadcast_to", "count_nonzero", "dot", "einsum",
    "flatnonzero", "isclose", "nan_to_num", "ravel", "where",
)  # fmt: skip
_NUMPY = np.__path__[0]
_CODE = operator.attrgetter("__code__")
_CLOCKS = ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time_ns", "time")


def replaced(modules: Iterable[str] = ()) -> tuple[str, ...]:
    """Return which functions are not the original ones: of NumPy, of the clocks, of verification and of `modules`.

    What was examined once and has not changed since is not examined again: a search asks for every candidate.
    """
    wanted = (*VERIFY, *modules)
    seal_before = _SEALED.get(wanted)
    if seal_before is not None and seal_before.intact():
        return ()
    seal = _Seal.of(wanted)
    names = _examined(wanted)
    if not names:
        _SEALED[wanted] = seal
    return names


@dataclasses.dataclass(frozen=True, slots=True)
class _Seal:
    """What was in place when a list of modules passed a whole examination; held, so that no identity is used again."""

    modules: tuple[tuple[str, ModuleType | None], ...]
    marks: tuple[object, ...]
    spaces: tuple[tuple[Mapping[str, object], tuple[object, ...]], ...]
    """Live names of the modules and of their classes, and what they meant."""
    functions: tuple[FunctionType, ...]
    codes: tuple[object, ...]

    @classmethod
    def of(cls, names: tuple[str, ...]) -> _Seal:
        modules = tuple((name, sys.modules.get(name)) for name in names)
        spaces: list[Mapping[str, object]] = []
        for name, module in modules:
            own = vars(module) if module else {}
            spaces += [own, *(vars(v) for v in own.values() if isinstance(v, type) and v.__module__ == name)]
        kept, marks = tuple((space, tuple(space.values())) for space in spaces), _marks()
        values = (*marks, *chain.from_iterable(meant for _, meant in kept))
        functions = tuple({id(value): value for value in values if isinstance(value, FunctionType)}.values())
        return cls(modules, marks, kept, functions, tuple(map(_CODE, functions)))

    def intact(self) -> bool:
        """Tell whether every name still means the same object with the same code: asked for each candidate, so in C."""
        if any(sys.modules.get(name) is not module for name, module in self.modules):
            return False
        if not all(map(operator.is_, _marks(), self.marks)):
            return False
        for space, meant in self.spaces:
            if len(space) != len(meant) or not all(map(operator.is_, space.values(), meant)):
                return False
        return all(map(operator.is_, map(_CODE, self.functions), self.codes))


_SEALED: dict[tuple[str, ...], _Seal] = {}


def _marks() -> tuple[object, ...]:
    """Return what an examination looks at of NumPy and the clocks."""
    numpy, clock = vars(np), vars(time)
    return (*map(numpy.get, (*_UFUNCS, *_FUNCTIONS)), *map(clock.get, _CLOCKS))


def _examined(modules: tuple[str, ...]) -> tuple[str, ...]:
    return (*_numpy(), *_clocks(), *(name for module in modules for name in _module(module)))


def _numpy() -> Iterator[str]:
    for name in _UFUNCS:
        if not isinstance(function := getattr(np, name, None), np.ufunc) or function.__name__ not in (name, "absolute"):
            yield f"numpy.{name}"
    for name in _FUNCTIONS:
        function = getattr(np, name, None)
        home = function.__code__.co_filename if isinstance(function, FunctionType) else _NUMPY
        if not str(getattr(function, "__module__", "")).startswith("numpy") or not home.startswith((_NUMPY, "<")):
            yield f"numpy.{name}"


def _clocks() -> Iterator[str]:
    for name in _CLOCKS:
        clock = getattr(time, name, None)
        if not isinstance(clock, BuiltinFunctionType) or clock.__module__ != "time":
            yield f"time.{name}"


def _module(name: str) -> Iterator[str]:
    """Yield functions and methods of a loaded module whose code lies in another file than the one that defines them."""
    module = sys.modules.get(name)
    for attribute, value in vars(module).items() if module else ():
        if isinstance(value, FunctionType) and not _at_home(value):
            yield f"{name}.{attribute}"
        elif isinstance(value, type) and value.__module__ == name:
            yield from (f"{name}.{attribute}.{key}" for key, member in vars(value).items() if _foreign(member, module))


def _at_home(function: FunctionType) -> bool:
    """Tell whether a function of hotloop or of the standard library lies in the file of the module that it names."""
    ours = function.__module__.startswith("hotloop.") or function.__module__ in sys.stdlib_module_names
    home = getattr(sys.modules.get(function.__module__), "__file__", "")
    return ours and function.__code__.co_filename in (home, contextlib.__file__)


def _foreign(member: object, module: ModuleType | None) -> bool:
    if isinstance(member, property):
        return any(_foreign(part, module) for part in (member.fget, member.fset))
    if isinstance(member, staticmethod | classmethod):
        return _foreign(member.__func__, module)
    if not isinstance(member, FunctionType):
        return False
    written = member.__code__.co_filename
    return written not in (getattr(module, "__file__", ""), *_WRITERS) and not written.startswith("<")


_WRITERS = (dataclasses.__file__, reprlib.__file__, enum.__file__)
"""Files of the methods that dataclasses and enumerations add to a class."""
