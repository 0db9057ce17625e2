"""What files about tuning have in common: parameters, and what became of configurations.

Times stay in the unit of their file, so that a file that is read and written again has the same digits; `time_ns` converts.
What a format knows and this does not goes along in `rest`, and comes back when the same format is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from hotloop.errors import UsageError

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
UNITS = {"nanoseconds": 1.0, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9}
"""Nanoseconds in a unit."""
CORRECT, COMPILE, RUNTIME, TIMEOUT, WRONG, INVALID = (
    "correct",
    "compile",
    "runtime",
    "timeout",
    "correctness",
    "constraints",
)
"""What becomes of a configuration, in the words of the T4 format."""
NEVER = 1e20
"""Time from which on a number means that a configuration failed, whatever its unit: older Kernel Tuners write this one."""
STATES = (CORRECT, COMPILE, RUNTIME, TIMEOUT, WRONG, INVALID)


class FormatError(UsageError):
    """A file is not what its format says."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One configuration with its result."""

    config: Mapping[str, Json]
    state: str = CORRECT
    """One of `STATES`."""
    time: float | None = None
    """Time in the recording's unit; None where there is none."""
    times: tuple[float, ...] | None = None
    """Repeats; None where the file has no such list."""
    rest: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One kernel on one device."""

    format: str
    """Name of the format that it was read from; empty: made here."""
    kernel: str = ""
    device: str = ""
    problem: Json = None
    parameters: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    """Values by name, in the file's order."""
    unit: str = "milliseconds"
    measurements: tuple[Measurement, ...] = ()
    rest: Mapping[str, Json] = field(default_factory=dict)

    def time_ns(self, measurement: Measurement) -> float | None:
        """Return a configuration's time in ns; None where it has none, or failed."""
        return None if measurement.time is None or measurement.state != CORRECT else measurement.time * UNITS[self.unit]

    @property
    def best(self) -> Measurement | None:
        """Return the fastest configuration."""
        timed = [measurement for measurement in self.measurements if self.time_ns(measurement) is not None]
        return min(timed, key=lambda measurement: cast("float", measurement.time), default=None)

    def kept(self, name: str) -> dict[str, Json]:
        """Return `rest` where the recording came from the format of this name."""
        return dict(self.rest) if self.format == name else {}

    def values(self) -> dict[str, tuple[Json, ...]]:
        """Return parameters with their values: those that are stated, else those that were met."""
        if self.parameters:
            return dict(self.parameters)
        met: dict[str, list[Json]] = {}
        for measurement in self.measurements:
            for name, value in measurement.config.items():
                if value not in met.setdefault(name, []):
                    met[name].append(value)
        return {name: tuple(values) for name, values in met.items()}


def parsed(text: str, what: str) -> dict[str, Any]:
    """Return the JSON object of a file. Raises FormatError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{what} is no JSON ({error}); give the file as its tool wrote it.") from None
    if not isinstance(document, dict):
        raise FormatError(f"{what} is JSON, but no object; give the file as its tool wrote it.")
    return document


def number(value: object, where: str) -> float | None:
    """Return a number or None. Raises FormatError for anything else."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise FormatError(f"{where} is {str(value)[:40]!r}, not a number; give the file as its tool wrote it.")


def measured(time: float | None) -> float | None:
    """Return a time, None where it is none: tools write infinity, 0 or 1e20 where nothing was measured."""
    return time if time is not None and 0 < time < NEVER else None


def numbers(value: object, where: str) -> tuple[float, ...] | None:
    """Return what repeats measured, without those that have null or no time, None where there is no list. Raises FormatError for anything else."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise FormatError(f"{where} is no list; give the file as its tool wrote it.")
    return tuple(time for item in value if (time := measured(number(item, where))) is not None)


def mapping(value: object, where: str) -> dict[str, Any]:
    """Return an object. Raises FormatError for anything else."""
    if isinstance(value, dict):
        return value
    raise FormatError(f"{where} is no object; give the file as its tool wrote it.")


def sequence(value: object, where: str) -> list[Any]:
    """Return a list. Raises FormatError for anything else."""
    if isinstance(value, list):
        return value
    raise FormatError(f"{where} is no list; give the file as its tool wrote it.")
