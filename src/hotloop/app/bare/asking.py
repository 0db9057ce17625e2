"""What a person must name, told at once: the grid, the group, the elements of arrays; and numbers that come as vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from hotloop.app.bare import contents
from hotloop.app.bare.cell import Cell
from hotloop.app.bare.wish import NO_NUMBER, Wish, number
from hotloop.model.outcome import Parameter
from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.expand import Read


class Source(Protocol):
    """What of a source is asked for."""

    @property
    def path(self) -> Path:
        """Return its file."""

    @property
    def text(self) -> str:
        """Return all of it."""

    @property
    def read(self) -> Read:
        """Return its kernels."""

    @property
    def wish(self) -> Wish:
        """Return what was named."""

    @property
    def functions(self) -> Mapping[str, t.Function]:
        """Return the kernels at their places."""

    @property
    def kernels(self) -> tuple[str, ...]:
        """Return the kernels that are launched."""

    def dimensions(self, kernel: str) -> int:
        """Return how many dimensions of the grid a kernel asks for."""

    def grouped(self, kernel: str) -> bool:
        """Tell whether a kernel depends on its groups."""

    def scalars(self) -> dict[str, str]:
        """Return numbers by value with their types."""

    @property
    def signatures(self) -> Mapping[str, tuple[Parameter, ...]]:
        """Return the kernels' parameters."""

    def buffer(self, kernel: str, name: str) -> str:
        """Return the array that a parameter is."""

    def wished(self, kernel: str, name: str) -> str | None:
        """Return what was named for a parameter."""

    def cell(self, kind: str) -> Cell | None:
        """Return what a type is."""


_LETTERS = "xyzw"
_GROUPS = re.compile(r"\b(?:get_local_id|get_local_size|get_group_id|get_num_groups|barrier|work_group_barrier)\b")
_ANY = re.compile(r"\bget_(?:global|local|group|num|enqueued|work|sub)_?\w*\b")


def grid(source: Source, kernel: str, reason: str) -> str:
    """Return what to name for a kernel whose work-items are not to be seen: a sentence."""
    shape = ",".join("NMK"[: source.dimensions(kernel)])
    also = f" --local {kernel}={shape}" if _by_group(source, kernel) else ""
    what = "them and the work-items of a group" if also else "them"
    return (
        f"{source.path.name}: how many work-items {kernel} needs is not to be seen ({reason}); "
        f"name {what}: --global {kernel}={shape}{also}."
    )


def arrays(source: Source, missing: Iterable[tuple[str, str]]) -> str:
    """Return what to name for arrays whose lengths are not to be seen, given by kernel and name: a sentence."""
    sentences = list(missing)
    names = list(dict.fromkeys(name for _, name in sentences))
    kernels = list(dict.fromkeys(kernel for kernel, _ in sentences))
    sizes = ",".join(f"{name}=N" for name in names)
    elements = "its elements" if len(names) == 1 else "their elements"
    groups = " ".join(
        f"--local {kernel}={','.join('NMK'[: source.dimensions(kernel)])}"
        for kernel in kernels
        if _open(source, kernel)
    )
    return (
        f"{source.path.name}: how long {' and '.join(names)} must be is not to be seen in {' and '.join(kernels)}; "
        f"name {elements}: --size {sizes}"
        + (f", or the work-items of a group: {groups}" if groups else "")
        + "".join(
            f"; what {one} holds, too: --size {one}=values:N"
            for one in sizes_in_memory(source, kernels)
            if one not in source.wish.sizes
        )
        + "."
    )


def sizes_in_memory(source: Source, kernels: Iterable[str]) -> Iterator[str]:
    """Yield arrays of whole numbers of which kernels only read single elements: sizes that the host put there."""
    for name in kernels:
        function = source.read.known.get(name)
        if function is not None:
            pointers = (
                argument for argument in function.arguments if argument.pointer and algebra.is_whole(argument.type)
            )
            yield from (pointer.name for pointer in pointers if _single(function, pointer.name))


def _single(function: t.Function, name: str) -> bool:
    """Tell whether all that a function does with an array is to read elements at places that are plain numbers."""
    used = sum(node == t.Name(name) for node in t.walk(*function.body))
    read = [inner for inner in t.walk(*function.body) if isinstance(inner, t.Index) and inner.base == t.Name(name)]
    plain = all(algebra.constant(algebra.polynomial(one.index)) is not None for one in read)
    return bool(read) and plain and used == len(read) and name not in t.written_in(*function.body)


