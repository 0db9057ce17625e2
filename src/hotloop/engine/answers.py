"""What a worker says of times, looked at before it is believed: a candidate may have written over the worker's memory."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from hotloop.engine.wire import heard

if TYPE_CHECKING:
    from hotloop.ports import RenewRequest, Timed, TimeRequest


def timed(answer: Mapping[str, Any], request: TimeRequest) -> Timed:
    """Return the samples of a request. Raises ValueError when they cannot be its answer."""
    found = heard(answer["timed"])
    contenders = sorted(2 * list(range(len(request.programs))))
    whole = len(found.rounds) == request.rounds and len(found.calls) == len(request.programs)
    if not whole or any(sorted(index for index, _ in one.samples) != contenders for one in found.rounds):
        raise ValueError("samples are missing")
    if not all(0 < s.call_ns < inf for one in found.rounds for _, s in one.samples):
        raise ValueError("times that cannot be")
    return found


def renewed(answer: Mapping[str, Any], request: RenewRequest) -> Timed:
    """Return the samples of a renewal. Raises ValueError when they cannot be its answer."""
    found = heard(answer["timed"])
    if len(found.rounds) != request.rounds or any(sorted(i for i, _ in one.samples) != [0, 1] for one in found.rounds):
        raise ValueError("samples are missing")
    if not all(0 < s.call_ns < inf for one in found.rounds for _, s in one.samples):
        raise ValueError("times that cannot be")
    return found
