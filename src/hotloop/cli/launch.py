"""Options of a launch by hand, for the verbs that execute code or predict its time: arguments, work-groups, local memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from hotloop.cli import options

F = TypeVar("F", bound=Callable[..., Any])


def three(_ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int, int] | None:
    """Return up to three numbers that are separated by commas."""
    if value is None:
        return None
    try:
        x, y, z = (*(int(part) for part in value.split(",")), 1, 1)[:3]
    except ValueError:
        x = y = z = 0
    if min(x, y, z) < 1 or value.count(",") > 2:
        raise click.BadParameter(f"{value} is not one to three numbers above 0, separated by commas", param=param)
    return x, y, z


def given(function: F) -> F:
    """Add ``--arg``, ``--grid``, ``--workgroup`` and ``--lds``."""
    return _launched(function, {"default": "1", "show_default": True, "help": "Work-groups."})


def preprocessed(function: F) -> F:
    """Add ``-I`` and ``-D`` for sources that clang compiles."""
    function = click.option(
        "-D", "--define", "macros", multiple=True, metavar="NAME[=TEXT]", help="Macro of a C source, taken as text."
    )(function)
    return click.option(
        "-I",
        "--include",
        "folders",
        multiple=True,
        metavar="FOLDER",
        help="Folder with files that a C source includes.",
    )(function)


def posed(function: F) -> F:
    """Add the options that describe a launch to a verb that may have the number of work-groups from a profile."""
    return _launched(
        function, {"default": None, "help": "With --arg: work-groups; default: those of the profile, in a row."}
    )


def _launched(function: F, grid: Mapping[str, Any]) -> F:
    added = (
        click.option(
            "--arg",
            "given",
            multiple=True,
            metavar="NAME=TYPE:...",
            help="Argument: x=f32:64x64[:normal|ones|zeros|count|fresh|scratch], n=i32:=64, t=local:BYTES, or null.",
        ),
        click.option("--grid", callback=three, metavar="X[,Y[,Z]]", **grid),
        click.option(
            "--workgroup",
            default=None,
            callback=three,
            metavar="X[,Y[,Z]]",
            help="Work-items of a work-group; default: what the code states.",
        ),
        click.option(
            "--lds",
            "shared_bytes",
            type=options.Whole(min=0),
            default=0,
            metavar="BYTES",
            help="Local memory that the launch adds.",
        ),
    )
    for option in reversed(added):
        function = option(function)
    return function
