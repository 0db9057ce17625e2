"""PyTorch's functions exchanged by name while models are in use: what no kernel computes is called as it always was, and costs nothing.

A context that PyTorch's functions pass through (`intercepted`) costs microseconds for each of them, a shape that is asked for included.
Here only the functions that hotloop has kernels for are other ones, where they are looked up: in ``torch``, in
``torch.nn.functional``, as methods of tensors, and in modules that have imported them. They act in threads that run a model's forward.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from types import ModuleType
from typing import Any, Protocol

import torch

from hotloop.dispatch import remembered, routing
from hotloop.ops import classes, shortcuts

_lock = threading.RLock()
_counted: dict[tuple[int, str], int] = {}
"""How many models in use hold a place: an owner and a name."""


class Uses(Protocol):
    """Computes calls, as `intercepted.Used` does."""

    said: Counter[tuple[str, str]]

    def decided(self, func: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return the result of a call."""

    def traced(self, number: int, args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return what PyTorch's compiler traces for a call of the function of a number in `routing.functions`."""


class _Entered(threading.local):
    """Whose forward runs in this thread."""

    used: Uses | None = None


class _Tracing:
    """Whose forward PyTorch's compiler traces: it follows attributes of objects, and no contexts into functions that were exchanged."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used: Uses | None = None


entered, tracing = _Entered(), _Tracing()
_stacked: Callable[[], int] = torch._C._len_torch_function_stack  # noqa: SLF001 - contexts of others, which want to see the calls


def _wrapped(number: int, function: Any, weight: int | None) -> Callable[..., Any]:  # noqa: ANN401 - one of PyTorch's functions
    """Return what stands in a function's place. It holds nothing that PyTorch's compiler could not follow: no route, above all."""
    hints = remembered.HINTS.setdefault(function, {})

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:  # noqa: ANN401 - PyTorch's signature
        if torch.compiler.is_compiling():
            traced = tracing.used
            return function(*args, **named) if traced is None else traced.traced(number, args, named)
        given = (*args, *named.values()) if named else args
        if (used := entered.used) is None or _stacked():
            return _by_name(function, args, named) if classes.intercepting(given) else function(*args, **named)
        hint = hints.get(shortcuts.which(weight, args, named))
        if hint is not None:
            made = hint[0](given)
            if made is not None:
                used.said[hint[1]] += 1
                return made
        entered.used = None  # what hotloop leaves to PyTorch must not come back to it
        try:
            if classes.intercepting(given):
                used.said[function.__name__, classes.REASON] += 1
                return _by_name(function, args, named)
            return used.decided(function, args, named)
        finally:
            entered.used = used

    return call


def _by_name(function: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return what a function makes of tensors whose class sees the call: while it does, PyTorch's function stands under its names.

    Such a class may ask ``func is torch.nn.functional.linear``. Other threads meet PyTorch's function meanwhile, which is right too.
    """
    mine = wrappers()[function]
    with _lock:
        places = [
            (owner, name) for owner, name, whose in _public() if whose is function and vars(owner).get(name) is mine
        ]
        for owner, name in places:
            setattr(owner, name, function)
        try:
            return function(*args, **named)
        finally:
            for owner, name in places:
                setattr(owner, name, mine)


def _followed(name: str) -> Callable[..., Any]:
    """Return what stands in the place of a method of tensors that calls its base class's: PyTorch's compiler does not follow that."""
    method, plain = getattr(torch.Tensor, name), getattr(torch, name)

    @wraps(method)
    def call(*args: Any, **named: Any) -> Any:  # noqa: ANN401 - PyTorch's signature
        return plain(*args, **named) if torch.compiler.is_compiling() else method(*args, **named)

    return call


@cache
def wrappers() -> dict[Any, Callable[..., Any]]:
    """Return what stands in the place of each of PyTorch's functions."""
    followed = {getattr(torch.Tensor, name): _followed(name) for name in _inheriting()}
    return followed | {
        function: _wrapped(number, function, route.weight)
        for number, (function, route) in enumerate(routing.functions().items())
    }


@cache
def _inheriting() -> tuple[str, ...]:
    """Return the names of methods of tensors that call their base class's and are functions, too: ``unflatten``."""
    methods = vars(torch.Tensor).items()
    inner = [name for name, method in methods if "__class__" in _closed_over(method) and hasattr(torch, name)]
    return tuple(name for name in inner if not name.startswith("_"))


def _closed_over(method: object) -> tuple[str, ...]:
    return getattr(getattr(method, "__code__", None), "co_freevars", ())


def original(function: Any) -> Any:  # noqa: ANN401
    """Return PyTorch's function, whatever stands in its place now."""
    return next((mine for mine, wrapper in wrappers().items() if wrapper is function), function)


@cache
def _met() -> None:
    """Let PyTorch's compiler look up PyTorch's functions, which it does once and by name, before others stand in their places.

    Else a call that is left to PyTorch would be one of a function that it has never heard of, and no part of a whole graph.
    """
    try:
        from torch._dynamo.trace_rules import get_torch_obj_rule_map
    except (ImportError, AttributeError):  # a PyTorch that does it in another way
        return
    get_torch_obj_rule_map()


@cache
def _scripted() -> None:
    """Let TorchScript, which looks functions up by name too, compile PyTorch's where another one stands."""
    builtins = getattr(torch.jit, "_builtins", None)
    for function, wrapper in wrappers().items():
        found = getattr(builtins, "_find_builtin", _nothing)(function)
        if found is None:
            wrapper.__prepare_scriptable__ = partial(_itself, function)  # type: ignore[attr-defined] # asked for before it is compiled
        else:
            builtins._register_builtin(wrapper, found)  # type: ignore[union-attr] # noqa: SLF001


def _nothing(_function: object) -> None:
    return None


def _itself(function: object) -> object:
    return function


class Patch:
    """Functions exchanged until `remove`."""

    def __init__(self, modules: Iterable[torch.nn.Module]) -> None:
        _met()
        _scripted()
        self._places = [*_public(), *_imported(modules)]
        with _lock:
            for owner, name, function in self._places:
                key = id(owner), name
                _counted[key] = _counted.get(key, 0) + 1
                if _counted[key] == 1:
                    setattr(owner, name, wrappers()[function])

    def remove(self) -> None:
        """Put PyTorch's functions back, unless another model in use needs the same place."""
        with _lock:
            places, self._places = self._places, []
            for owner, name, function in places:
                key = id(owner), name
                _counted[key] -= 1
                if not _counted[key]:
                    del _counted[key]
                    _reset(owner, name, function)


def _public() -> list[tuple[Any, str, Any]]:
    """Return owner, name and function of all of PyTorch's own places."""
    places = []
    for route in routing.whole():
        for place in route.functions:
            function = routing.named(place)
            if function is not None:
                owner, _, name = place.rpartition(".")
                places.append((routing.named(owner), name, original(function)))
    places += [(torch.Tensor, name, original(getattr(torch.Tensor, name))) for name in _inheriting()]
    return [place for place in places if place[2] in wrappers()]


def _imported(modules: Iterable[torch.nn.Module]) -> list[tuple[Any, str, Any]]:
    """Return the places in which modules that define a model's classes hold one of the functions by a name of their own."""
    names = {kind.__module__ for module in modules for kind in type(module).__mro__}
    homes = [
        sys.modules[name]
        for name in sorted(names)
        if name in sys.modules and not name.startswith(("torch.", "hotloop."))
    ]
    mine = wrappers()
    back = {id(wrapper): function for function, wrapper in mine.items()}
    places = []
    for home in homes:
        for name, value in vars(home).items():
            original = back.get(id(value)) or (value if _hashable(value) and value in mine else None)
            if original is not None:
                places.append((home, name, original))
    return places


def _hashable(value: object) -> bool:
    return callable(value) and not isinstance(value, type | ModuleType) and type(value).__hash__ is not None


def _reset(owner: Any, name: str, function: object) -> None:  # noqa: ANN401
    """Put a function back; a method that a class inherited is inherited again."""
    if isinstance(owner, type) and any(vars(base).get(name) is function for base in owner.__mro__[1:]):
        delattr(owner, name)
    else:
        setattr(owner, name, function)
