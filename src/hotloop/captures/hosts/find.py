"""Which files of a program launch a kernel, and those files with its launches changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from hotloop.captures import home
from hotloop.captures.hosts import native, python
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured


def changed(captured: Captured, sizes: Sizes, made: Mapping[str, str]) -> tuple[home.Home, ...]:
    """Return the program's files with the launches of a kernel changed; `made` are those whose text changes anyway, by path.

    Raises:
        UnclearError: no launch is found, or one that may be of this kernel is not understood, or it stands in a file that others use.
    """
    sizes.bounded()
    if len({launch.group is None for launch in captured.launches}) != 1 or captured.further:
        raise UnclearError("the program launches it in several forms")
    kinds = (*native.C, *native.CPP) if captured.native else (".py",)
    files = [file for file in home.sources(captured) if file.suffix in kinds]
    launching = [file for file in files if _count(file, sizes.entry)]
    own = [file for file in launching if str(file) == captured.path]
    if own and (other := next((file for file in launching if file not in own and _uses(file, own[0])), None)):
        raise UnclearError(f"{other.name} launches it, too")
    if len(own or launching) != 1:
        names = ", ".join(file.name for file in launching[:3])
        raise UnclearError(f"{names} launch it" if names else "its launch was not found beside its text")
    (file,) = own or launching
    present = home.read(file)
    before = made.get(str(file), present)
    if before != present:  # a refusal names the lines of the file as it is, not of one with the winner's text in it
        _changed(present, sizes, file)
    return (home.Home(str(file), before, _changed(before, sizes, file)),)


def _changed(source: str, sizes: Sizes, file: Path) -> str:
    return python.changed(source, sizes) if file.suffix == ".py" else native.changed(source, sizes, file)


def lines(made: home.Home, entry: str) -> list[int]:
    """Return the lines of a changed file that launch a kernel."""
    path = Path(made.path)
    if path.suffix == ".py":
        return [whole.lineno for whole, _ in python.launches(made.after, entry)]
    return [made.after.count("\n", 0, call.start) + 1 for call in native.launches(made.after, entry)]


def _count(file: Path, entry: str) -> bool:
    """Tell whether a source launches a kernel of this name, or may."""
    text = home.read(file)
    if entry not in text:
        return False
    count: Callable[[str, str], object] = python.launches if file.suffix == ".py" else native.launches
    try:
        return bool(count(text, entry))
    except UnclearError:
        return True


def _uses(file: Path, own: Path) -> bool:
    """Tell whether a source names another one's module."""
    return re.search(rf"\b{re.escape(own.stem)}\b", home.read(file)) is not None
