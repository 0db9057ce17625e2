"""The numbers that kernels take by value: those that nobody needs to name get a value, others are asked for at once."""

from __future__ import annotations

import numpy as np

from hotloop.app.bare import asking
from hotloop.app.bare.inputs import factor
from hotloop.app.bare.source import Source
from hotloop.errors import UsageError

_OPAQUE = ("image", "sampler", "pipe", "event", "queue", "reserve_id")
"""Beginnings of types that are no numbers."""


def numbers(source: Source, sizes: dict[str, float]) -> dict[str, float]:
    """Add numbers that nobody needs to name. Raises UsageError for those that somebody must."""
    absent = []
    _drawable(source)
    for name, kind in source.scalars().items():
        cell = source.cell(kind)
        if name in sizes or cell is None or cell.lanes > 1:
            continue
        if all(f"{kernel}.{name}" in source.wish.sizes for kernel in source.kernels if _takes(source, kernel, name)):
            continue
        if np.dtype(cell.dtype).kind == "f":
            sizes[name] = factor(name)
        elif asking.unused(source, name):
            sizes[name] = 1
        elif source.wish.sizes.get(name) is None:
            absent.append(name)
    whole = [vector for vector in asking.vectors(source) if np.dtype(vector[1].dtype).kind != "f"]
    named = {
        name: set(asking.component_values(source, kernel, sizes)) for kernel in source.kernels for name, _ in whole
    }
    absent += [
        each
        for name, cell in whole
        for each in asking.components(name, cell)
        if each not in named[name] and name not in source.wish.sizes
    ]
    if absent:
        raise UsageError(asking.numbers(source, absent))
    return sizes


def _drawable(source: Source) -> None:
    for kernel in source.kernels:
        for parameter in source.signatures[kernel]:
            if parameter.type.startswith(_OPAQUE) and source.wished(kernel, parameter.name) is None:
                raise UsageError(
                    f"{kernel} of {source.path.name} takes {parameter.name}, a value of type {parameter.type}: images, samplers, pipes and events "
                    "cannot be given here; name another kernel (FILE.cl:KERNEL), or capture the program that launches it."
                )


def _takes(source: Source, kernel: str, name: str) -> bool:
    return any(parameter.name == name for parameter in source.signatures[kernel])
