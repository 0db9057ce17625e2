"""Whether what a person named for a bare source means something there: a misspelt size must not pass unnoticed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hotloop.app.bare import asking, wish
from hotloop.app.bare.order import loops
from hotloop.app.bare.source import Source
from hotloop.errors import UnknownNameError, UsageError

_WORD = re.compile(r"[A-Za-z_]\w*")


def check(source: Source, sizes: Mapping[str, float]) -> None:
    """Raise UsageError for a size that nothing uses, one that its type cannot hold, and sizes that leave nothing to do."""
    usable = set(_known(source))
    if not re.search(r"^\s*#\s*include\b", source.text, re.MULTILINE):  # a macro of a header is not seen
        for name in source.wish.sizes:
            if name not in usable:
                raise UnknownNameError(f"size for {source.path.name}", name, tuple(_offered(source)))
    for name, kind in source.scalars().items():
        _held(source, name, kind, sizes.get(name))
    calls = source.calls(sizes)
    if calls and all(min(call.extents, default=1) < 1 for call in calls):
        least = [f"{name}={value:g}" for name, value in sizes.items() if value < 1]
        raise UsageError(
            f"{source.path.name}: no launch has a work-item"
            + f" with {', '.join(least)}" * bool(least)
            + "; name sizes of at least 1."
        )


def _offered(source: Source) -> Iterator[str]:
    """Yield parameters of the kernels that are launched."""
    for kernel in source.kernels:
        yield from (parameter.name for parameter in source.signatures[kernel])


def _known(source: Source) -> Iterator[str]:
    """Yield what a size may be called: words of the text, parameters with and without their kernel, what expressions name."""
    yield from _WORD.findall(source.text)
    for kernel in source.kernels:
        own = [parameter.name for parameter in source.signatures[kernel]]
        own += [part for name, cell in asking.vectors(source) for part in asking.components(name, cell)]
        yield from (*own, *(f"{kernel}.{name}" for name in own))
    for text in (*source.wish.sizes.values(), *source.wish.globals.values(), *source.wish.locals.values()):
        yield from wish.names(text)
    for text in (
        *source.wish.options,
        *(part for loop in loops(source.order) for part in (loop.first, loop.end, loop.step)),
    ):
        yield from _WORD.findall(text)


def _held(source: Source, name: str, kind: str, value: float | None) -> None:
    """Raise UsageError where a number that was named is none of its type."""
    import numpy as np

    cell = source.cell(kind)
    if value is None or cell is None or cell.lanes > 1 or np.dtype(cell.dtype).kind == "f":
        return
    limits = np.iinfo(cell.dtype)
    if not float(value).is_integer() or not limits.min <= value <= limits.max:
        raise UsageError(
            f"--size {name}={value:.17g} is no {kind}, which {name} of {source.path.name} is: give a whole number "
            f"from {limits.min} to {limits.max}."
        )
