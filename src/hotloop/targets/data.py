"""Reading the data files: which facts are stated of a processor, each with its unit and source.

A file of a family has `[[group]]` tables, the sizes of register files, memories and waves, and `[[trait]]` tables, all
other facts. `targets` of a table names processors, or with a star the beginning of names: ``gfx9*`` says what every
processor of gfx9 has, the unknown ones too. Where several tables state a fact of a processor, its own name comes before a
beginning, and a longer beginning before a shorter one. What no table states is not known; nothing is guessed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from hotloop.errors import UnknownNameError, UsageError

GPUS = ("cdna", "rdna", "nvidia")
"""Families whose tables describe GPUs."""
_FAMILIES = (*GPUS, "cpu", "common", "timing")
_EXACT = 1 << 10
"""Rank of a full name among the patterns that fit; that of a beginning is its length, which is always smaller."""

Value = int | float | str | tuple[int, ...] | tuple[str, ...] | tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact with its unit and where it is written; a source that begins with ``estimate`` is nobody's figure but ours."""

    name: str
    value: Value
    unit: str
    source: str


@cache
def table(name: str) -> dict[str, Any]:
    """Return a data file of this package as it stands there."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def groups(family: str, kind: str = "group") -> tuple[dict[str, Any], ...]:
    """Return the tables of one kind in a family's file, as they stand there. Raises UsageError where one names no processors."""
    tables = tuple(table(family).get(kind, ()))
    for number, row in enumerate(tables, 1):
        if "targets" not in row:
            raise UsageError(
                f"{family}.toml: table {number} of [[{kind}]] ({', '.join(row)}) says of no processor; give it `targets`, a list of names."
            )
    return tables


@cache
def names(family: str) -> tuple[str, ...]:
    """Return the processors that a family's groups name in full, in the order of their first mention."""
    listed = (target for group in groups(family) for target in group["targets"])
    return tuple(dict.fromkeys(name for name in listed if not name.endswith("*")))


def gpus() -> tuple[str, ...]:
    """Return every GPU that the data files name in full."""
    return tuple(name for family in GPUS for name in names(family))


def fits(name: str, pattern: str) -> bool:
    """Tell whether a processor's name is a pattern's, in full or as far as its star.

    >>> fits("gfx942", "gfx9*"), fits("gfx942", "gfx94")
    (True, False)
    """
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def stated(name: str, kind: str) -> Iterator[tuple[int, Fact]]:
    """Yield every statement about a processor in tables of one kind, with the rank of the pattern that names it."""
    for family in _FAMILIES:
        for group in groups(family, kind):
            width = _width(name, group["targets"])
            if width:
                yield from ((width, _fact(key, entry)) for key, entry in group.items() if key != "targets")


@lru_cache(maxsize=1 << 9)
def facts(name: str, kind: str) -> tuple[Fact, ...]:
    """Return what tables of one kind state of a processor, each fact once, in the order of the files."""
    rows = tuple(stated(name, kind))
    narrowest = {fact.name: width for width, fact in sorted(rows, key=lambda row: row[0])}
    return tuple(fact for width, fact in rows if width == narrowest[fact.name])


def feature(what: str) -> tuple[str, ...]:
    """Return the names and beginnings of names of the processors, or OpenCL runtimes, that have something.

    Raises:
        UnknownNameError: features.toml does not have it.
    """
    listed = _features()
    if what not in listed:
        raise UnknownNameError("feature of processors", what, tuple(listed))
    if "targets" not in listed[what]:
        raise UsageError(f"features.toml: [{what!r}] says of no processor; give it `targets`, a list of names.")
    return tuple(listed[what]["targets"])


def has(name: str, what: str) -> bool:
    """Tell whether a processor, or a runtime of OpenCL, has something. Raises UnknownNameError as `feature`.

    >>> has("gfx942", "accumulation registers"), has("pocl", "PTX within OpenCL C")
    (True, False)
    """
    return any(fits(name, pattern) for pattern in feature(what))


@cache
def _features() -> Mapping[str, Any]:
    return table("features")


def _width(name: str, patterns: Iterable[str]) -> int:
    """Return the highest rank of the patterns that fit a name: `_EXACT` or the length of a beginning; 0 when none fits."""
    fitting = [pattern for pattern in patterns if fits(name, pattern)]
    return max((len(p) if p.endswith("*") else _EXACT for p in fitting), default=0)


def _fact(name: str, entry: Mapping[str, Any]) -> Fact:
    value = entry["value"]
    if isinstance(value, list):
        value = tuple(value)
    elif isinstance(value, dict):
        value = tuple(value.items())
    return Fact(name, value, entry["unit"], entry["source"])
