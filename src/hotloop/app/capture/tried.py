"""A program run with a patch and without, each in a copy of its folder: nothing of the user's own files is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotloop.app.run.kept.change import Change
from hotloop.app.run.kept.patch import Patch
from hotloop.captures import folder as folders
from hotloop.errors import MachineError, UsageError
from hotloop.host import program, runtimes, scratch

_MOST_BYTES = 512 << 20
"""Size of a folder that is copied twice."""
_LEFT = (".git", "__pycache__", ".venv", "node_modules")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Tried:
    """How a program ended, as it is and patched."""

    before: int
    after: int
    """Exit status; negative where a signal ended it."""
    differing: tuple[str, ...]
    """Lines of its standard output that the patched one does not print, or prints otherwise, at most three; times and random numbers do so anyway."""

    @property
    def words(self) -> str:
        """Return the outcome in a sentence."""
        if self.before != self.after:
            return f"patched, it ends with code {self.after} instead of {self.before}"
        if self.differing:
            return f"patched, it ends with code {self.after} as before; it printed otherwise before: {' | '.join(self.differing)}"
        return f"patched, it ends with code {self.after} as before, and prints the same"


def tried(patch: Patch, command: Sequence[str]) -> Tried:
    """Run a program in two copies of the folder in which its changed files are, one of them patched.

    Raises:
        UsageError: the text stands in no file of the program, the folder that holds both is too large to be copied, or there is no such program.
        MachineError: the copies cannot be made.
    """
    program.require(command[0])
    files = [one for one in (patch, *patch.host) if one.before != one.after]
    kept = next((one.path for one in files if folders.is_capture(Path(one.path).parent)), None)
    if kept is not None:
        raise UsageError(
            f"there is no patched program to try: the text stands in no file of it as one string, only in {kept}; run the program with hotloop adopt."
        )
    root = Path(os.path.commonpath([Path.cwd().resolve(), *(Path(one.path).resolve().parent for one in files)]))
    if root.parent == root or _size(root) > _MOST_BYTES:
        raise UsageError(_too_large(root, files))
    with scratch.folder() as place:
        copies = [Path(place) / name for name in ("before", "after")]
        try:
            for copy in copies:
                shutil.copytree(root, copy, symlinks=True, ignore=_ignored)
            for one in files:
                (copies[1] / Path(one.path).resolve().relative_to(root)).write_bytes(one.data)
        except (OSError, shutil.Error) as error:
            raise MachineError(f"cannot copy {root} for a trial: {error}; run the patched program by hand.") from None
        (first, printed), (last, prints) = (_run(command, root, copy) for copy in copies)
    return Tried(first, last, tuple(line for line in printed if line not in set(prints))[:_SHOWN])


def _too_large(root: Path, files: Sequence[Change]) -> str:
    """Return why a folder is not copied, and what to do: a changed file may lie in an installed package."""
    outside = [one.path for one in files if not Path(one.path).resolve().is_relative_to(Path.cwd().resolve())]
    if not outside:
        return f"{root} is too large to be copied for a trial; try the patch in a copy of the program by hand."
    return (
        f"{outside[0]} lies outside of the folder in which the command is given, and {root}, which holds both, is too large to be copied for a trial; "
        "give the command in the folder above that file, or run the program with hotloop adopt."
    )


def _run(command: Sequence[str], root: Path, copy: Path) -> tuple[int, list[str]]:
    """Return how a program ends in a copy, and the lines that it prints."""
    words = [word.replace(str(root), str(copy)) if word.startswith(str(root)) else word for word in command]
    within = copy / Path.cwd().resolve().relative_to(root)
    code, text = program.printed(words, runtimes.loader_environment(), str(within))
    return code, text.replace(str(copy), str(root)).splitlines()


def _ignored(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in _LEFT or folders.is_capture(Path(folder) / name)]


def _size(root: Path) -> int:
    """Return the bytes of a folder's files, as far as it matters whether they are too many."""
    total = 0
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in _LEFT]
        total += sum((Path(folder) / name).lstat().st_size for name in names)
        if total > _MOST_BYTES:
            break
    return total
