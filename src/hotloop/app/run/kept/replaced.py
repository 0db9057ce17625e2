"""A source file replaced by another text: whole or not at all, and only while it is what it was."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
        MachineError: one cannot be written; they hold what they held, or it is said which do not.
        KeyboardInterrupt: the command was to end in between; they hold what they held.
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
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    return Path(name)


def _put(drafts: Sequence[tuple[Path, Path]]) -> None:
    """Put each draft in its place; where one cannot be put, or the command is to end, those before get back what they held.

    Raises:
        OSError: one cannot be put in its place.
        MachineError: that happened, and another cannot get back what it held.
    """
    held = [place.read_bytes() for _, place in drafts]
    with _to_the_end() as came:
        try:
            for draft, place in drafts:
                draft.replace(place)
                if came:
                    raise KeyboardInterrupt
        except BaseException as why:
            # an interrupt may come between the call and the next statement: what is written is what has no draft any more
            _back([(place, data) for (draft, place), data in zip(drafts, held, strict=True) if not draft.exists()], why)
            raise


def _back(held: Sequence[tuple[Path, bytes]], why: BaseException) -> None:
    """Give files back what they held. Raises MachineError where one cannot get it."""
    lost = []
    for place, data in held:
        try:
            _draft(place, data).replace(place)
        except OSError:
            lost.append(str(place))
    if lost:
        raise MachineError(
            f"only a part was written, and {', '.join(lost)} cannot get back what stood there: undo it by hand."
        ) from why


@contextmanager
def _to_the_end() -> Iterator[list[int]]:
    """Hold back what would end the command, and yield what came; it is sent again at the end."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only there signals are handled
        yield came
        return
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(kind, signal.signal(kind, lambda number, _: came.append(number))) for kind in kinds]
    try:
        yield came
    finally:
        for kind, handler in before:
            signal.signal(kind, signal.SIG_DFL if handler is None else handler)
        for number in came[:1]:
            signal.raise_signal(number)
