"""Options that name files to write: refused before a run of minutes where they could not be written after it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from hotloop import registry
from hotloop.cli import idle
from hotloop.errors import MachineError

PAGES = "hotloop.report.pages"
"""Package whose folders are the formats of report files."""
_PROGRAMS = frozenset({".c", ".cc", ".cl", ".cpp", ".cu", ".cuh", ".h", ".hip", ".hpp", ".ipynb", ".py"})
"""Endings of files that somebody wrote, which no report takes the place of."""
F = TypeVar("F", bound=Callable[..., Any])


def writable(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Refuse a page that cannot be written before a run of minutes, not after it, and one in the place of a program.

    The path becomes absolute: a kernel file may change the folder.
    """
    folder = Path(value or "/").absolute().parent  # without a page nobody asks where this runs
    if value and not (folder.is_dir() and os.access(folder, os.W_OK)):
        reason = "its folder may not be written" if folder.is_dir() else f"there is no folder {folder}"
        raise MachineError(f"cannot write {value}: {reason}; choose another path.")
    if value and Path(value).suffix.lower() in _PROGRAMS and Path(value).is_file() and Path(value).stat().st_size:
        raise click.UsageError(f"{value} is a program, which would be lost: name another")
    return os.path.abspath(value) if value else value  # noqa: PTH100 - a text, as it came


def pages(subject: str) -> Callable[[F], F]:
    """Return the options that write report files about a subject, one for each format that has it."""
    names = registry.with_module(PAGES, subject)

    def add(function: F) -> F:
        @wraps(function)
        def asked(**given: Any) -> Any:  # noqa: ANN401 - the verb's own
            idle.overwriting(names)
            return function(**given)

        for name in reversed(names):
            page = click.Path(dir_okay=False, writable=True)
            text = registry.load(PAGES, name, "HELP")
            asked = click.option(f"--{name}", type=page, callback=writable, help=text)(asked)
        return asked  # type: ignore[return-value]

    return add
