"""Rows of the tables, parsed: types, and expressions made callable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from hotloop.emulate.semantics import scalar, vector
from hotloop.emulate.semantics.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the tables: an instruction, its types and the expression that it computes."""

    name: str
    result: str
    """Type of the result; ``-``: none."""
    sources: tuple[str, ...]
    """Types of the operands, without a tied one."""
    tied: bool
    """True when the last source is the result's own register."""
    text: str
    """Expression of a, b, c, d, scc."""
    condition: str
    """Expression of what SCC becomes, of r too; empty: unchanged."""

    def function(self) -> Callable[..., Any]:
        """Return the expression as a function of its sources in order."""
        names = ", ".join("abc"[: len(self.sources) + self.tied])
        return _compiled(f"lambda {names}: {self.text}")

    def scalar_function(self) -> Callable[..., Any]:
        """Return the expression as a function of d, scc and the sources."""
        return _compiled(f"lambda d, scc, a=None, b=None, c=None: {self.text}")

    def condition_function(self) -> Callable[..., Any] | None:
        """Return what SCC becomes as a function of r, d, scc and the sources; None: unchanged."""
        if not self.condition:
            return None
        return _compiled(f"lambda r, d, scc, a=None, b=None, c=None: {self.condition}")


@cache
def _compiled(text: str) -> Callable[..., Any]:
    # The text is a constant of the tables in this package, never input.
    made: Callable[..., Any] = eval(text, {"__builtins__": {}, **FUNCTIONS})  # noqa: S307
    return made


def comparison(text: str) -> Callable[..., Any]:
    """Return a condition of the compares as a function of a and b."""
    return _compiled(f"lambda a, b: {text}")


def _rows(table: str) -> Mapping[str, Row]:
    found = {}
    for line in table.splitlines():
        if line.strip():
            head, _, body = line.partition(" : ")
            name, result, *sources = head.split()
            expression, _, condition = body.partition(";")
            tied = bool(sources) and sources[-1].endswith("=")
            kinds = tuple(sources[:-1] if tied else sources)
            found[name] = Row(name, result, kinds, tied, expression.strip(), condition.strip())
    return found


VECTOR: Mapping[str, Row] = _rows(vector.TABLE)
SCALAR: Mapping[str, Row] = _rows(scalar.TABLE)
