"""Examples of rewrites: texts before and after, in a data file beside each rewrite's module.

``twin`` is a piece of the first example's result and what stands in its place in a planted bug that verification must find. ``[texts]`` names
texts; each ``[[examples]]`` table says what becomes of one. Tests and the catalogue of planted bugs read the files; no rewrite needs its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hotloop import registry


@dataclass(frozen=True, slots=True)
class Example:
    """A kernel before and after, both as text; `after` empty: the rewrite must refuse it."""

    before: str
    after: str
    value: int | str = 1
    sizes: str = ""
    """Numbers to run it with; empty: those of the tests."""
    grid: str = ""
    """Work-items to run it with, where its text does not bound them."""
    refused: str = ""
    """The sentence with which the rewrite refuses it; empty where it does not, or where any will do."""


@dataclass(frozen=True, slots=True)
class Examples:
    """All examples of a rewrite."""

    rows: tuple[Example, ...]
    twin: tuple[str, str]
    """A piece of the first example's result and its replacement, which make the result wrong: a planted bug that verification must catch."""


@cache
def examples(package: str, rewrite: str) -> Examples:
    """Read the examples of a rewrite by its package and its name, which is that of its file with hyphens.

    Raises:
        UsageError: they cannot be read.
    """
    return registry.stated(package, rewrite, read, "examples")


def read(text: str) -> Examples:
    """Return the examples that a data file states.

    Raises:
        KeyError: it lacks a field, or a text that it names.
        TypeError: it has a field that nobody reads.
        ValueError: it is no TOML, or exchanges what is not there.
    """
    tables = tomllib.loads(text)
    old, new = tables["twin"]
    return Examples(tuple(_example(row, tables.get("texts", {})) for row in tables["examples"]), (old, new))


def _example(row: Mapping[str, Any], texts: Mapping[str, str]) -> Example:
    after = _text(row["after"], texts) if "after" in row else ""
    return Example(**{**row, "before": _text(row["before"], texts), "after": after})


def _text(given: str | list[Any], texts: Mapping[str, str]) -> str:
    r"""Return a text: itself where it has lines, else the one of that name, with the pieces exchanged that follow.

    >>> _text(["sum", ["a", "b"]], {"sum": "a + 1\n"})
    'b + 1\n'
    """
    if isinstance(given, str):
        return given if "\n" in given else texts[given]
    name, *exchanged = given
    text = texts[name]
    for old, new in exchanged:
        if old not in text:
            raise ValueError(f"the text {name} has no {old!r}")
        text = text.replace(old, new)
    return text
