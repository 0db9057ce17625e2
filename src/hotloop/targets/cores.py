"""Facts about instruction set targets, from the data files of this package."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hotloop.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Datum:
    """One number with its unit and where it is written."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Target:
    """What is known about one instruction set target."""

    name: str
    data: tuple[tuple[str, Datum], ...]

    def get(self, name: str) -> Datum | None:
        """Return one fact, None when it is not known."""
        return dict(self.data).get(name)

    def integer(self, name: str) -> int | None:
        """Return one fact's value as an integer, None when it is not known."""
        datum = self.get(name)
        return None if datum is None else int(datum.value)


@cache
def targets(family: str = "cpu") -> tuple[Target, ...]:
    """Return the targets of one data file.

    Raises:
        UnknownNameError: there is no such file.
    """
    known = {entry.name.removesuffix(".toml") for entry in files(__package__).iterdir() if entry.name.endswith(".toml")}
    if family not in known:
        raise UnknownNameError("device family", family, tuple(known))
    parsed = tomllib.loads(files(__package__).joinpath(f"{family}.toml").read_text(encoding="utf-8"))
    return tuple(
        Target(name, tuple((key, Datum(float(d["value"]), d["unit"], d["source"])) for key, d in rows.items()))
        for name, rows in parsed.items()
    )


def target(name: str, family: str = "cpu") -> Target:
    """Return one target. Raises UnknownNameError."""
    for candidate in targets(family):
        if candidate.name == name:
            return candidate
    raise UnknownNameError("target", name, tuple(t.name for t in targets(family)))
