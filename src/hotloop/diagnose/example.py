"""Examples of rules: real or reported kernels, in a data file beside each rule's module.

``[[fires]]`` tables are kernels that the rule must find, ``[[silent]]`` those of which it must say nothing. The documentation shows
both, and tests evaluate them; nothing else reads the files.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from hotloop import registry
from hotloop.model.evidence import Evidence, Fact, Provenance

SMALLEST_SHARE = 0.01
"""Findings that explain a smaller share of the run time than this are not reported."""


@dataclass(frozen=True, slots=True)
class Example:
    """Facts of one kernel: an illustration in the documentation and a test of the rule."""

    text: str
    """Which kernel, on what, and where the numbers come from."""
    facts: tuple[tuple[str, float], ...]
    at_least: float = SMALLEST_SHARE
    """Smallest share that the rule must return; without meaning for an example in which the rule must be silent."""

    def evidence(self) -> Evidence:
        """Return the facts as evidence."""
        return Evidence(tuple(Fact(name, value, "", Provenance.MEASURED, self.text) for name, value in self.facts))


@dataclass(frozen=True, slots=True)
class Examples:
    """All examples of a rule."""

    fires: tuple[Example, ...]
    silent: tuple[Example, ...]


@cache
def examples(rule: str) -> Examples:
    """Read the examples of a rule by its name, which is that of its file with hyphens. Raises UsageError where it cannot be read."""
    return registry.stated("hotloop.diagnose.rules", rule, read, "examples")


def read(text: str) -> Examples:
    """Return the examples that a data file states. Raises TypeError where it has a field that nobody reads, or lacks one."""
    return Examples(**{kind: tuple(map(_example, rows)) for kind, rows in tomllib.loads(text).items()})


def _example(row: dict[str, Any]) -> Example:
    return Example(**{**row, "facts": tuple(row["facts"].items())})
