"""The sections of a plug-in's docstring, so that messages, pages and tests read one text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Doc:
    """A docstring taken apart: the first line is the title, ``## Heading`` starts a section."""

    title: str
    sections: tuple[tuple[str, str], ...]
    """(heading, text) in order."""

    def section(self, heading: str) -> str:
        """Return the text under a heading, empty when there is none."""
        return next((text for name, text in self.sections if name == heading), "")

    def sentence(self, heading: str) -> str:
        """Return the text under a heading as one line, for messages."""
        return " ".join(self.section(heading).split())


@cache
def parse(text: str | None) -> Doc:
    r"""Take a docstring apart; an absent one (``python -OO``) gives an empty document.

    >>> parse("A title.\n\n## Why it costs\nBecause\nso.").sentence("Why it costs")
    'Because so.'
    """
    head, *parts = ("\n" + (text or "")).split("\n## ")
    split = (part.partition("\n") for part in parts)
    return Doc(head.strip().rstrip("."), tuple((name.strip(), body.strip()) for name, _, body in split))
