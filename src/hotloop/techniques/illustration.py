"""What is known of techniques beside their text, in a data file beside each module: reported effects, and cases with a known answer.

``[[effects]]`` tables are gains that were reported or measured, each with its source; ``[[cases]]`` tables are small spaces with a start and
the changes that are expected, or none. Explanations cite the effects, ``hotloop techniques show`` and the documentation both; tests try the
cases.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from hotloop import registry
from hotloop.model.finding import Gain
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case, gpu_device


@dataclass(frozen=True, slots=True)
class Effect:
    """A reported or measured gain of a technique, as time before / time after."""

    low: float
    high: float
    source: str
    """Kernel, device and reference of the report."""
    measured: bool = True
    """True if it was measured; False if it was expected, modelled or estimated."""
    device: str = "gpu"
    """Kind of device that it was on: ``gpu`` or ``cpu``."""

    @property
    def gain(self) -> Gain:
        """The interval."""
        return Gain(self.low, self.high)


@dataclass(frozen=True, slots=True)
class Illustrations:
    """All that one technique's file states."""

    effects: tuple[Effect, ...]
    cases: tuple[Case, ...]


@cache
def illustrations(technique: str) -> Illustrations:
    """Read the file of a technique by its name, which is that of its module with hyphens. Raises UsageError where it cannot be read."""
    return registry.stated("hotloop.techniques.methods", technique, read, "cases and effects")


def read(text: str) -> Illustrations:
    """Return what a data file states. Raises TypeError where it has a field that nobody reads, or lacks one."""
    tables = tomllib.loads(text)
    effects, cases = tables.pop("effects", ()), tables.pop("cases")
    return Illustrations(tuple(Effect(**row) for row in effects), tuple(_case(**row) for row in cases), **tables)


def _case(
    *,
    parameters: list[dict[str, Any]],
    start: dict[str, Any],
    facts: dict[str, float] | None = None,
    target: str = "",
    sizes: dict[str, Any] | None = None,
    expects: list[str] | None = None,
    **rest: Any,  # noqa: ANN401 - Case refuses what it does not have
) -> Case:
    """Return one case; without a `target` it is on the CPU of examples, else on a GPU of that name."""
    rest |= {"device": gpu_device(target)} if target else {}
    rest |= {"sizes": Record(sizes)} if sizes else {}
    return Case(
        parameters=tuple(Parameter(**{**row, "values": tuple(row["values"])}) for row in parameters),
        start=Config(start),
        facts=tuple((facts or {}).items()),
        expects=tuple(expects or ()),
        **rest,
    )
