"""The parameters that an implementation can be built with, and which combinations are valid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hotloop.model.record import Record, Scalar

_MOST_VALID = 64
"""Number of valid configurations that are remembered, since a search alternates between a candidate and its incumbent."""


class Config(Record):
    """One value for each parameter of a space."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One tunable: its values in meaningful order and the technique that changing it embodies."""

    name: str
    values: tuple[Scalar, ...]
    technique: str = ""
    """Name of the technique that this parameter belongs to; empty when only the search moves it."""
    doc: str = ""
    """Meaning with unit, one line."""
    ordinal: bool = True
    """False when neighbouring values have nothing in common (an enumeration)."""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"parameter {self.name} has no values")

    def index(self, value: Scalar) -> int:
        """Return the position of a value; ValueError when it is not one of the parameter's values."""
        return self.values.index(value)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that every valid configuration meets."""

    text: str
    """The condition in words, for the message that says why a configuration is not possible."""
    holds: Callable[[Config], bool]
    names: tuple[str, ...] = ()
    """Parameters that the condition reads, so that spaces can be built without a full product; empty: all."""


@dataclass(frozen=True, slots=True)
class Space:
    """Parameters and constraints; sampling and enumeration live in `hotloop.search`."""

    parameters: tuple[Parameter, ...]
    constraints: tuple[Constraint, ...] = ()
    _by_name: Mapping[str, Parameter] = field(init=False, repr=False, compare=False)
    _valid: set[Config] = field(init=False, repr=False, compare=False)
    """Configurations known to be valid, because each is planned for several problems."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {p.name: p for p in self.parameters})
        object.__setattr__(self, "_valid", set())

    def __getitem__(self, name: str) -> Parameter:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def violation(self, config: Config) -> str | None:
        """Return why a configuration is not in the space, or None when it is valid."""
        if config in self._valid:
            return None
        given = dict(config.items())
        for parameter in self.parameters:
            if parameter.name not in given:
                return f"{parameter.name} is missing"
            if given[parameter.name] not in parameter.values:
                return f"{parameter.name}={given[parameter.name]} is not one of {list(parameter.values)}"
        broken = next((c.text for c in self.constraints if not c.holds(config)), None)
        if broken is None:
            if len(self._valid) >= _MOST_VALID:
                self._valid.clear()
            self._valid.add(config)
        return broken

    def valid(self, config: Config) -> bool:
        """Tell whether a configuration has a known value for each parameter and meets all constraints."""
        return self.violation(config) is None

    def embodying(self, technique: str) -> tuple[Parameter, ...]:
        """Return the parameters whose change is an application of a technique."""
        return tuple(p for p in self.parameters if p.technique == technique)
