"""The order of the rounds of a timing request: which contender goes first, where samples end, which outputs are kept."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.ports import TimeRequest


@dataclass(frozen=True, slots=True)
class Turn:
    """Plan of one round: whether its order is reversed, and with which input set its samples end."""

    odd: bool
    ends: tuple[int, ...]
    """Last input set of the forward sample and of the backward sample."""
    kept: tuple[int, ...] = (-1, -1)
    """Sets whose outputs are kept as the last call of those two samples left them; -1: none."""


def turns(request: TimeRequest) -> list[Turn]:
    """Return the plan of all rounds. They end anywhere in the rotation; outputs are kept from the last round and from others.

    Samples of whole turns whose outputs nobody keeps all end with the last set: then no array need be filled with poison before one, which
    took as long as the sample (`hotloop.engine.exchange`), and short launches are replayed from few graphs.
    """
    sets, last = len(request.datasets), request.rounds - 1
    whole = request.calls and not request.judged and not any(count % sets for count in request.calls)
    places = [(sets - 1,) * 2 if whole else _two(sets) for _ in range(request.rounds)]
    drawn = [Turn(bool(index % 2), pair) for index, pair in enumerate(places)]
    judged = tuple(dataset % sets for dataset in request.judged)
    free = [(index, half) for index in range(last) for half in (0, 1)]
    chosen = random.SystemRandom().sample(free, min(len(free), len(judged[2:])))
    for dataset, (index, half) in zip(judged[2:], chosen, strict=False):
        ends, kept = (_with(pair, half, dataset) for pair in (drawn[index].ends, drawn[index].kept))
        drawn[index] = replace(drawn[index], ends=ends, kept=kept)
    if judged and request.rounds:
        two = judged[0], judged[min(1, len(judged) - 1)]
        drawn[last] = replace(drawn[last], ends=two, kept=(two[0] if two[0] != two[1] else -1, two[1]))
    return drawn


def _two(sets: int) -> tuple[int, int]:
    """Draw where the two samples of a round end: apart, or four calls in a row would use a set whose results lie in both of its arrays."""
    first, away = secrets.randbelow(sets), secrets.randbelow(sets - 1) if sets > 1 else 0
    return first, (first + 1 + away) % sets


def _with(pair: tuple[int, ...], half: int, dataset: int) -> tuple[int, ...]:
    return (dataset, pair[1]) if half == 0 else (pair[0], dataset)
