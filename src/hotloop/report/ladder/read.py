"""Reading back what ``hotloop ladder --json`` printed of a ladder on an NVIDIA card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from hotloop.model.codec import decode
from hotloop.model.ladder import DOWN, SAME, UP
from hotloop.report.ladder import form
from hotloop.report.ladder.cardview import CardRungView, CardView, moved


def read(data: Mapping[str, Any]) -> CardView:
    """Return the view that the data were made of; what moved is worked out again from the facts.

    Raises:
        KeyError, TypeError, ValueError: these are no such data.
    """
    _finite(data)
    view = decode(form.card_of(data), CardView)
    if odd := {way for row in view.rungs for _, way in row.rung.moves} - {DOWN, SAME, UP}:
        raise ValueError(f"{odd} is no direction")
    facts = {row.rung.name: row.facts for row in view.rungs}
    top = view.top or next((peer.rung for peer in view.peers), "")
    return replace(view, rungs=tuple(_told(row, facts) for row in view.rungs), top=top)


def _told(row: CardRungView, facts: Mapping[str, Mapping[str, float]]) -> CardRungView:
    return replace(row, moved=moved(row.rung, row.facts, facts[row.over])) if row.over in facts else row


def _finite(value: object) -> None:
    """Raise ValueError where a number in data is none."""
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value!r} is no number")
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        _finite(part)
