"""What a format offers as ``FORMAT``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hotloop import registry
from hotloop.interop.recording import FormatError, Recording

PACKAGE = "hotloop.interop.formats"


@dataclass(frozen=True, slots=True)
class Format:
    """Reads and writes one kind of file."""

    name: str
    """Name of the format as ``--to`` takes it."""
    title: str
    recognises: Callable[[str], bool]
    """Tells whether a file's text is in this format."""
    read: Callable[[str], Recording]
    """Reads a file's text; raises FormatError."""
    write: Callable[[Recording], str]
    """Writes a recording as text; raises FormatError where the recording lacks what the format needs."""


def formats() -> tuple[Format, ...]:
    """Return all formats."""
    return tuple(registry.load(PACKAGE, name, "FORMAT") for name in registry.names(PACKAGE))


def named(name: str) -> Format:
    """Return the format of a name. Raises FormatError."""
    named_format = next((candidate for candidate in formats() if candidate.name == name), None)
    if named_format is None:
        raise FormatError(
            f"there is no format {name!r}; choose one of {', '.join(candidate.name for candidate in formats())}."
        )
    return named_format


def read(text: str, where: str) -> Recording:
    """Return what a file says, in whichever format it is. Raises FormatError."""
    for known_format in formats():
        if known_format.recognises(text):
            try:
                return known_format.read(text)
            except FormatError as error:
                raise FormatError(f"{where}: {error}") from None
    titles = ", ".join(known_format.title for known_format in formats())
    raise FormatError(f"{where} has no format that hotloop can import; it can import {titles}.")
