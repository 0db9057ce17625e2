"""The order in which a host launches kernels, loops and all, as data and launch by launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hotloop.app.bare.wish import Loop, Repeated, number
from hotloop.errors import UsageError


def kernels(order: tuple[Repeated, ...]) -> Iterator[str]:
    """Yield the kernels as often as the text names them."""
    for one in order:
        if isinstance(one, Loop):
            yield from kernels(one.body)
        else:
            yield one


def variables(order: tuple[Repeated, ...]) -> Iterator[str]:
    """Yield the variables of the loops."""
    for one in order:
        if isinstance(one, Loop):
            yield one.variable
            yield from variables(one.body)


def numbered(order: tuple[Repeated, ...]) -> dict[int, int]:
    """Return the loops' numbers, in the order of the text, by identity."""
    found: dict[int, int] = {}

    def visit(parts: tuple[Repeated, ...]) -> None:
        for one in parts:
            if isinstance(one, Loop):
                found[id(one)] = len(found)
                visit(one.body)

    visit(order)
    return found


def loops(order: tuple[Repeated, ...]) -> list[Loop]:
    """Return the loops by number."""
    found: list[Loop] = []
    for one in order:
        if isinstance(one, Loop):
            found += [one, *loops(one.body)]
    return found


Expanded = tuple[str, dict[str, float], int, int | None]


def expanded(
    order: tuple[Repeated, ...], sizes: dict[str, float], counts: dict[str, float], numbers: Mapping[int, int],
    forms: Mapping[int, str],
) -> Iterator[Expanded]:  # fmt: skip
    """Yield every launch: its kernel, the loops' numbers, and of a loop that the kernel has its rounds and end. Raises UsageError."""
    for one in order:
        if isinstance(one, str):
            yield one, counts, 1, None
            continue
        known = {**sizes, **counts}
        first, end, step = (
            int(number(text, known, f"--launches {one.variable}")) for text in (one.first, one.end, one.step)
        )
        if step == 0:
            raise UsageError(f"--launches: the loop over {one.variable} has step 0.")
        form = forms.get(numbers[id(one)], "")
        if form:
            if step != 1:
                raise ValueError(f"the host's loop over {one.variable} does not count by one")
            if end > first:
                for kernel in one.body:
                    assert isinstance(kernel, str)
                    last = end if form == "loop" else None
                    yield kernel, {**counts, one.variable: first}, end - first, last
            continue
        for count in range(first, end, step):
            yield from expanded(one.body, sizes, {**counts, one.variable: count}, numbers, forms)
