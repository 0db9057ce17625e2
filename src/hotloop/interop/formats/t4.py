"""T4, the results format that tuning frameworks agreed on: configurations with times, measurements and a word for what became of each.

Format: the schema T4 of AutoTuningAssociation/autotuning_methodology and odgaard/TuningSchema, versions 1.0 and 1.1. The time of a
configuration is its measurement of the name ``time``, else the mean of its run times; without a stated unit it is in ms.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from statistics import fmean

from hotloop.interop.format import Format
from hotloop.interop.recording import (
    CORRECT,
    STATES,
    UNITS,
    FormatError,
    Json,
    Measurement,
    Recording,
    mapping,
    measured,
    number,
    numbers,
    parsed,
    sequence,
)
from hotloop.version import VERSION

NAME = "t4"
_VERSION = "1.1.0"
_RESULTS, _CONFIGURATION = "results", "configuration"
_SHORT = {"ns": "nanoseconds", "us": "microseconds", "µs": "microseconds", "ms": "milliseconds", "s": "seconds"}


def recognises(text: str) -> bool:
    """Tell whether a text has what every such file has."""
    return (
        text.lstrip().startswith("{") and '"results"' in text and '"configuration"' in text and '"invalidity"' in text
    )


def read(text: str) -> Recording:
    """Return what a results file says. Raises FormatError."""
    document = parsed(text, "the file")
    rows = [mapping(row, "a result") for row in sequence(document.get(_RESULTS), _RESULTS)]
    metadata = mapping(document.get("metadata", {}), "metadata")
    unit = _long(metadata.get("timeunit", "")) or _unit(rows)
    if unit not in UNITS:
        raise FormatError(f"timeunit {unit!r} is none of {', '.join(UNITS)}.")
    return Recording(
        format=NAME,
        device=str(metadata.get("device", "")),
        unit=unit,
        measurements=tuple(_measured(row) for row in rows),
        rest={**document, _RESULTS: None},  # whose place in the file is kept
    )


def _unit(rows: list[dict[str, Json]]) -> str:
    """Return the unit of the first measured time; of files that name none it is ms, as of Kernel Tuner."""
    for row in rows:
        for measurement in _measurements(row):
            if measurement.get("name") == "time" and measurement.get("unit"):
                return _long(measurement["unit"])
    return "milliseconds"


def _long(unit: Json) -> str:
    """Return the name of a unit that may be abbreviated."""
    return _SHORT.get(str(unit), str(unit))


def _measurements(row: Mapping[str, Json]) -> list[dict[str, Json]]:
    return [item for item in sequence(row.get("measurements", []), "measurements") if isinstance(item, dict)]


def _measured(row: Mapping[str, Json]) -> Measurement:
    config = mapping(row.get(_CONFIGURATION), _CONFIGURATION)
    state = row.get("invalidity", CORRECT)
    if state not in STATES:
        raise FormatError(f"invalidity {str(state)[:40]!r} is none of {', '.join(STATES)}.")
    times = numbers(mapping(row.get("times", {}), "times").get("runtimes"), "runtimes")
    time = measured(_time(row, times)) if state == CORRECT else None
    return Measurement(config, str(state), time, times, {**row, _CONFIGURATION: None})


def _time(row: Mapping[str, Json], times: tuple[float, ...] | None) -> float | None:
    value = next(
        (measurement.get("value") for measurement in _measurements(row) if measurement.get("name") == "time"), None
    )
    if isinstance(value, list):
        listed = numbers(value, "time")
        return fmean(listed) if listed else None
    if value is not None and not isinstance(value, str):
        return number(value, "time")
    return fmean(times) if times else None


def write(recording: Recording) -> str:
    """Return a results file."""
    own = recording.format == NAME
    head = recording.kept(NAME) if own else _head(recording)
    rows = [_row(recording, measurement) if not own else _again(measurement) for measurement in recording.measurements]
    return json.dumps({**head, _RESULTS: rows})


def _again(measurement: Measurement) -> dict[str, Json]:
    return {**measurement.rest, _CONFIGURATION: dict(measurement.config)}


def _head(recording: Recording) -> dict[str, Json]:
    return {
        "schema_version": _VERSION,
        "metadata": {
            "device": recording.device,
            "autotuner": "hotloop",
            "autotuner_version": VERSION,
            "timeunit": recording.unit,
        },
    }


def _row(recording: Recording, measurement: Measurement) -> dict[str, Json]:
    repeats = (
        list(measurement.times)
        if measurement.times is not None
        else []
        if measurement.time is None
        else [measurement.time]
    )
    measured: list[Json] = []
    if measurement.state == CORRECT and measurement.time is not None:
        measured = [{"name": "time", "value": measurement.time, "unit": recording.unit}]
    return {
        "configuration": dict(measurement.config),
        "objectives": ["time"],
        "times": {"runtimes": list(repeats)},
        "invalidity": measurement.state,
        "correctness": 1 if measurement.state == CORRECT else 0,
        "measurements": measured,
    }


FORMAT = Format(NAME, "T4 results", recognises, read, write)
