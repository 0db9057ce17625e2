"""Which parts of a ladder JSON shows: readers of recorded runs rely on them, whatever else a rung knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Data = dict[str, Any]
_CARD_RUNG = ("name", "change", "after", "technique", "kernel", "config", "problem", "moves", "reported", "bounds")
_CARD_LADDER = ("name", "family", "title", "targets", "problem", "ragged", "rungs", "missing", "notes")
_OF_CARDS = ("moves", "bounds", "ragged")
"""Columns that only ladders on NVIDIA cards have."""


def of_card(data: Mapping[str, Any]) -> Data:
    """Return a ladder on an NVIDIA card, with its rungs, as such ladders are shown: an implementation is called a kernel."""

    def shown(rung: Mapping[str, Any]) -> Data:
        return {name: {**rung, "kernel": rung["implementation"]}[name] for name in _CARD_RUNG}

    ladder = {**data["ladder"], "rungs": [shown(rung) for rung in data["ladder"]["rungs"]]}
    rungs = [{**row, "rung": shown(row["rung"])} for row in data["rungs"]]
    return {**data, "ladder": {name: ladder[name] for name in _CARD_LADDER}, "rungs": rungs}


def card_of(data: Mapping[str, Any]) -> Data:
    """Return what `of_card` was given, less what it left out."""

    def known(rung: Mapping[str, Any]) -> Data:
        return {**rung, "implementation": rung["kernel"], "kernel": ""}

    ladder = {**data["ladder"], "rungs": [known(rung) for rung in data["ladder"]["rungs"]]}
    rungs = [{**row, "rung": known(row["rung"]), "moved": ()} for row in data["rungs"]]
    return {**data, "ladder": ladder, "rungs": rungs}


def elsewhere(data: Mapping[str, Any]) -> Data:
    """Return any other ladder with its rungs, without what only ladders on NVIDIA cards have."""

    def shown(part: Mapping[str, Any]) -> Data:
        return {name: value for name, value in part.items() if name not in _OF_CARDS}

    ladder = {**shown(data["ladder"]), "rungs": [shown(rung) for rung in data["ladder"]["rungs"]]}
    return {**data, "ladder": ladder, "rungs": [{**row, "rung": shown(row["rung"])} for row in data["rungs"]]}
