"""What CLBlast's tuners write, and its database reads: one kernel family and precision on one device, times in ms.

Format: CLBlast 1.6, ``src/tuning/tuning.cpp`` and ``scripts/database``. The database drops a device without a name, and takes of each
file only the results.
"""

from __future__ import annotations

import json

from hotloop.interop.format import Format
from hotloop.interop.recording import (
    CORRECT,
    UNITS,
    FormatError,
    Json,
    Measurement,
    Recording,
    mapping,
    measured,
    number,
    parsed,
    sequence,
)

NAME = "clblast"


def recognises(text: str) -> bool:
    """Tell whether a text has what every such file has."""
    return text.lstrip().startswith("{") and '"kernel_family"' in text and '"clblast_device_name"' in text


def read(text: str) -> Recording:
    """Return what a tuner wrote. Raises FormatError."""
    document = parsed(text, "the file")
    rows = [mapping(row, "a result") for row in sequence(document.get("results", []), "results")]
    return Recording(
        format=NAME,
        kernel=str(document.get("kernel_family", "")),
        device=str(document.get("clblast_device_name") or document.get("device", "")),
        problem={name: value for name, value in document.items() if name.startswith("arg_")},
        measurements=tuple(
            Measurement(
                mapping(row.get("parameters"), "parameters"),
                CORRECT,
                measured(number(row.get("time"), "time")),
            )
            for row in rows
        ),
        rest=document,
    )


def write(recording: Recording) -> str:
    """Return a tuner's file. Raises FormatError where nothing was timed."""
    if recording.format == NAME:
        return json.dumps(dict(recording.rest))
    scale = UNITS[recording.unit] / UNITS["milliseconds"]
    rows: list[Json] = [
        _row(measurement, scale) for measurement in recording.measurements if measurement.time is not None
    ]
    if not rows:
        raise FormatError("nothing in it has a time, and CLBlast's database keeps times only.")
    return json.dumps({**_head(recording, recording.best, scale), "results": rows})


def _row(measurement: Measurement, scale: float) -> dict[str, Json]:
    assert measurement.time is not None
    time = measurement.time if scale == 1 else measurement.time * scale
    return {"parameters": dict(measurement.config), "time": time}


def _head(recording: Recording, best: Measurement | None, scale: float) -> dict[str, Json]:
    sizes = recording.problem if isinstance(recording.problem, dict) else {}
    chosen = " ".join(f"{name}={value}" for name, value in best.config.items()) if best else ""
    return {
        "kernel_family": recording.kernel,
        "precision": "32",
        **{f"arg_{name.removeprefix('arg_')}": str(value) for name, value in sizes.items()},
        "best_kernel": recording.kernel,
        "best_time": str(best.time * scale if best and best.time is not None else ""),
        "best_parameters": chosen,
        "clblast_device_type": "",
        "clblast_device_vendor": "",
        "clblast_device_architecture": "",
        "clblast_device_name": recording.device,
        "device": recording.device,
    }


FORMAT = Format(NAME, "a CLBlast tuner's result", recognises, read, write)
