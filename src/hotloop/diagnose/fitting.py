"""Advice for one processor: what a rule says about others is left out."""

from __future__ import annotations

import re

from hotloop.targets.target import Target

_CLAUSE = re.compile(r"(?<=[.;])\s+")
_WORDS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\bCDNA4\b|\bgfx950\b"), ("gfx950",)),
    (re.compile(r"\bCDNA3\b|\bgfx942\b"), ("gfx940", "gfx941", "gfx942")),
    (re.compile(r"\bCDNA\b|\bv_mfma"), ("gfx908", "gfx90a", "gfx94*", "gfx950")),
    (re.compile(r"\bRDNA\d?\b"), ("gfx10*", "gfx11*", "gfx12*")),
    (re.compile(r"\bHopper\b|\bsm_90a?\b"), ("sm_90",)),
    (re.compile(r"\bNVIDIA\b|\btf32\b"), ("sm_*",)),
    (re.compile(r"\bAMD\b|\bamdgpu"), ("gfx*",)),
)
"""Words that a clause may contain, and the processors that it is about then."""


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
    named = [patterns for word, patterns in _WORDS if word.search(clause)]
    return not named or any(target.among(*patterns) for patterns in named)
