"""What languages that look like C add to it: words that the grammar of C does not know, and which functions are kernels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hotloop.rewrite.plain import blanked


@dataclass(frozen=True, slots=True)
class Dialect:
    """One such language."""

    blanked: Callable[[str], str]
    """A text of the same length without the language's own words."""
    kernel: re.Pattern[str]
    """The word before a kernel's name."""
    space: str = ""
    """Address space of every pointer among a kernel's parameters; empty: the text says it."""


OPENCL = Dialect(blanked, re.compile(r"\b(?:__)?kernel\b"))
