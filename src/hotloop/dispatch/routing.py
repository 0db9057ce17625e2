"""From PyTorch's functions to hotloop's: which of ours computes a call of theirs, with which arguments.

A family says so in its module `routes`, by an object `ROUTES`, a tuple of `Route`. What a route cannot take it refuses with the
reason, and PyTorch computes the call as if nobody had asked.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any, NamedTuple

from hotloop import registry

PACKAGE, MODULE = "hotloop.kernels", "routes"


class RefusedError(ValueError):
    """A call that stays PyTorch's, with the reason."""


class Routed(NamedTuple):
    """A call of one of hotloop's functions."""

    name: str
    """The function in `hotloop.ops`."""
    operands: tuple[Any, ...]
    options: dict[str, Any]
    shape: tuple[int, ...] | None = None
    """Shape of PyTorch's result where ours has another one."""


@dataclass(frozen=True, slots=True)
class Route:
    """One of PyTorch's operations."""

    functions: tuple[str, ...]
    """Full names of the functions, e.g. ``torch.nn.functional.linear``; what this PyTorch lacks is left out."""
    names: tuple[str, ...]
    """The dispatcher's names for it, with the arguments in the order of `call`."""
    call: Callable[..., Routed]
    """Takes PyTorch's arguments. Raises RefusedError."""
    widens: bool = False
    """True where autocast computes it in float32, not in the narrow type."""
    weight: int | None = None
    """Place of the argument that is a weight, if one is: it tells most about a call."""
    accepted: frozenset[str] = field(init=False)
    """Names of the arguments that it takes; others, ``out`` above all, are left to PyTorch."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "accepted", frozenset(signature(self.call).parameters))


@cache
def routes() -> Mapping[str, Route]:
    """Return the routes of all families by the dispatcher's names."""
    return {name: route for route in whole() for name in route.names}


@cache
def functions() -> Mapping[Any, Route]:
    """Return the routes of all families by PyTorch's functions."""
    routes: dict[Any, Route] = {}
    for route in whole():
        for place in route.functions:
            function = named(place)
            if function is not None:
                routes[function] = route
    return routes


@cache
def whole() -> tuple[Route, ...]:
    """Return the routes of all families."""
    families = registry.with_module(PACKAGE, MODULE)
    return tuple(route for family in families for route in registry.load(PACKAGE, family, "ROUTES", MODULE))


def named(place: str) -> Any:  # noqa: ANN401 - one of PyTorch's functions or what holds it
    """Return what stands under a full name; None where this PyTorch lacks it."""
    root, *rest = place.split(".")
    value: Any = importlib.import_module(root)
    for name in rest:
        value = getattr(value, name, None)
    return value
