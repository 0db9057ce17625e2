"""Predictions kept on disk by what they depend on, so that asking again costs nothing: after Ctrl-C, with another budget, for another search.

A prediction follows from the program, its inputs, the card, the compilers and hotloop's own code. The name of its file is a digest of all
of them, so that no file is ever out of date: what changed has another name. The folder ``predicted`` beside the store can be removed at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from threading import get_ident
from typing import Any

import hotloop
from hotloop.predict.sequence import Sequel

_CODE = (
    "predict", "emulate", "isa", "targets", "compilers", "frontends", "app/emulate", "app/predict", "app/code", "model", "verify/poison.py",
    "host/disassemble.py", "host/library.py", "host/program.py", "host/toolchain.py", "offline_api.py",
)  # fmt: skip
"""Parts of this package that decide what is predicted."""
_TEXTS = frozenset({".py", ".toml", ".txt", ".h", ".c"})
_COMPILERS = ("ziglang", "triton", "numpy")


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of predictions."""

    folder: Path

    def get(self, key: str) -> Sequel | str | None:
        """Return what is known of a key: a prediction, or why there is none; None: nothing."""
        from hotloop.model.codec import decode

        try:
            data: Any = json.loads(self._path(key).read_text(encoding="utf-8"))
            return str(data["refused"]) if "refused" in data else decode(data["sequel"], Sequel)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):  # not there, cut off, or of somebody else
            return None

    def put(self, key: str, answer: Sequel | str) -> None:
        """Keep an answer; a disk that is full or read-only keeps none."""
        from hotloop.model.codec import encode

        data = {"refused": answer} if isinstance(answer, str) else {"sequel": encode(answer)}
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_suffix(f".{os.getpid()}-{get_ident()}")
            try:
                beside.write_text(json.dumps(data), encoding="utf-8")
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def beside_store() -> Kept | None:
    """Return the folder beside the user's store; None where the store is named by a URL, or by a home folder that nobody has."""
    from platformdirs import user_data_path

    from hotloop.host import settings

    given = settings.STORE.get()
    if given and "://" in given:
        return None
    try:
        folder = Path(given).expanduser().parent if given else user_data_path("hotloop", appauthor=False)
    except RuntimeError:
        return None
    return Kept(folder / "predicted")


def key_of(*parts: object) -> str:
    """Return the name of what depends on some parts, on the compilers and on hotloop's code."""
    made = hashlib.sha256(_tool().encode())
    for part in parts:
        made.update(f"\0{part}".encode())
    return made.hexdigest()


@cache
def _tool() -> str:
    root, made = Path(hotloop.__file__).parent, hashlib.sha256()
    for path in _texts(root):
        made.update(f"\0{path.relative_to(root)}\0".encode())
        made.update(path.read_bytes())
    for name in _COMPILERS:
        with suppress(metadata.PackageNotFoundError):
            made.update(f"\0{name} {metadata.version(name)}".encode())
    return made.hexdigest()


def _texts(root: Path) -> Iterable[Path]:
    for part in _CODE:
        place = root / part
        yield from (path for path in sorted(place.rglob("*")) if path.suffix in _TEXTS) if place.is_dir() else [place]
