"""Non-temporal stores: write results past the cache.

## What it changes
Switches streaming stores on or off.

## What it needs
Results that nobody reads again soon, written whole lines at a time.

## What it costs
The next reader finds the data in memory, not in the cache.

## When it fails
When the output fits into the last-level cache and is read next; when lines are written in parts.

## References
Traffic model: a store that first reads its line makes a copy move 3 units instead of 2, so at most 1.5 times for a copy.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import others
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try the other setting."""
    yield from others(situation, parameters, -0.3, 0.4)


TECHNIQUE = Technique(
    name="non-temporal",
    text=__doc__,
    category=Category.MEMORY,
    propose=propose,
    removes=(-0.3, 0.4),
    signals=(Signal("roof.bytes_share", rises=True),),
)
