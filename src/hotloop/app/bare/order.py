"""The order in which a host launches kernels, loops and all, as data and launch by launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hotloop.app.bare.wish import Loop, Repeated, number
from hotloop.errors import UsageError


def kernels(order: tuple[Repeated, ...]) -> Iterator[str]:
    """Yield the kernels as often as the text names them."""
    for step in order:
        if isinstance(step, Loop):
            yield from kernels(step.body)
        else:
            yield step


def variables(order: tuple[Repeated, ...]) -> Iterator[str]:
    """Yield the variables of the loops."""
    for step in order:
        if isinstance(step, Loop):
            yield step.variable
            yield from variables(step.body)


def numbered(order: tuple[Repeated, ...]) -> dict[int, int]:
    """Return the loops' numbers, in the order of the text, by identity."""
    numbers: dict[int, int] = {}

    def visit(parts: tuple[Repeated, ...]) -> None:
        for part in parts:
            if isinstance(part, Loop):
                numbers[id(part)] = len(numbers)
                visit(part.body)

    visit(order)
    return numbers


def loops(order: tuple[Repeated, ...]) -> list[Loop]:
    """Return the loops by number."""
    met: list[Loop] = []
    for step in order:
        if isinstance(step, Loop):
            met += [step, *loops(step.body)]
    return met


Expanded = tuple[str, dict[str, float], int, int | None]


def expanded(
    order: tuple[Repeated, ...], sizes: dict[str, float], counts: dict[str, float], numbers: Mapping[int, int],
    forms: Mapping[int, str],
) -> Iterator[Expanded]:  # fmt: skip
    """Yield every launch: its kernel, the loops' numbers, and of a loop that the kernel has its rounds and end. Raises UsageError."""
    for part in order:
        if isinstance(part, str):
            yield part, counts, 1, None
            continue
        values = {**sizes, **counts}
        first, end, step = (
            int(number(text, values, f"--launches {part.variable}")) for text in (part.first, part.end, part.step)
        )
        if step == 0:
            raise UsageError(f"--launches: the loop over {part.variable} has step 0.")
        form = forms.get(numbers[id(part)], "")
        if form:
            if step != 1:
                raise ValueError(f"the host's loop over {part.variable} does not count by one")
            if end > first:
                for kernel in part.body:
                    assert isinstance(kernel, str)
                    last = end if form == "loop" else None
                    yield kernel, {**counts, part.variable: first}, end - first, last
            continue
        for count in range(first, end, step):
            yield from expanded(part.body, sizes, {**counts, part.variable: count}, numbers, forms)
