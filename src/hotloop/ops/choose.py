"""From what is known to one choice: same shape first, else the nearest, and never without saying so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hotloop.errors import UnknownNameError
from hotloop.model.kernel import Variant
from hotloop.model.near import distance
from hotloop.ops.choice import Candidate, Choice, Origin

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.record import Record
    from hotloop.ops.family import Family

LOG = logging.getLogger("hotloop.ops")
_TRUST = tuple(Origin)


def choices(
    family: Family, problem: Problem, device: Device, candidates: Sequence[Candidate], notes: tuple[str, ...] = ()
) -> Iterator[tuple[Choice, Program]]:
    """Yield what could run, best first, each with its program; the starting configuration comes last.

    Order: distance of the shape that a configuration was measured on, then store before preset, then fresh before
    stale. Configurations that the problem or the device rules out are passed over, with a note.

    Raises:
        ValueError: not even the starting configuration can run, because the problem or its types do not suit the device.
    """
    wanted = family.shape(problem)
    passed = list(notes)
    for gap, measured, candidate in _ranked(family, wanted, candidates):
        try:
            choice = _fitted(family, problem, device, candidate, measured, gap, tuple(passed))
            program = _program(family, choice)
        except (ValueError, KeyError, UnknownNameError) as error:
            passed.append(f"passed over {candidate.source}: {error}")
            continue
        yield choice, program
        passed.append(f"passed over {candidate.source}: it does not compile here")
    yield _start(family, problem, device, tuple(passed))


def report(choice: Choice) -> None:
    """Log a choice for a shape that nobody measured; call it once per shape."""
    if choice.origin is Origin.START:
        LOG.warning("%s: slow, because %s", choice.problem.key, choice.reason)
    elif not choice.exact:
        LOG.info("%s: %s", choice.problem.key, choice.reason)
    if choice.stale:
        LOG.info("%s: the configuration is stale: %s", choice.problem.key, choice.stale)


def _ranked(family: Family, wanted: Record, candidates: Iterable[Candidate]) -> list[tuple[float, Record, Candidate]]:
    rows = []
    for candidate in candidates:
        try:
            measured = family.shape(family.kernel.problem.replace(**candidate.sizes))
        except (ValueError, KeyError) as error:
            LOG.debug("a known configuration has sizes without meaning here and is left out: %s", error)
            continue
        rows.append((distance(wanted, measured, family.weights), measured, candidate))
    key: Callable[[tuple[float, Record, Candidate]], object] = lambda row: (  # noqa: E731 - a named sort key
        row[0],
        _TRUST.index(row[2].origin),
        bool(row[2].stale),
    )
    return sorted(rows, key=key)  # type: ignore[arg-type]


def _fitted(
    family: Family,
    problem: Problem,
    device: Device,
    candidate: Candidate,
    measured: Record,
    gap: float,
    passed: tuple[str, ...],
) -> Choice:
    config = candidate.config if gap == 0 else family.adapt(problem, measured, candidate.config, device)
    changed = [f"{name} {candidate.config[name]} → {config[name]}" for name in candidate.config.changes_to(config)]
    notes = (f"fitted to this shape: {', '.join(changed)}",) if changed else ()
    return Choice(
        problem=problem,
        device=device,
        implementation=candidate.implementation,
        config=config,
        origin=candidate.origin,
        source=candidate.source,
        measured_on=measured,
        distance=gap,
        stale=candidate.stale,
        notes=notes + passed,
    )


def _start(family: Family, problem: Problem, device: Device, passed: tuple[str, ...]) -> tuple[Choice, Program]:
    implementation = family.kernel.implementation()
    known = device.target or device.name
    choice = Choice(
        problem=problem,
        device=device,
        implementation=implementation.name,
        config=implementation.start,
        origin=Origin.START,
        source=f"nothing usable is known for {problem.family} on {known}: the starting configuration runs, correct but slow",
        measured_on=None,
        distance=None,
        notes=passed,
    )
    return choice, _program(family, choice)


def _program(family: Family, choice: Choice) -> Program:
    variant = Variant(family.kernel.implementation(choice.implementation), choice.config)
    return variant.program(choice.problem, choice.device)
