"""A capture's folder: `capture.json` says what there is, beside it a text for each kernel and a file for each array."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.captures import sound
from hotloop.captures.nouns import Capture, Captured, Given
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.codec import decode, encode
from hotloop.model.dtype import dtype_of
from hotloop.model.record import digest

if TYPE_CHECKING:
    from numpy.typing import NDArray

INDEX = "capture.json"
FORMAT, VERSION = "hotloop capture", 1


def write(folder: Path, capture: Capture) -> None:
    """Write the index, at once, as the last file: a folder without it was cut off."""
    partial = folder / f"{INDEX}.part"
    partial.write_text(
        json.dumps({"format": FORMAT, "version": VERSION, **encode(capture)}, indent=1), encoding="utf-8"
    )
    partial.replace(folder / INDEX)


def is_capture(path: Path) -> bool:
    """Tell whether a path, or the folder that it names a kernel of, looks like a capture."""
    return any(
        (folder / INDEX).is_file() or (folder / "values").is_dir() for folder in (path, path.parent) if folder.is_dir()
    )


def read(folder: Path) -> Capture:
    """Return what a folder keeps.

    Raises:
        UsageError: there is no capture in it, or it is truncated, of another version, or no capture at all.
    """
    try:
        text = (folder / INDEX).read_text(encoding="utf-8")
    except FileNotFoundError:
        cut = (folder / "values").is_dir()
        reason = "was cut off before it ended" if cut else f"has no {INDEX}"
        raise UsageError(f"{folder} is no capture: it {reason}; make one with hotloop capture -- PROGRAM.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{folder} is no capture: its {INDEX} {_unread(error)}; make one with hotloop capture -- PROGRAM."
        ) from None
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # halves of characters are no names
        if data["format"] != FORMAT:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(
            f"{folder / INDEX} is no index of a capture, or truncated; capture the program again."
        ) from None
    if data.get("version") != VERSION:
        raise UsageError(
            f"{folder} is a capture of format {data.get('version')}, this hotloop reads {VERSION}; capture the program again."
        )
    try:
        capture = decode(data, Capture)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UsageError(f"{folder / INDEX} lacks what a capture has; capture the program again.") from None
    sound.refuse(folder, capture)
    return capture


def _unread(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file of a capture was not read."""
    if isinstance(error, FileNotFoundError):
        return "is missing"
    return "is no text" if isinstance(error, UnicodeDecodeError) else f"cannot be read ({error.strerror})"


def kernel(folder: Path, capture: Capture, name: str) -> Captured:
    """Return a kernel by name; without one the most expensive of those that can be optimized. Raises UnknownNameError, UsageError."""
    if not capture.kernels:
        raise UsageError(f"{folder} has no kernel: the program launched none that is recorded.")
    if not name:
        return next((one for one in capture.kernels if not one.obstacle), capture.kernels[0])
    for candidate in capture.kernels:
        if candidate.name == name:
            return candidate
    raise UnknownNameError(f"kernel in {folder}", name, tuple(candidate.name for candidate in capture.kernels))


def text(folder: Path, captured: Captured) -> str:
    """Return a kernel's text, its lines ended as everywhere else; programs give files of Windows as they are. Raises UsageError."""
    try:
        content = (folder / captured.source).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{folder} is truncated: {captured.source} {_unread(error)}; capture the program again."
        ) from None
    if captured.seal and captured.seal != digest(content):
        raise UsageError(
            f"{folder / captured.source} is not what the program launched: it was changed or cut off after the capture; "
            "change the program's own file and capture it again."
        )
    return content.replace("\r\n", "\n").replace("\r", "\n")


def values(folder: Path, given: Given, dtype: str = "") -> NDArray[np.generic] | None:
    """Return the kept elements of an array, all or its beginning, as `dtype`; None where nothing was kept.

    Raises:
        UsageError: the file is missing or shorter than it was.
    """
    if not given.values:
        return None
    kind = dtype_of(dtype or given.dtype)
    try:
        content = (folder / given.values).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{folder} is truncated: {given.values} {_unread(error)}; capture the program again."
        ) from None
    if given.whole and len(content) != given.size:
        raise UsageError(
            f"{folder} is truncated: {given.values} has {len(content)} B, not {given.size}; capture the program again."
        )
    return np.frombuffer(content[: len(content) // kind.itemsize * kind.itemsize], kind).copy()
