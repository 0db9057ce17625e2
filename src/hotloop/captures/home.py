"""Where a captured text stands in the program's own files, and that file with another text in its place."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hotloop.captures import folder as folders
from hotloop.captures import literals, margins, strings
from hotloop.captures.nouns import Captured
from hotloop.errors import HotloopError

_ENDINGS = (".cl", ".ocl", ".clh", ".cu", ".txt", ".py", *literals.ENDINGS)
_FEWEST_LINES = 3
"""Lines that are hardly the same elsewhere."""
MOST_FILES = 200
_MOST_FOLDERS = 100
_MOST_ENTRIES = 5_000
"""How much of a program's folder is looked at."""
_MOST_BYTES = 64 << 20
"""Size of a source or a program that is read for texts and names."""
_LAUNCHES = re.compile(
    r"\b(?:clEnqueueNDRangeKernel|clEnqueueTask|enqueueNDRangeKernel|EnqueueArgs|enqueue_nd_range_kernel)\s*\("
)
_MOST_LAUNCHES = 8
_PATHS = re.compile(r"""["']([^"'\\\n]{0,200}/[^"'\\\n/]{1,200})["']""")
"""Strings that may name a file in another folder."""


@dataclass(frozen=True, slots=True)
class Home:
    """A file of the program before and after a change of a kernel in it."""

    path: str
    before: str
    after: str


def captured_at(path: Path) -> Captured | None:
    """Return the kernel whose text a file in a capture is; None where it is none."""
    if not folders.is_capture(path.parent):
        return None
    try:
        capture = folders.read(path.parent)
    except HotloopError:
        return None
    return next((captured for captured in capture.kernels if captured.source == path.name), None)


def home(captured: Captured, before: str, after: str) -> Home | None:
    """Return the program's file with the changed text; None where the text stands nowhere as it is, or in several places.

    A Triton kernel's lines are its file's own. An OpenCL text is looked for in the file that built it: as a string in it, and
    in the sources beside it. Where the program puts the text together, the lines that change are looked for alone, in a text that has the
    kernel's name. Of several files that hold it, the one is meant whose name stands in the program.
    """
    if captured.language == "triton":
        return _lines(Path(captured.path), before, after)
    before, after = (text.replace("\r\n", "\n") for text in (before, after))
    after = margins.kept(before, after)
    for place in _places(captured):
        found = _at(place, before, after, "")
        if found is None and (piece := _piece(before, after)) is not None:
            found = _at(place, *piece, captured.entry)
            if found is not None and "{{" in found.before and _braced(*piece):
                return None  # a form in which braces stand for something
        if found is not None:
            return found
    return None


def _named(place: Path, own: str) -> list[Path]:
    """Return the sources that a program names by a path, such as ``../kernels/k.cl``: what is beside it only is found anyway."""
    named = [place.parent / name for name in dict.fromkeys(_PATHS.findall(own)) if name.endswith(_ENDINGS)]
    found = [path.parent.resolve() / path.name for path in named if path.is_file()]
    return [path for path in found if not (path.parent / folders.INDEX).is_file()]


def _around(place: Path) -> list[Path]:
    """Return the sources beside a program and those that it names."""
    return list(dict.fromkeys([*_beside(place), *_named(place, read(place))]))


def _places(captured: Captured) -> list[Path]:
    """Return the files beside which a program's sources are looked for: itself, where it ran, and above a compiled program's folder.

    What is above is a project's folder, as of `project/build/program`; a home, or the folder of all of them, holds other programs' copies, too.
    """
    own, ran = Path(captured.path), Path(captured.folder)
    places = [own, *([ran / own.name] if captured.folder else [])]
    above = [place.parent.parent / place.name for place in places] if captured.native else []
    above = [place for place in above if not _own().is_relative_to(place.parent)]
    return list(dict.fromkeys(place for place in (*places, *above) if place.parent != place.parent.parent))


def _own() -> Path:
    """Return the user's home; the folder with all others' where nobody knows it."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def _braced(changed: str, made: str) -> bool:
    """Tell whether a change brings braces in where none were."""
    return any(mark in made and mark not in changed for mark in "{}")


def _at(place: Path, before: str, after: str, entry: str) -> Home | None:
    """Return the one file at a place that holds a text; of several, the one that the program names."""
    own = read(place)
    if (made := strings.changed(own, before, after, entry=entry)) is not None:
        return Home(str(place), own, made)
    found = [home for file in _around(place) if (home := _file(file, before, after, entry)) is not None]
    if len(found) > 1:
        found = [one for one in found if re.search(rf"(?<![\w.-]){re.escape(Path(one.path).name)}\b", own)]
    return found[0] if len(found) == 1 else None


def _piece(before: str, after: str) -> tuple[str, str] | None:
    """Return the lines of a text that a change touches, from the first to the last, before and after.

    None where these are too few to be found for sure, or where a program that fills in a form would read something into them.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    changed, made = "".join(old[first : len(old) - last]), "".join(new[first : len(new) - last])
    marked = any(mark in made and mark not in changed for mark in "%$")
    return None if marked or changed.count("\n") < _FEWEST_LINES else (changed, made)


