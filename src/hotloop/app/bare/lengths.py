"""How many elements the arrays of launches have: as named, else as far as the text reaches."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import inf, prod
from pathlib import Path
from typing import Protocol

from hotloop.app.bare import asking, contents
from hotloop.app.bare.call import Call
from hotloop.app.bare.wish import count, held
from hotloop.errors import UsageError
from hotloop.rewrite import ranges

_BESIDE = (1, 2)
"""Elements by which an array is longer than sizes say where an index goes a step too far."""
_LEAST, _LARGE = 4, 32
"""Sizes that count, and how large they or their products are at least: 9 weights are hardly one more than 8."""
_ASSUMED = (
    "arrays that were not named are as long as the text reaches: {arrays}; where your program has fewer, the kernel goes beyond them: "
    "--size {name}={length} has that found"
)


class Source(asking.Source, contents.Source, Protocol):
    """What of a source is asked for."""

    @property
    def path(self) -> Path:
        """Return its file."""

    def wished(self, kernel: str, name: str) -> str | None:
        """Return what was named for a parameter."""

    def calls(self, sizes: Mapping[str, float]) -> tuple[Call, ...]:
        """Return its launches."""

    def reaches(self, calls: tuple[Call, ...]) -> dict[str, ranges.Reach]:
        """Return how far each kernel's accesses go over all its launches."""


def lengths(source: Source, sizes: Mapping[str, float], calls: tuple[Call, ...]) -> dict[str, int]:
    """Return how many elements each array has. Raises UsageError."""
    reaches = source.reaches(calls)
    longest: dict[str, int] = {}
    missing: list[tuple[str, str]] = []
    for kernel in source.kernels:
        for parameter in source.signatures[kernel]:
            if parameter.space not in ("global", "constant") or source.wished(kernel, parameter.name) == "null":
                continue
            name = source.buffer(kernel, parameter.name)
            if (named := _named(source, name, sizes)) is not None:
                longest[name] = named
                continue
            reach = reaches.get(kernel)
            last = reach.last.get(parameter.name, 0.0) if reach else (0.0 if nothing(kernel, calls) else inf)
            if last == inf or kernel not in source.read.known:
                missing.append((kernel, name))
            else:
                longest[name] = max(longest.get(name, 1), int(last) + 1)
    if missing:
        longest |= _through(source, sizes, calls, longest, missing)
    return longest


def _named(source: Source, name: str, sizes: Mapping[str, float]) -> int | None:
    """Return a length that a person named, None where none was. Raises UsageError."""
    text = source.wish.sizes.get(name)
    if text is None:
        return None
    meant = contents.named(text, sizes, f"--size {name}")
    if meant is not None:
        return meant[1]
    return len(held(text, sizes, f"--size {name}")) or count(text, sizes, f"--size {name}", 1)


def _through(
    source: Source, sizes: Mapping[str, float], calls: tuple[Call, ...], longest: Mapping[str, int],
    missing: list[tuple[str, str]],
) -> dict[str, int]:  # fmt: skip
    """Return the lengths of arrays that are reached by what others hold. Raises UsageError for those that are not to be seen."""
    certain = {name: length for name, length in longest.items() if name not in {one for _, one in missing}}
    meant = {**contents.inferred(source, calls, certain)[0], **contents.told(source, sizes)}
    ends = {name: (float(one.low), float(one.high)) for name, one in meant.items()}
    reached = contents.probe(source, calls)(ends)
    more = {name: reached[name][1] for _, name in missing if name in reached and reached[name][1] < inf}
    if still := [(kernel, name) for kernel, name in missing if name not in more]:
        raise UsageError(asking.arrays(source, still))
    return {name: max(1, int(last) + 1) for name, last in more.items()}


def assumed(source: Source, sizes: Mapping[str, float]) -> str:
    """Return a sentence about arrays that are an element or two longer than sizes say; empty where there are none. Raises UsageError."""
    made = lengths(source, sizes, source.calls(sizes))
    whole = {name: int(size) for name, size in sizes.items() if size >= _LEAST and size == int(size)}
    usual = {
        prod(whole[name] for name in names): " * ".join(names)
        for count in range(len(whole), 0, -1)
        for names in combinations(whole, count)
    }
    longer = [
        (name, usual[length - more], more, length)
        for name, length in made.items()
        if name not in source.wish.sizes and length not in usual
        for more in _BESIDE
        if length - more in usual and length - more >= _LARGE
    ]
    if not longer:
        return ""
    told = ", ".join(f"{name} has {size} + {more} = {length} elements" for name, size, more, length in longer)
    return _ASSUMED.format(arrays=told, name=longer[0][0], length=longer[0][1].replace(" ", ""))


def nothing(kernel: str, calls: tuple[Call, ...]) -> bool:
    """Tell whether no launch of a kernel has a work-item."""
    return all(min(call.extents, default=1) < 1 for call in calls if call.kernel == kernel)
