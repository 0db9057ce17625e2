"""From what is known to one choice: same shape first, else the nearest, and never without saying so."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import order
from hotloop.errors import UnknownNameError
from hotloop.model.kernel import Variant
from hotloop.model.near import distance

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.record import Record
    from hotloop.ops.family import Family

LOG = logging.getLogger("hotloop.ops")


def choices(
    family: Family, problem: Problem, device: Device, candidates: Sequence[Candidate], notes: tuple[str, ...] = ()
) -> Iterator[tuple[Choice, Program]]:
    """Yield what could run, best first, each with its program; the starting configuration comes last.

    The order is that of `hotloop.dispatch.select.order`. Configurations that the problem or the device rules out are passed over,
    with a note.

    Raises:
        ValueError: not even the starting configuration can run, because the problem or its types do not suit the device.
    """
    wanted = family.shape(problem)
    passed = list(notes)
    for measured, candidate in _ranked(family, wanted, candidates):
        try:
            choice = _fitted(family, problem, device, candidate, measured, tuple(passed))
            program = _program(family, choice)
        except (ValueError, KeyError, UnknownNameError) as error:
            passed.append(f"passed over {candidate.source}: {error}")
            continue
        yield choice, program
        passed.append(f"passed over {candidate.source}: it does not compile here")
    yield _start(family, problem, device, tuple(passed))


def _ranked(family: Family, wanted: Record, candidates: Iterable[Candidate]) -> list[tuple[Record, Candidate]]:
    rows = []
    for candidate in candidates:
        try:
            measured = family.shape(family.kernel.problem.replace(**candidate.sizes))
        except (ValueError, KeyError) as error:
            LOG.debug("a known configuration has sizes without meaning here and is left out: %s", error)
            continue
        gap = distance(wanted, measured, family.weights)
        rows.append((order(candidate, gap), measured, candidate))
    rows.sort(key=lambda row: row[0])
    return [(measured, candidate) for _, measured, candidate in rows]


def _fitted(
    family: Family, problem: Problem, device: Device, candidate: Candidate, measured: Record, passed: tuple[str, ...]
) -> Choice:
    shape = family.shape(problem)
    gap = distance(shape, measured, family.weights)
    at_home = gap == 0 and candidate.origin is Origin.STORE  # measured here; a preset knows another number of cores
    config = candidate.config if at_home else family.adapt(problem, measured, candidate.config, device)
    changed = [f"{name} {candidate.config[name]} → {config[name]}" for name in candidate.config.changes_to(config)]
    notes = (f"fitted to this shape: {', '.join(changed)}",) if changed else ()
    return Choice(
        problem=problem,
        shape=shape,
        device=device,
        implementation=candidate.implementation,
        config=config,
        origin=candidate.origin,
        source=candidate.source,
        measured_on=measured,
        distance=gap,
        advice=_advice(family, problem),
        stale=candidate.stale,
        notes=notes + passed,
    )


def _start(family: Family, problem: Problem, device: Device, passed: tuple[str, ...]) -> tuple[Choice, Program]:
    implementation = family.kernel.implementation()
    known = device.target or device.name
    choice = Choice(
        problem=problem,
        shape=family.shape(problem),
        device=device,
        implementation=implementation.name,
        config=implementation.start,
        origin=Origin.START,
        source=f"nothing usable is known of {problem.family} on {known}, so its starting configuration runs: correct, not fast",
        measured_on=None,
        distance=None,
        advice=_advice(family, problem),
        notes=passed,
    )
    return choice, _program(family, choice)


def _advice(family: Family, problem: Problem) -> str:
    """Return the command that tunes a problem: its extents, and what else is not as in the family's default."""
    default = family.kernel.problem.sizes
    extents = {name for name, value in default.items() if type(value) is int and value > 0}
    told = {*extents, *default.changes_to(problem.sizes)}
    sizes = ",".join(f"{name}={value}" for name, value in problem.sizes.items() if name in told)
    return f"hotloop tune {problem.family} --shape {sizes}"


def _program(family: Family, choice: Choice) -> Program:
    variant = Variant(family.kernel.implementation(choice.implementation), choice.config)
    return variant.program(choice.problem, choice.device)
