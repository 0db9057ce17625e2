"""Proposals for knobs that have no size to aim at: switches, enumerations, and one step up or down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.techniques.gain import removing
from hotloop.techniques.steps import beside, is_off, larger, off, smaller
from hotloop.techniques.technique import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hotloop.model.finding import Gain
    from hotloop.model.record import Scalar
    from hotloop.model.space import Parameter
    from hotloop.techniques.situation import Situation


def others(situation: Situation, parameters: tuple[Parameter, ...], least: float, most: float) -> Iterator[Proposal]:
    """Propose every other value of enumerations and the nearest values on both sides of ordered parameters."""
    gain = removing(situation.share, least, most)
    for parameter in parameters:
        for value in beside(parameter, situation.value(parameter)):
            yield Proposal({parameter.name: value}, gain)


def upwards(
    situation: Situation, parameters: tuple[Parameter, ...], least: float, most: float, steps: int = 2
) -> Iterator[Proposal]:
    """Propose the next larger values of each parameter, nearest first."""
    return _next(larger, situation, parameters, removing(situation.share, least, most), steps)


def downwards(
    situation: Situation, parameters: tuple[Parameter, ...], least: float, most: float, steps: int = 2
) -> Iterator[Proposal]:
    """Propose the next smaller values of each parameter, nearest first."""
    return _next(smaller, situation, parameters, removing(situation.share, least, most), steps)


def _next(
    values: Callable[[Parameter, Scalar], Sequence[Scalar]],
    situation: Situation,
    parameters: tuple[Parameter, ...],
    gain: Gain,
    steps: int,
) -> Iterator[Proposal]:
    for parameter in parameters:
        for value in values(parameter, situation.value(parameter))[:steps]:
            yield Proposal({parameter.name: value}, gain)


def switched_off(
    situation: Situation, parameters: tuple[Parameter, ...], least: float, most: float
) -> Iterator[Proposal]:
    """Propose to switch everything off at once, then each alone, which removes its part of the share."""
    offs = {p.name: value for p in parameters if (value := off(p)) is not None and not is_off(situation.value(p))}
    if len(offs) > 1:
        yield Proposal(dict(offs), removing(situation.share, least, most))
    for name, value in offs.items():
        yield Proposal({name: value}, removing(situation.share, least / len(offs), most / len(offs)))


def switched_on(
    situation: Situation, parameters: tuple[Parameter, ...], least: float, most: float
) -> Iterator[Proposal]:
    """Propose each way to switch on what is off, all at once first."""
    ons = {p.name: on for p in parameters if is_off(situation.value(p)) for on in p.values[::-1] if not is_off(on)}
    if len(ons) > 1:
        yield Proposal(dict(ons), removing(situation.share, least, most))
    for parameter in parameters:
        if parameter.name in ons:
            for value in (v for v in parameter.values if not is_off(v)):
                yield Proposal({parameter.name: value}, removing(situation.share, least / len(ons), most / len(ons)))
