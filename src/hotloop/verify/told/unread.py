"""Inputs that a reference never looks at: a kernel that takes them expects them to follow from the others.

Counts before each block beside the bits that are counted, norms beside the vectors, an inverse beside a permutation: where such an
array stays as drawn and the others become different ones, no right kernel can give what the reference gives.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.domain import COUNTER, FIXED, STAYS, Freedom

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs


def unread(reference: Callable[..., object]) -> frozenset[str]:
    """Return the parameters that a function neither reads nor names; none where its code cannot tell.

    >>> sorted(unread(lambda p, x, norms, y: dict(y=x)))
    ['norms', 'p']
    """
    code = getattr(reference, "__code__", None)
    if code is None or {"locals", "vars", "eval", "exec"} & set(code.co_names):
        return frozenset()
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    read = {name for step in dis.get_instructions(code) if "LOAD" in step.opname for name in _texts(step.argval)}
    return frozenset(parameters) - read - frozenset(code.co_cellvars) - frozenset(_texts(code.co_consts))


def iterates(reference: Callable[..., object]) -> bool:
    """Tell whether a function's own code has a loop; a comprehension, whose elements do not go on from each other, is none.

    >>> def stepped(p, x):
    ...     for _ in range(3):
    ...         x = x * x
    ...     return dict(x=x)
    >>> def halved(p, x):
    ...     while x.any():
    ...         x = x // 2
    ...     return dict(x=x)
    >>> iterates(stepped), iterates(halved), iterates(lambda p, x: dict(x=[v + 1 for v in x]))
    (True, True, False)
    """
    code = getattr(reference, "__code__", None)
    if code is None:
        return False
    steps = list(dis.get_instructions(code))
    spans: dict[int, int] = {}
    for step in steps:
        if "JUMP" in step.opname and isinstance(step.argval, int) and step.argval <= step.offset:
            spans[step.argval] = max(step.offset, spans.get(step.argval, 0))
    made = [step.offset for step in steps if step.opname in _COMPREHENDS]
    return not spans.keys() <= {_innermost(spans, place) for place in made}


_COMPREHENDS = ("LIST_APPEND", "SET_ADD", "MAP_ADD")
"""Instructions that end each round of a comprehension, which newer Pythons compile into the function itself."""


def _innermost(spans: Mapping[int, int], place: int) -> int:
    """Return the beginning of the least loop around an instruction; -1: there is none."""
    return max((begin for begin, end in spans.items() if begin <= place <= end), default=-1)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, CodeType):
        yield from (*value.co_names, *value.co_freevars)


def following(inputs: Inputs, again: Inputs, names: frozenset[str], words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arrays that must follow from others: never read, other ones with another seed, and not said to be anything.

    Args:
        inputs: as drawn.
        again: the same problem, drawn from another seed.
        names: what the reference does not read.
        words: what the file says, by input.
    """
    return tuple(
        name
        for name, value in inputs.items()
        if name in names
        and isinstance(value, np.ndarray)
        and words.get(name, "") in ("", *FIXED)
        and value.tobytes() != np.asarray(again.get(name, value)).tobytes()
    )


def tied(free: Mapping[str, Freedom], followed: tuple[str, ...], words: Mapping[str, str]) -> dict[str, Freedom]:
    """Return freedoms of which none is left, but of counters and by the file's word, where arrays follow from others."""
    if not followed:
        return dict(free)
    return {
        name: freedom if freedom == COUNTER or (name in words and name not in followed) else STAYS
        for name, freedom in free.items()
    }
