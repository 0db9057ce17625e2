"""Counting instructions by what they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import itemgetter

from hotloop.isa.instruction import Instruction, Traits

_TRAITS = itemgetter(Instruction._fields.index("traits"))


Tallied = tuple[tuple[Traits, int], ...]
"""Traits, each with a number of instructions."""


def tally(instructions: Iterable[Instruction]) -> Tallied:
    """Return each kind of traits with the number of instructions that have it.

    Counted by object, which is quick because classifiers share one object among equal instructions; where they did not,
    equal traits come more than once, which no sum minds.
    """
    traits = [*map(_TRAITS, instructions)]
    numbers = [*map(id, traits)]
    by_id = dict(zip(numbers, traits, strict=True))
    counts = Counter(numbers)  # in the same order
    return tuple(zip(by_id.values(), counts.values(), strict=True))
