"""Reading the data files of the ladders that are measured on NVIDIA cards."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from hotloop.app.ladder import data as ladder_data
from hotloop.errors import UsageError
from hotloop.model.card_ladder import Bounds, CardLadder, CardRung
from hotloop.model.ladder import Missing, Reported
from hotloop.model.record import Record

FILE = ladder_data.CARD_FILE
MODULE = "hopper"
"""Beside the data: the family's `hotloop.app.ladder.card.child.Card`."""


def targets(family: str) -> tuple[str, ...]:
    """Return the processors that a family has such a ladder for; empty where it has none.

    Raises:
        UsageError: there is no such family, or it has no ladder of any kind.
    """
    file = resources.files(ladder_data.collection(family).package) / FILE
    return tuple(tomllib.loads(file.read_text(encoding="utf-8"))["targets"]) if file.is_file() else ()


def ladder(family: str, target: str) -> CardLadder:
    """Return the ladder of a family for a processor.

    Raises:
        UsageError: the family has none for it.
    """
    if target not in targets(family):
        known = ", ".join(targets(family)) or "none"
        raise UsageError(f"{family} has no ladder that is measured on {target}; such ladders are there for: {known}.")
    file = resources.files(ladder_data.collection(family).package) / FILE
    return _ladder(tomllib.loads(file.read_text(encoding="utf-8")))


def card(found: CardLadder) -> str:
    """Return the name of the module that launches and judges a ladder's rungs."""
    return f"{ladder_data.collection(found.family).package}.{MODULE}"


def _ladder(data: Mapping[str, Any]) -> CardLadder:
    return CardLadder(
        name=data["name"],
        family=data["family"],
        title=data["title"],
        targets=tuple(data["targets"]),
        problem=Record(data["problem"]),
        ragged=tuple(Record(row) for row in data.get("ragged", ())),
        rungs=tuple(_rung(row) for row in data["rungs"]),
        missing=tuple(Missing(**row) for row in data.get("missing", ())),
        notes=tuple(data.get("notes", ())),
    )


def _rung(row: Mapping[str, Any]) -> CardRung:
    given = dict(row)
    return CardRung(
        config=Record(given.pop("config", {})),
        problem=Record(given.pop("problem", {})),
        moves=tuple(given.pop("moves", {}).items()),
        reported=tuple(Reported(**entry) for entry in given.pop("reported", ())),
        bounds=Bounds(**given.pop("bounds", {})),
        **given,
    )
