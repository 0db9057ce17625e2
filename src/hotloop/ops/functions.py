"""The functions that kernel families bring, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from hotloop import registry
from hotloop.dispatch import measured
from hotloop.dispatch.functions import Functions
from hotloop.dispatch.place import hand_in
from hotloop.ops import kept, place


@cache
def families() -> tuple[Functions, ...]:
    """Return what each family brings; their operators ask for devices and the store here from now on."""
    hand_in(place)
    measured.hand_in(kept)
    return tuple(registry.load_all("hotloop.kernels", "OPERATOR", "operator"))


@cache
def public() -> Mapping[str, Callable[..., Any]]:
    """Return all functions that users call."""
    return {function.__name__: function for family in families() for function in (*family.functions, *family.helpers)}


@cache
def explained() -> Mapping[str, Functions]:
    """Return the family of each function whose choice can be explained."""
    return {function.__name__: family for family in families() for function in family.functions}
