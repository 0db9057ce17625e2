"""Which files of a program launch a kernel, and those files with its launches changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hotloop.captures import home
from hotloop.captures.hosts import native, python
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured

_VENDORED = ("CL", "OpenCL")
"""Folders of OpenCL's own headers, which launch nothing themselves."""
_LONGEST_HEAD = 2_000
"""Characters before a kernel's name, attributes and comments among them, in which it is said to be one."""


def changed(captured: Captured, sizes: Sizes, made: Mapping[str, str]) -> tuple[home.Home, ...]:
    """Return the program's file with the launches of a kernel changed.

    Args:
        captured: the kernel.
        sizes: how it is launched from now on.
        made: the file of its text as it will be, by path.

    Raises:
        UnclearError: no launch is found, or one that may be of this kernel is not understood, or one of it may be another kernel's.
    """
    sizes.bounded()
    if len({launch.group is None for launch in captured.launches}) != 1 or captured.further:
        raise UnclearError("the program launches it in several forms")
    if any(argument.kind == "local" for launch in captured.launches for argument in launch.arguments):
        raise UnclearError("it is given local memory, whose size may follow from the group")
    files = [file for file in home.sources(captured) if file.parent.name not in _VENDORED]
    if len(files) >= home.MOST_FILES:
        raise UnclearError("too many sources stand beside its text to tell that no other one launches it")
    file = (
        _native(files, sizes.entry, made) if captured.native else _python(Path(captured.path), files, sizes.entry, made)
    )
    present = home.read(file)
    before = made.get(str(file), present)
    with _named(file):
        if before != present:  # a refusal names the lines of the file as it is, not of one with the winner's text in it
            _changed(present, sizes, file)
        found = home.Home(str(file), before, _changed(before, sizes, file))
    if not lines(found, sizes.entry):
        raise UnclearError("its launch was not found beside its text")
    return (found,)


def _changed(source: str, sizes: Sizes, file: Path) -> str:
    return python.changed(source, sizes) if file.suffix == ".py" else native.changed(source, sizes, file)


def _native(files: Sequence[Path], entry: str, made: Mapping[str, str]) -> Path:
    """Return the one C or C++ source that launches a kernel. Raises UnclearError."""
    _one_text(entry, made, files)
    sources = {file: home.read(file) for file in files if file.suffix in (*native.C, *native.CPP, *native.HEADERS)}
    file = _only([file for file, text in sources.items() if f'"{entry}"' in text])
    if file.suffix in native.HEADERS:
        raise UnclearError(f"{file.name}, which launches it, is a header")
    with _named(file):
        host = native.Host(sources[file])
        names = {name for name in host.variables(entry) if not host.own(name)}
    for other, text in sources.items():
        if other == file:
            continue
        if re.search(rf'#\s*include\s*[<"](?:[^">]*/)?{re.escape(file.name)}[">]', text):
            raise UnclearError(f"{other.name} includes {file.name}")
        try:
            native.apart(text, entry, names)
        except UnclearError as why:
            raise UnclearError(f"{other.name} may launch it, too ({why})") from None
    return file


def _python(own: Path, files: Sequence[Path], entry: str, made: Mapping[str, str]) -> Path:
    """Return the one Python source that launches a kernel. Raises UnclearError."""
    texts = {file: home.read(file) for file in files if file.suffix == ".py"}
    launching = {file for file, text in texts.items() if _launches(text, entry)}
    stems = {own.stem, *(Path(path).stem for path in made)}
    file = own if own in launching else _only([one for one in launching if _mentions(texts[one], stems)])
    with _named(file):
        names = python.found(texts[file], entry).names
    for other in set(texts) - {file}:
        if _mentions(texts[other], stems | {file.stem}) and _mentions(texts[other], names):
            raise UnclearError(f"{other.name} may launch it, too")
        if other in launching and _doubt(texts[other], entry):
            raise UnclearError(f"{other.name} names {entry} in a way that is not understood, and may launch it, too")
    # other scripts have texts of their own; what this one reads may be any file that is no script
    near = [one for one in files if one.suffix != ".py" or one == file or _mentions(texts[file], {one.stem})]
    _one_text(entry, made, near)
    return file


def _one_text(entry: str, made: Mapping[str, str], files: Sequence[Path]) -> None:
    """Raise UnclearError unless one text alone has a kernel of this name: then each that is made by it is this one."""
    own = [home.read(Path(path)) for path in made]
    heads = sum(_heads(text, entry) for text in made.values())
    texts = ((one, home.read(one)) for one in files if str(one) not in made)
    others = [one for one, text in texts if text not in own and _heads(text, entry)]
    if heads != 1 or others:
        where = ", ".join(sorted({*(Path(path).name for path in made), *(one.name for one in others)}))
        count = "no kernel" if heads + len(others) == 0 else f"{heads + len(others)} kernels"
        raise UnclearError(f"{count} of this name were seen in {where}, and which is launched is not sure")


def _heads(text: str, entry: str) -> int:
    """Return how many kernels of a name a text has, whether in OpenCL C or within strings of another language."""
    named = re.finditer(rf"(?:\b|\\[nt]){re.escape(entry)}\b(?:[\s\"\\]|\\n)*\(", text) if entry in text else ()
    starts = ((max(0, one.start() - _LONGEST_HEAD), one.start()) for one in named)
    before = [text[max(low, *(text.rfind(mark, low, high) for mark in ";{}")) : high] for low, high in starts]
    return sum(all(re.search(word, head) for word in (r"(?:\b|__)kernel\b", r"(?:\b|\\[nt])void\b")) for head in before)


def _only(found: Sequence[Path]) -> Path:
    if len(found) != 1:
        names = ", ".join(sorted(file.name for file in found)[:3])
        raise UnclearError(f"{names} launch it" if names else "its launch was not found beside its text")
    return found[0]


def lines(made: home.Home, entry: str) -> list[int]:
    """Return the lines of a changed file that launch a kernel."""
    path = Path(made.path)
    if path.suffix == ".py":
        return [whole.lineno for whole, _ in python.launches(made.after, entry)]
    return [made.after.count("\n", 0, call.start) + 1 for call in native.launches(made.after, entry)]


def _launches(text: str, entry: str) -> bool:
    """Tell whether a Python source launches a kernel of this name, or may."""
    return entry in text and (_doubt(text, entry) or bool(python.launches(text, entry)))


def _doubt(text: str, entry: str) -> bool:
    """Tell whether a Python source names a kernel in a way that is not understood."""
    try:
        python.launches(text, entry)
    except UnclearError:
        return True
    return False


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Say of which file a doubt is."""
    try:
        yield
    except UnclearError as why:
        raise UnclearError(f"{why} ({file.name})") from None


def _mentions(text: str, names: Iterable[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
