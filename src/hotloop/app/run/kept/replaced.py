"""A source file replaced by another text: whole or not at all, and only while it is what it was."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hotloop.errors import MachineError, UsageError

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write(files: Mapping[Path, bytes], stands: Callable[[], bool]) -> None:
    """Put bytes in the place of files, with their modes and owners: all of them or none; a link stays one, and what it leads to is written.

    Args:
        files: what each is to hold.
        stands: tells whether they still hold what they held; asked last.

    Raises:
        UsageError: a file may only be read, or they no longer stand.
        MachineError: one cannot be written; they hold what they held.
    """
    drafts: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, data in files.items():
            drafts.append((_draft(path, data), path.resolve()))
        if not stands():
            raise UsageError(f"nothing was written: {path} has changed meanwhile; give the command again.")
        _put(drafts)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; its text is what it was.") from None
    finally:
        for draft, _ in drafts:
            with suppress(OSError):
                draft.unlink()


def _draft(path: Path, data: bytes) -> Path:
    """Return a new file beside one, with bytes and with its mode and, where that is allowed, its owner. Raises UsageError and OSError."""
    place = path.resolve(strict=True)
    own = place.stat()
    if not own.st_mode & _WRITABLE:
        raise UsageError(f"nothing was written: {path} may only be read; make it writable (chmod u+w) first.")
    handle, name = tempfile.mkstemp(prefix=".hotloop", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):
            os.chown(name, own.st_uid, own.st_gid)
        shutil.copymode(place, name)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise
    return Path(name)


def _put(drafts: Sequence[tuple[Path, Path]]) -> None:
    """Put each draft in its place; where one cannot be put, those before get back what they held. Raises OSError."""
    held = [place.read_bytes() for _, place in drafts]
    for at, (draft, place) in enumerate(drafts):
        try:
            draft.replace(place)
        except OSError:
            for data, (_, written) in zip(held[:at], drafts[:at], strict=True):
                _draft(written, data).replace(written)
            raise
