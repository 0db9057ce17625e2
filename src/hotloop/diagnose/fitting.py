"""Advice for one processor: what a rule says about others is left out."""

from __future__ import annotations

import re
from functools import cache

from hotloop.targets import data
from hotloop.targets.target import Target

_CLAUSE = re.compile(r"(?<=[.;])\s+")


@cache
def _words() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return patterns of the words that name processors (targets/lines.toml), and the processors that a clause with one is about."""
    rows = data.table("lines")["called"]
    return tuple((re.compile("|".join(map(_pattern, row["words"]))), tuple(row["targets"])) for row in rows)


def _pattern(word: str) -> str:
    return rf"\b{re.escape(word[:-1])}" if word.endswith("*") else rf"\b{re.escape(word)}\b"


def fitting(text: str, target: str) -> str:
    """Return the sentences of an advice that are about a processor or about none in particular.

    >>> fitting("Load ahead. On CDNA4 use asynchronous copies, and wait for the group before last.", "sm_80")
    'Load ahead.'
    >>> fitting("Builtins, or a library; on NVIDIA tf32.", "gfx942")
    'Builtins, or a library.'
    """
    asked = Target.of(target)
    kept = [clause for clause in _CLAUSE.split(text) if not asked.name or _fits(clause, asked)]
    return f"{' '.join(kept).rstrip(';. ')}." if kept else text


def _fits(clause: str, target: Target) -> bool:
    named = [patterns for word, patterns in _words() if word.search(clause)]
    return not named or any(target.among(*patterns) for patterns in named)
