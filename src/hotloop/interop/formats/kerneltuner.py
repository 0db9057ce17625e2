"""Cache files of Kernel Tuner: an object of configurations by their joined values, failures by the name of an error.

Format: Kernel Tuner 1.x, ``kernel_tuner/cache`` and its schema; times are in ms. A file whose session was killed lacks its closing
brackets, as the tool itself writes it, and is read all the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from hotloop.interop.format import Format
from hotloop.interop.recording import (
    COMPILE,
    CORRECT,
    INVALID,
    RUNTIME,
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

NAME = "kernel-tuner"
_ERRORS = {"InvalidConfig": INVALID, "CompilationFailedConfig": COMPILE, "RuntimeFailedConfig": RUNTIME}
_WRITTEN = {state: error for error, state in _ERRORS.items()}
_ERROR, _KEY, _ROW = "__error__", "key", "row"


def recognises(text: str) -> bool:
    """Tell whether a text begins as such a file does."""
    return text.lstrip().startswith("{") and '"tune_params_keys"' in text and '"cache"' in text


def read(text: str) -> Recording:
    """Return what a cache file says. Raises FormatError."""
    document = _whole(text)
    keys = [str(key) for key in sequence(document.get("tune_params_keys"), "tune_params_keys")]
    parameters = mapping(document.get("tune_params", {}), "tune_params")
    rows = mapping(document.get("cache"), "cache")
    objective = document.get("objective", "time")
    return Recording(
        format=NAME,
        kernel=str(document.get("kernel_name", "")),
        device=str(document.get("device_name", "")),
        problem=document.get("problem_size"),
        parameters={key: tuple(sequence(parameters.get(key, []), f"tune_params of {key}")) for key in keys},
        measurements=tuple(_measured(key, mapping(row, f"entry {key}"), keys, objective) for key, row in rows.items()),
        rest={**document, "cache": None},
    )


def _whole(text: str) -> dict[str, Json]:
    try:
        return parsed(text, "the file")
    except FormatError as broken:
        # Whether a killed session's file ends in brackets does not tell: a value of its last entry may be an object.
        try:
            return parsed(text.rstrip().rstrip(",") + "}}", "the file")
        except FormatError:
            raise broken from None


def _measured(key: str, row: Mapping[str, Json], keys: list[str], objective: object) -> Measurement:
    missing = [name for name in keys if name not in row]
    if missing:
        raise FormatError(f"entry {key} of the cache has no {missing[0]}; give the file as Kernel Tuner wrote it.")
    answer = row.get(_ERROR, row.get("time"))
    times = numbers(row.get("times"), f"times of entry {key}")
    rest: dict[str, Json] = {_KEY: key, _ROW: dict(row)}
    if _ERROR in row or isinstance(answer, str):
        return Measurement(_config(row, keys), _ERRORS.get(str(answer), RUNTIME), None, times, rest)
    stated = number(row.get("time"), f"time of entry {key}")
    if stated is None and objective == "time":
        raise FormatError(f"entry {key} of the cache has no time; give the file as Kernel Tuner wrote it.")
    time = measured(stated)
    return Measurement(
        _config(row, keys), RUNTIME if time is None and stated is not None else CORRECT, time, times, rest
    )


def _config(row: Mapping[str, Json], keys: list[str]) -> dict[str, Json]:
    return {name: row[name] for name in keys}


def write(recording: Recording) -> str:
    """Return a cache file. Raises FormatError where configurations were chosen, but nothing of them was measured."""
    values = recording.values()
    if recording.format == NAME:
        rows = {str(each.rest[_KEY]): each.rest[_ROW] for each in recording.measurements}
        return json.dumps({name: rows if name == "cache" else value for name, value in recording.rest.items()})
    told = [each for each in recording.measurements if each.time is not None or each.state != CORRECT]
    if recording.measurements and not told:
        raise FormatError("nothing in it has a time, and Kernel Tuner's caches are of measurements.")
    return json.dumps(
        {
            "device_name": recording.device,
            "kernel_name": recording.kernel,
            "problem_size": recording.problem,
            "tune_params_keys": list(values),
            "tune_params": {name: list(each) for name, each in values.items()},
            "objective": "time",
            "cache": dict(_row(recording, measurement, list(values)) for measurement in told),
        }
    )


def _row(recording: Recording, measurement: Measurement, keys: list[str]) -> tuple[str, dict[str, Json]]:
    row: dict[str, Json] = {name: measurement.config[name] for name in keys if name in measurement.config}
    scale = _scale(recording)
    if measurement.time is not None and measurement.state == CORRECT:
        row["time"] = measurement.time if scale == 1 else measurement.time * scale
    else:
        error = _WRITTEN.get(measurement.state, _WRITTEN[RUNTIME])
        row |= {"time": error, _ERROR: error}
    if measurement.times is not None:
        row["times"] = [each if scale == 1 else each * scale for each in measurement.times]
    return ",".join(str(measurement.config.get(name)) for name in keys), row


def _scale(recording: Recording) -> float:
    from hotloop.interop.recording import UNITS

    return UNITS[recording.unit] / UNITS["milliseconds"]


FORMAT = Format(NAME, "Kernel Tuner's cache", recognises, read, write)
