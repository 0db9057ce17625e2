"""Choices for NumPy arrays: what is known is put into the family's terms and fitted to the problem before it is ranked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hotloop.dispatch import select
from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked
from hotloop.model.kernel import Variant
from hotloop.model.record import Record

if TYPE_CHECKING:
    from hotloop.dispatch.family import Family
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.space import Config

LOG = logging.getLogger("hotloop.ops")


def choices(
    family: Family, problem: Problem, device: Device, candidates: Iterable[Candidate], notes: tuple[str, ...] = ()
) -> Iterator[Choice]:
    """Yield what could run, best first; the starting configuration comes last.

    Raises:
        ValueError: not even the starting configuration can run, because the problem or its types do not suit the device.
    """
    asked = Asked(
        problem=problem, sizes=family.shape(problem), device=device, weights=family.weights, advice=_advice(family, problem)
    )  # fmt: skip
    rows = tuple(_in_terms(family, candidates))
    return select.choices(asked, rows, _start(family, asked), partial(_fitted, family, asked), notes)


def program(family: Family, choice: Choice) -> Program:
    """Return what a choice runs. Raises ValueError when problem or device rule it out."""
    variant = Variant(family.kernel.implementation(choice.implementation), choice.config)
    return variant.program(choice.problem, choice.device)


def _in_terms(family: Family, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield candidates with the sizes that the family compares."""
    for candidate in candidates:
        try:
            measured = family.shape(family.kernel.problem.replace(**candidate.sizes))
        except (ValueError, KeyError) as error:
            LOG.debug("a known configuration has sizes without meaning here and is left out: %s", error)
            continue
        yield replace(candidate, sizes=measured)


def _fitted(family: Family, asked: Asked, candidate: Candidate) -> Config:
    """Return a candidate's configuration as it suits the problem. Raises ValueError or KeyError when it cannot."""
    measured_here = candidate.origin is Origin.STORE and candidate.sizes == asked.shape
    config = candidate.config
    if not measured_here and candidate.origin is not Origin.START:  # a preset knows another number of cores
        config = family.adapt(asked.problem, candidate.sizes, config, asked.device)
    Variant(family.kernel.implementation(candidate.implementation), config).program(asked.problem, asked.device)
    return config


def _start(family: Family, asked: Asked) -> Candidate:
    implementation = family.kernel.implementation()
    place = asked.device.target or asked.device.name
    return Candidate(
        origin=Origin.START,
        implementation=implementation.name,
        config=implementation.start,
        sizes=Record(),
        source=(
            f"nothing usable is known of {family.kernel.family} on {place}, so its starting configuration runs: correct, not fast"
        ),
    )


def _advice(family: Family, problem: Problem) -> str:
    """Return the command that tunes a problem: its extents, and what else is not as in the family's default."""
    default = family.kernel.problem.sizes
    extents = {name for name, value in default.items() if type(value) is int and value > 0}
    names = {*extents, *default.changes_to(problem.sizes)}
    sizes = ",".join(f"{name}={value}" for name, value in problem.sizes.items() if name in names)
    return f"hotloop tune {problem.family} --shape {sizes}"
