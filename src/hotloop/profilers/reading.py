"""Reading any profile: recognise, then parse."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hotloop.host import scratch
from hotloop.profilers.detect import of_head, recognised
from hotloop.profilers.format import Format
from hotloop.profilers.source import HEAD_BYTES, head_of, look, named
from hotloop.profilers.unwrapping import is_packed, is_tagged, texts, unpacked
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading

_PROCESSOR = re.compile(
    r"(?!gfx|sm_)[A-Za-z][\w.+-]*|gfx[0-9a-f][0-9a-z-]{2,}(?:[:+].*)?|sm_(?:[1-9][0-9]|1[0-9]{2})[af]?"
)
"""Names that processors have; a damaged file may say anything."""


def read(path: Path) -> Profile:
    """Return what a profiler's file or folder says.

    Raises:
        ProfileError: not readable, not a profile, or damaged; nothing is executed, and nothing is written but a copy of what was packed.
    """
    try:
        profile = _read(path)
        named_so = profile.architecture if _PROCESSOR.fullmatch(profile.architecture or "") else None
        return replace(
            profile, architecture=named_so, readings=tuple(_possible(reading) for reading in profile.readings)
        )
    except ProfileError as error:
        if named(path) in str(error):
            raise
        raise ProfileError(f"{named(path)}: {error}") from error


def _read(path: Path) -> Profile:
    """Return what a file says, or else what is packed into it or stands among its other text. Raises ProfileError."""
    head = look(path)
    form = None if is_packed(head) else of_head(head)
    if form is not None and not form.general and not is_tagged(head):
        try:
            return form.read(path)
        except ProfileError:
            # its marks may stand in a comment or a block of another text, a program's source for instance
            inside = _inside(path, form)
            if inside is None:
                raise
            return inside
    with scratch.folder() as folder:
        if is_packed(head):
            return _packed(unpacked(head, Path(folder)), path)
        for text, how in texts(head):
            recognized = _known(path, text)
            if recognized is not None and not (recognized.general and form is not None and not is_tagged(head)):
                page = Path(folder, path.name)
                page.write_text(text, encoding="utf-8")
                with suppress(ProfileError):
                    profile = recognised(page).read(page)
                    return replace(profile, notes=(*profile.notes, how))
    return recognised(path).read(path)


def _inside(path: Path, form: Format) -> Profile | None:
    """Return what a tool wrote into the comments or code blocks of another text, None where no part of it is read."""
    with scratch.folder() as folder:
        for text, how in texts(look(path), tables=False):
            if how.startswith(("commented lines", "code blocks")) and _known(path, text) is form:
                page = Path(folder, path.name)
                page.write_text(text, encoding="utf-8")
                with suppress(ProfileError):
                    profile = form.read(page)
                    return replace(profile, notes=(*profile.notes, how))
    return None


def _packed(plain: Path, path: Path) -> Profile:
    """Return what the file says that was packed in `path`. Raises ProfileError."""
    try:
        return replace(_read(plain), source=path.name)
    except ProfileError as error:
        raise ProfileError(str(error).replace(named(plain), named(path))) from error


def _known(path: Path, text: str) -> Format | None:
    """Return the format that recognises a text."""
    return of_head(head_of(path, text.encode()[:HEAD_BYTES])) if text.strip() else None


def _possible(reading: Reading) -> Reading:
    """Return a reading without a value that no event has: below 0, or above the whole where it is a share."""
    value = reading.value
    if value is None or (value >= 0 and (reading.unit != "%" or value <= 100)):
        return reading
    return replace(reading, value=None, reason=f"{value:g} {reading.unit}".strip() + " cannot be counted")
