"""T1, the input format that tuning frameworks agreed on: parameters with their values, and conditions as expressions.

Format: the files of the BAT benchmark suite and of AutoTuningAssociation/autotuning_methodology; values stand as a list or as the text
of one in Python.
"""

from __future__ import annotations

import json

from hotloop.interop import written
from hotloop.interop.format import Format
from hotloop.interop.recording import FormatError, Json, Recording, mapping, parsed, sequence

NAME = "t1"
_KINDS = {bool: "bool", int: "int", float: "float", str: "string"}


def recognises(text: str) -> bool:
    """Tell whether a text has what every such file has."""
    return text.lstrip().startswith("{") and '"ConfigurationSpace"' in text


def read(text: str) -> Recording:
    """Return the space of an input file. Raises FormatError."""
    document = parsed(text, "the file")
    space = mapping(document.get("ConfigurationSpace"), "ConfigurationSpace")
    rows = [mapping(row, "a parameter") for row in sequence(space.get("TuningParameters"), "TuningParameters")]
    specification = mapping(document.get("KernelSpecification", {}), "KernelSpecification")
    return Recording(
        format=NAME,
        kernel=str(specification.get("KernelName", "")),
        problem=specification.get("ProblemSize"),
        parameters={str(row.get("Name", "")): tuple(_values(row)) for row in rows},
        rest=document,
    )


def conditions(recording: Recording) -> tuple[str, ...]:
    """Return the conditions of a space, as the expressions that the file has."""
    space = recording.kept(NAME).get("ConfigurationSpace")
    rows = space.get("Conditions", []) if isinstance(space, dict) else []
    return (
        tuple(str(row.get("Expression", "")) for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    )


def _values(row: dict[str, Json]) -> list[Json]:
    values = row.get("Values", [])
    if isinstance(values, str):
        try:
            values = written.values(values)
        except ValueError:
            raise FormatError(f"the values of {row.get('Name')} are no list: {str(values)[:40]!r}.") from None
    return sequence(values, f"Values of {row.get('Name')}")


def write(recording: Recording) -> str:
    """Return an input file: the one that was read, or the space alone. Raises FormatError where there is no parameter."""
    if recording.format == NAME:
        return json.dumps(dict(recording.rest))
    if not (values := recording.values()):
        raise FormatError("there are no parameters to write; T1 describes a space.")
    parameters = [
        {"Name": name, "Type": _kind(each), "Values": str(list(each)), "Default": each[0] if each else None}
        for name, each in values.items()
    ]
    return json.dumps(
        {
            "General": {"BenchmarkName": recording.kernel, "OutputFormat": "JSON"},
            "ConfigurationSpace": {"TuningParameters": parameters, "Conditions": []},
            "KernelSpecification": {"KernelName": recording.kernel, "ProblemSize": recording.problem},
        }
    )


def _kind(values: tuple[Json, ...]) -> str:
    kinds = {_KINDS.get(type(value), "string") for value in values}
    return kinds.pop() if len(kinds) == 1 else "float" if kinds == {"int", "float"} else "string"


FORMAT = Format(NAME, "a T1 space", recognises, read, write)
