"""The kernel file that ``hotloop init`` writes: small, working, and worth optimizing; one folder of templates per language."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from hotloop.errors import MachineError, UnknownNameError, UsageError

_TEMPLATES = "hotloop.app"
_ENDING = ".txt"
"""Templates are text to every tool that looks for source files."""

_IMPORTED = frozenset({"hotloop", "numpy", "torch", "triton"})
"""Packages that kernel files import."""


def languages() -> tuple[str, ...]:
    """Return the languages that there are templates for; OpenCL C, which runs anywhere, first."""
    names = (entry.name for entry in _folder().iterdir() if entry.is_dir() and not entry.name.startswith("_"))
    return tuple(sorted(names, key=lambda name: (name != "opencl", name)))


def write(folder: Path, name: str, language: str = "opencl", *, overwrite: bool = False) -> tuple[Path, ...]:
    """Write NAME.py, and the source file where the language has one, into a folder; return their paths, NAME.py first.

    Raises:
        UnknownNameError: there is no template for the language.
        UsageError: the name is no identifier, the folder looks like a file, or as `put` does.
        MachineError: the folder cannot be written.
    """
    if language not in languages():
        raise UnknownNameError("language", language, languages())
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"--name {name!r} is not usable as a name in Python and C; use letters, digits and _.")
    if folder.suffix in (".py", ".cl", ".cu", ".hip"):
        raise UsageError(f"{folder} is taken for a folder; name the files with --name {folder.stem} instead.")
    texts = {folder / path: text for path, text in _texts(language, name).items()}
    put(texts, overwrite=overwrite)
    return tuple(texts)


def put(texts: Mapping[Path, str], *, overwrite: bool = False) -> None:
    """Write files.

    Raises:
        UsageError: one exists already, or would hide a module that every program, or a kernel file, imports.
        MachineError: they cannot be written.
    """
    hiding = next(
        (path for path in texts if path.stem in sys.stdlib_module_names | _IMPORTED and path.suffix == ".py"), None
    )
    if hiding is not None:
        raise UsageError(
            f"{hiding} would hide Python's module {hiding.stem} from programs in that folder; choose another name."
        )
    existing = [str(path) for path in texts if path.exists()]
    if existing and not overwrite:
        verb = "exists" if len(existing) == 1 else "exist"
        raise UsageError(f"{' and '.join(existing)} {verb} already; choose another name or folder, or give --force.")
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise MachineError(f"cannot write into {path.parent}: {error.strerror}; choose another folder.") from None


def _texts(language: str, name: str) -> dict[str, str]:
    """Return the files by name, the Python file first."""
    # `kernel` is a keyword of OpenCL C, so a kernel of that name needs another entry point.
    entry = f"{name}_main" if name == "kernel" else name
    files = sorted((_folder() / language).iterdir(), key=lambda entry: (".py" not in entry.name, entry.name))
    return {
        file.name.removesuffix(_ENDING).replace("kernel", name, 1): file.read_text(encoding="utf-8")
        .replace("@NAME@", name)
        .replace("@ENTRY@", entry)
        for file in files
        if file.name.endswith(_ENDING)
    }


def _folder() -> Traversable:
    return resources.files(_TEMPLATES) / "templates"
