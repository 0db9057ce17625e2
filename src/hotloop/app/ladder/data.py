"""Reading the data files of a family's ladders: rungs, limits, predictions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module, resources
from typing import Any

from hotloop import registry
from hotloop.app import userfile
from hotloop.errors import UnknownNameError, UsageError
from hotloop.isa.rungs import Collection
from hotloop.model.ladder import Bounds, Claims, Expectation, Forecast, Ladder, Limits, Missing, Reported, Rung
from hotloop.model.record import Record

_PACKAGE = "ladders"
CARD_FILE = "hopper.toml"
"""The ladder that is measured and explained on NVIDIA cards; the others are climbed anywhere, or compiled."""
_RESERVED = ("limits.toml", CARD_FILE)


def families() -> tuple[str, ...]:
    """Return the families that have ladders."""
    return tuple(name for name in userfile.families() if _PACKAGE in registry.names(f"{userfile.FAMILIES}.{name}"))


def family_of(name: str) -> str:
    """Return the family that a name or its short form means.

    >>> family_of("conv3d")
    'conv3d_depthwise'
    """
    return userfile.family_of(name)


def collection(family: str) -> Collection:
    """Return what a family's package of ladders offers.

    Raises:
        UsageError: the family has no ladder.
        UnknownNameError: there is no such family.
    """
    named, family = families(), family_of(family)
    if family not in named:
        if family in userfile.families():
            raise UsageError(f"{family} has no ladder; families that have one: {', '.join(named)}.")
        raise UnknownNameError("family with a ladder", family, named)
    ladders_of: Collection = import_module(f"{userfile.FAMILIES}.{family}.{_PACKAGE}").LADDERS
    return ladders_of


def ladders(family: str) -> tuple[Ladder, ...]:
    """Return all ladders of a family, by name. Raises UsageError as `collection`."""
    folder = resources.files(collection(family).package)
    files = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml") and f.name not in _RESERVED)
    return tuple(_ladder(tomllib.loads((folder / name).read_text(encoding="utf-8"))) for name in files)


def on_cards(family: str) -> Ladder | None:
    """Return the ladder of a family that is measured on NVIDIA cards; None where it has none. Raises as `collection`."""
    file = resources.files(collection(family).package) / CARD_FILE
    return _ladder(tomllib.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def card_targets(family: str) -> tuple[str, ...]:
    """Return the processors of a family's ladder for NVIDIA cards; empty where it has none."""
    ladder = on_cards(family)
    return ladder.targets if ladder else ()


def card_ladder(family: str, target: str) -> Ladder:
    """Return the ladder of a family for an NVIDIA card.

    Raises:
        UsageError: the family has none for it.
    """
    ladder = on_cards(family)
    if ladder is None or target not in ladder.targets:
        offered = ", ".join(card_targets(family)) or "none"
        raise UsageError(f"{family} has no ladder that is measured on {target}; such ladders are there for: {offered}.")
    return ladder


def ladder_for(family: str, target: str) -> Ladder:
    """Return the ladder for a processor, or for ``cpu``.

    Raises:
        UnknownNameError: the family has none for it.
    """
    offered = ladders(family)
    for ladder in offered:
        if target in ladder.targets:
            return ladder
    raise UnknownNameError(f"target for {family}'s ladders", target, targets(family))


def targets(family: str) -> tuple[str, ...]:
    """Return the processors that a family's ladders can be compiled for, those of measured ladders included."""
    compiled = [target for ladder in ladders(family) for target in ladder.targets if target != "cpu"]
    return tuple(dict.fromkeys((*compiled, *card_targets(family))))


def limits(family: str, target: str) -> dict[str, Limits]:
    """Return the committed limits by rung; empty where a target has none. The file's table ``every`` holds for all rungs."""
    file = resources.files(collection(family).package) / "limits.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    rows = {name: {**tables.get("every", {}), **row} for name, row in tables.get(target, {}).items()}
    return {name: Limits(**{key.replace("-", "_"): value for key, value in row.items()}) for name, row in rows.items()}


def forecast(family: str, target: str) -> Forecast | None:
    """Return the committed prediction for a target; None where there is none."""
    name = f"{target}.toml"
    file = resources.files(collection(family).package) / "predictions" / name
    if not file.is_file():
        return None
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Forecast(
        target=data["target"],
        ladder=data["ladder"],
        problem=Record(data["problem"]),
        winner=data["winner"],
        steps=tuple(Expectation(**row) for row in data["steps"]),
        compiler=data["compiler"],
        made=data["made"],
        file=f"{'/'.join(collection(family).package.split('.')[1:])}/predictions/{name}",
    )


def _ladder(data: Mapping[str, Any]) -> Ladder:
    return Ladder(
        name=data["name"],
        family=data["family"],
        title=data["title"],
        targets=tuple(data["targets"]),
        rungs=tuple(_rung(row) for row in data["rungs"]),
        language=data.get("language", ""),
        source=data.get("source", ""),
        start=Record(data.get("start", {})),
        problem=Record(data.get("problem", {})),
        ragged=tuple(Record(row) for row in data.get("ragged", ())),
        missing=tuple(Missing(**row) for row in data.get("missing", ())),
        notes=tuple(data.get("notes", ())),
    )


def _rung(row: Mapping[str, Any]) -> Rung:
    given = dict(row)
    return Rung(
        config=Record(given.pop("config", {})),
        config_on={target: Record(values) for target, values in given.pop("config_on", {}).items()},
        problem=Record(given.pop("problem", {})),
        options=tuple(given.pop("options", ())),
        targets=tuple(given.pop("targets", ())),
        reported=tuple(Reported(**entry) for entry in given.pop("reported", ())),
        claims=Claims(**given.pop("claims")) if "claims" in given else None,
        moves=tuple(given.pop("moves", {}).items()),
        bounds=Bounds(**given.pop("bounds", {})),
        **given,
    )
