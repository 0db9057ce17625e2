"""Swizzle: permute columns by a function of the row so that accesses spread over banks.

## What it changes
The permutation, to each other value that the kernel offers.

## What it needs
Rows whose length is a power of two, and a kernel that applies the same permutation to stores and loads.

## What it costs
Integer instructions for the index.

## When it fails
When no bank conflicts exist, and where the index arithmetic costs more than the conflicts. An index that mixes row and
column without keeping the row apart is not injective.

## References
Expected +10–20 % on gfx1012, never measured there; costs no local memory, unlike padding.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import others
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try each other permutation."""
    yield from others(situation, parameters, -0.1, 0.4)


TECHNIQUE = Technique(
    name="swizzle",
    text=__doc__,
    category=Category.MEMORY,
    propose=propose,
    removes=(-0.1, 0.9),
    signals=(Signal("gpu.lds_conflict_share"), Signal("gpu.lds_conflicts_per_access"), Signal("gpu.lds_wait_ratio")),
)