def unused(source: Source, name: str) -> bool:
    """Tell whether no kernel's text does anything with a parameter: nobody needs to name it."""
    if not all(kernel in source.read.known for kernel in source.kernels):
        return False
    return not any(re.search(rf"\b{name}\b", repr(source.read.known[kernel].body)) for kernel in source.kernels)


def numbers(source: Source, missing: Iterable[str]) -> str:
    """Return what to name for whole numbers that kernels take: a sentence."""
    names = list(missing)
    example = ""
    if len(source.kernels) > 1 and not source.wish.launches:
        example = (
            f", or name one of its kernels: {source.path.name}:{source.kernels[0]} (it has {', '.join(source.kernels)})"
        )
    return (
        f"{source.path.name} takes the whole numbers {', '.join(names)}, which nothing names; give --size "
        + ",".join(f"{name}=N" for name in names)
        + f", or count them in the host's loop: --launches 'k=0:n(first second)'{example}."
    )


def places(source: Source) -> str:
    """Return what to name where a text fails on what its arrays of whole numbers hold: the end of a sentence; empty without such arrays."""
    names = list(contents.whole(source))
    if not names:
        return ""
    listed = " and ".join(names[:_NAMED]) + " and others" * (len(names) > _NAMED)
    return (
        f"; if what {listed} hold{'s' * (len(names) == 1)} are places in other arrays, name it: --size {names[0]}=below:BOUND:LENGTH "
        "for so many numbers below one, rising:LAST:LENGTH for where rows begin, order:LENGTH for each place once"
    )


_NAMED = 3


def _by_group(source: Source, kernel: str) -> bool:
    """Tell whether a kernel's text asks for places within groups that nobody named."""
    return _open(source, kernel) and bool(_GROUPS.search(_text(source, kernel)))


def _open(source: Source, kernel: str) -> bool:
    named = source.wish.locals.get(kernel, source.wish.locals.get("*"))
    return named is None and kernel not in source.read.required and source.grouped(kernel)


def alone(source: Source, kernel: str) -> bool:
    """Tell whether a kernel asks for no place at all, so that all its work-items would do the same: it is launched with one."""
    return kernel in source.read.known and not _ANY.search(_text(source, kernel))


def meets(source: Source, kernel: str) -> bool:
    """Tell whether a kernel waits for its group within a condition: no work-item may then be kept out of it."""
    branches = (branch for branch in t.walk(*source.read.looked(kernel).body) if isinstance(branch, t.If))
    return any("barrier" in repr((*branch.yes, *branch.no)) for branch in branches)


def _text(source: Source, kernel: str) -> str:
    function = source.functions.get(kernel)
    own = source.text if function is None else source.text[function.span[0] : function.span[1]]
    deep = source.read.looked(kernel).body if kernel in source.read.known else ()
    return own + repr(deep)


def components(name: str, cell: Cell) -> tuple[str, ...]:
    """Return the names of a vector's numbers.

    >>> components("shape", Cell("int32", 2))
    ('shape.x', 'shape.y')
    """
    letters = _LETTERS if cell.lanes <= len(_LETTERS) else [f"s{number:x}" for number in range(cell.lanes)]
    return tuple(f"{name}.{letter}" for letter, _ in zip(letters, range(cell.lanes), strict=False))


def vectors(source: Source) -> Iterator[tuple[str, Cell]]:
    """Yield the short vectors that kernels take by value."""
    for name, kind in source.scalars().items():
        cell = source.cell(kind)
        if cell is not None and cell.lanes > 1:
            yield name, cell


def component_values(source: Source, kernel: str, sizes: Mapping[str, float]) -> dict[str, float]:
    """Return the components of vectors that were named, by name; all of one where the vector itself was. Raises UsageError."""
    values: dict[str, float] = {}
    for name, cell in vectors(source):
        for each in components(name, cell):
            for asked in (f"{kernel}.{each}", each, f"{kernel}.{name}", name):
                text = source.wish.sizes.get(asked)
                if text is not None and not text.startswith(NO_NUMBER):
                    values[each] = number(text, sizes, f"--size {asked}")
                    break
    return values
