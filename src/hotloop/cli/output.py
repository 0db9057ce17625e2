"""The only place that prints: rich on a terminal, plain text in a pipe, JSON when asked for."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from hotloop.report.view import RunRecord


_USUAL, _WIDTHS = 100, range(40, 1001)
"""Columns where there is no terminal, and those that may be asked for: in fewer every word of a table stands in a row of its own."""

QUIET = "hotloop.quiet"
"""Where the command line keeps whether ``--quiet`` was said."""

_answered = False
"""Whether standard output already holds the JSON document of this command."""


def console(*, err: bool = False) -> Console:
    """Return a console; in a pipe it has no colour, and the width that is asked for or 100 columns."""
    from rich.console import Console

    width = _asked()
    made = Console(stderr=err, highlight=False, markup=False, emoji=False, width=width)
    if not made.is_terminal:
        width = width or _USUAL
        made = Console(stderr=err, highlight=False, markup=False, emoji=False, width=width, color_system=None)
    return made


def _asked() -> int | None:
    """Return the width that ``COLUMNS`` asks for, the usual one where it makes no sense, None where it is not set."""
    from hotloop.host.settings import COLUMNS

    asked = COLUMNS.get()
    sensible = asked.isdecimal() and int(asked) in _WIDTHS
    return int(asked) if sensible else _USUAL if asked else None


def show(renderable: RenderableType) -> None:
    """Print to standard output."""
    console().print(renderable)


def begin() -> None:
    """Forget what an earlier command of this process printed."""
    global _answered  # noqa: PLW0603 - one process, one answer
    _answered = False


def alone() -> None:
    """Keep standard output for the one document: what a library or a user's code writes to it past Python goes to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = os.fdopen(own, "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors)


def settle() -> None:
    """Write what waits to be written; where that fails, and was told, Python must not try again when it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        sys.stdout = sys.__stdout__


def emit(data: Any) -> None:  # noqa: ANN401 - JSON is dynamically typed
    """Print JSON to standard output; numbers that JSON lacks become null."""
    global _answered  # noqa: PLW0603 - one process, one answer
    _answered = True
    text = json.dumps(_finite(data), indent=2, ensure_ascii=not _utf_8(sys.stdout), allow_nan=False)
    with suppress(UnicodeEncodeError):
        text.encode()  # not where it holds the name of a file that is no UTF-8
        click.echo(text)
        return
    click.echo(json.dumps(_finite(data), indent=2, allow_nan=False))


def _utf_8(stream: object) -> bool:
    return str(getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-") == "utf-8"


def failed(kind: str, sentence: str, code: int) -> None:
    """Print an error as a JSON object, unless the answer was printed before: standard output holds one document."""
    with suppress(OSError, ValueError):  # nobody reads it, or it is closed: standard error has the sentence
        if not _answered:
            emit({"error": {"kind": kind, "message": sentence, "exit_code": code}})


def run(record: RunRecord, *, as_json: bool, whole: bool = True, store: str = "") -> None:
    """Print a run: as JSON the whole run, else its essential parts and how to see the rest in `store`."""
    from hotloop.app import hint
    from hotloop.report.run import json as json_report
    from hotloop.report.run import terminal
    from hotloop.report.view import build

    view = build(record)
    if as_json:
        emit(json_report.render(view))
    else:
        show(terminal.render(view) if whole else terminal.summary(view, hint.command("report", store=store)))


def hushed() -> bool:
    """Tell whether the command line asks for no progress."""
    asked = click.get_current_context(silent=True)
    return asked is not None and bool(asked.meta.get(QUIET))


def stage(text: str) -> None:
    """Print what begins to standard error, unless ``--quiet`` was said."""
    if not hushed():
        note(f"{text} ...")


def note(text: str) -> None:
    """Print a remark to standard error."""
    click.echo(text, err=True)


def _finite(data: Any) -> Any:  # noqa: ANN401
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and (data != data or data in (float("inf"), float("-inf"))):
        return None
    return data
