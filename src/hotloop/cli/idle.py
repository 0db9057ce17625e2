"""Options that were given and would do nothing beside the others: they are refused, as whoever wrote them expects something of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click
from click.core import ParameterSource


def given(*names: str) -> list[str]:
    """Return the options among `names`, parameters of this command, that stand on the command line."""
    context = click.get_current_context()
    return [
        max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]


def refuse(reason: str, *names: str) -> None:
    """Refuse those among `names` that were given. Raises click.UsageError, which begins with the option and goes on with `reason`."""
    if named := given(*names):
        raise click.UsageError(f"{named[0]} {reason}")


def one_of(*names: str) -> None:
    """Refuse more than one of some options. Raises click.UsageError."""
    if len(named := given(*names)) > 1:
        raise click.UsageError(f"{named[0]} and {named[1]} ask for different things: give one of them.")


def overwriting(files: Iterable[str]) -> None:
    """Refuse to write two things to one file, or one over what the command reads. Raises click.UsageError."""
    parameters = click.get_current_context().params
    written = {name: path for name in files if (path := parameters.get(name))}
    read = [value for name, value in parameters.items() if name not in written for value in _texts(value)]
    for name, path in written.items():
        others = [*read, *(other for key, other in written.items() if key != name)]
        if any(_same(path, other) for other in others):
            raise click.UsageError(
                f"--{name} {path} is a file that this command reads or writes already: name another."
            )


def _texts(value: object) -> list[str]:
    return [str(text) for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str | Path)]


def _same(path: str, other: str) -> bool:
    """Tell whether two names are of one file; `other` may be a kernel's, with what follows : or @."""
    file = other if Path(other).exists() else other.partition("@")[0].partition(":")[0]
    return bool(file) and os.path.realpath(path) == os.path.realpath(file)
