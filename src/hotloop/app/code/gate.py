"""Files of a gate for continuous integration: limits are read from one, what broke is written to another."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hotloop.compilers import reading
from hotloop.errors import MachineError, UsageError
from hotloop.isa.summary.limits import Check, Limits
from hotloop.isa.summary.model import KernelReport
from hotloop.report.code.gate import document


def limits_of(path: Path) -> Limits:
    """Return the limits of a TOML file: ``max-vgpr = 128`` and so on, at the top or under ``[limits]``.

    Raises:
        UsageError: it cannot be read, or names an unknown limit or a value of the wrong kind.
    """
    try:
        data = tomllib.loads(reading.text(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {reading.why(error)}; give a TOML file with limits.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    table = data.get("limits", data)
    return _limits(table if isinstance(table, dict) else {}, path)


def _limits(table: Mapping[str, object], path: Path) -> Limits:
    names = {field.name for field in fields(Limits)}
    given: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in ("no_spills", "no_hazards") and value is True:
            given["max" + name[2:]] = 0
            continue
        if name not in names:
            raise UsageError(
                f"{path}: {key!r} is no limit; known: {', '.join(sorted(n.replace('_', '-') for n in names))}."
            )
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{path}: {key} = {value!r} must be a number.")
        given[name] = value
    return replace(Limits(), **given)


def write_sarif(path: Path, reports: Sequence[KernelReport], checks: Sequence[Check]) -> None:
    """Write broken limits as errors and findings as warnings. Raises MachineError when the file cannot be written."""
    text = json.dumps(document(reports, checks, _uri), indent=2, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None


def _uri(origin: str) -> str:
    """Return a file's name as a URI reference; empty for what is no file."""
    return quote(origin) if Path(origin).is_file() else ""