def sources(captured: Captured) -> list[Path]:
    """Return the sources among which those that launch a kernel are: beside what built it, and in the folders below."""
    found = [file for place in _places(captured) for file in _around(place)]
    return list(dict.fromkeys(found))


def read(path: Path) -> str:
    """Return a file's text with line feeds at the ends of its lines, whatever its bytes are; empty where it cannot be read, or is huge."""
    try:
        data = path.read_bytes() if path.stat().st_size <= _MOST_BYTES else b""
    except (OSError, ValueError):
        return ""
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def launches(path: Path, entry: str) -> list[str]:
    """Return where the sources beside a file seem to launch a kernel: file, number of the line, and the line.

    In Python by the kernel's name; in C and C++, where a launch does not name it, every launch of a file that does.
    """
    called, found = re.compile(rf"\.\s*{re.escape(entry)}\s*\("), []
    for file in _beside(path):
        text = read(file)
        if entry not in text or file.suffix not in (".py", *literals.ENDINGS):
            continue
        wanted = called if file.suffix == ".py" else _LAUNCHES
        found += [f"{file}:{at}: {row.strip()}" for at, row in enumerate(text.split("\n"), 1) if wanted.search(row)]
    return found[:_MOST_LAUNCHES]


def _beside(path: Path) -> list[Path]:
    """Return the sources beside a program and in the folders below, the nearest first; a program may lie in a home or a root folder."""
    if not path.name:
        return []
    sources: list[Path] = []
    folders, seen = [path.parent], 0
    while folders and seen < _MOST_FOLDERS and len(sources) < MOST_FILES:
        below: list[Path] = []
        for folder in folders[: _MOST_FOLDERS - seen]:
            seen += 1
            files, inner = _listed(folder)
            sources += files
            below += inner
        folders = below
    return sources[:MOST_FILES]


def _listed(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the sources of a folder and the folders in it, links and hidden ones left out."""
    try:
        with os.scandir(folder) as entries:
            first = sorted(islice(entries, _MOST_ENTRIES), key=lambda entry: entry.name)
        own = [entry for entry in first if not entry.name.startswith(".")]
        files = [Path(entry.path) for entry in own if entry.name.endswith(_ENDINGS) and entry.is_file()]
        inner = [Path(entry.path) for entry in own if entry.is_dir(follow_symlinks=False)]
        return files, [one for one in inner if not (one / folders.INDEX).is_file()]  # a capture has a copy of the text
    except OSError:
        return [], []


def _file(path: Path, before: str, after: str, entry: str) -> Home | None:
    text = read(path)
    if path.suffix == ".py":  # a module of texts, from which the one that builds them has them
        likely = max(before.split("\n"), key=len).strip() in text
        made = strings.changed(text, before, after, entry=entry) if likely else None
        return None if made is None else Home(str(path), text, made)
    if entry and not re.search(rf"\b{re.escape(entry)}\b", text):
        return None
    if text.count(before) == 1:
        return Home(str(path), text, text.replace(before, after))
    if path.suffix in literals.ENDINGS and '"' in text:
        made = literals.changed(text, before, after)
        return None if made is None else Home(str(path), text, made)
    return None


def _lines(path: Path, before: str, after: str) -> Home | None:
    """Return a Python file with the lines that a rewrite of its excerpt changed.

    The excerpt's lines are the file's own, or blank, so both texts are compared block by block. Where a function stands within an
    ``if``, its lines are further right in the file.
    """
    from difflib import SequenceMatcher

    text = read(path)
    rows, old, new = text.split("\n"), before.removesuffix("\n").split("\n"), after.removesuffix("\n").split("\n")
    edits = [op for op in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if op[0] != "equal"]
    margins = [_margin(rows, old, first, last) for _, first, last, _, _ in edits]
    for (_, first, last, start, end), margin in reversed(list(zip(edits, margins, strict=True))):
        if margin is None:
            return None
        rows[first:last] = [margin + row if row.strip() else row for row in new[start:end]]
    return Home(str(path), text, "\n".join(rows))


def _margin(rows: list[str], old: list[str], first: int, last: int) -> str | None:
    """Return what stands before an excerpt's lines in the file; None where they are not its lines."""
    at = next(
        (at for at in (*range(first, last), *range(first - 1, -1, -1)) if at < len(old) and old[at].strip()), None
    )
    if at is None or not rows[at].endswith(old[at]):
        return None
    margin = rows[at].removesuffix(old[at])
    fits = all(row.removeprefix(margin) == due for row, due in zip(rows[first:last], old[first:last], strict=False))
    return margin if not margin.strip() and fits else None
