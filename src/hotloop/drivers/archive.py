"""What Triton's cache holds of some compilations, packed to be handed from process to process.

Triton keeps a folder for each compilation, named by all that decides it: source, types, values, options, compiler. Whoever has
the folder in its own cache compiles nothing.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from hotloop.ports import BuildError

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*/[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_GROUP = "__grp__"
"""Beginning of the names of Triton's lists of files."""
_MOST_BYTES = 256 * 2**20
"""Largest total size of all files in bytes; a kernel's files are smaller."""


def packed(hashes: Iterable[str]) -> bytes:
    """Return the folders of compilations."""
    from triton.runtime.cache import get_cache_manager

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as files:
        for folder in dict.fromkeys(Path(get_cache_manager(digest).cache_dir) for digest in hashes):
            for file in sorted(folder.iterdir()):
                if file.is_file():
                    files.write(file, f"{folder.name}/{file.name}")
    return content.getvalue()


def unpacked(archive: bytes) -> None:
    """Put folders into this process's cache. Raises BuildError for what is no such archive."""
    from triton import knobs

    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            listed = files.infolist()
            if sum(member.file_size for member in listed) > _MOST_BYTES or not all(
                _NAME.fullmatch(member.filename) for member in listed
            ):
                raise BuildError("error: no archive of compiled kernels")
            files.extractall(knobs.cache.dir)
        for member in listed:
            if "/" + _GROUP in member.filename:
                _resettle(Path(knobs.cache.dir) / member.filename)
    except (zipfile.BadZipFile, OSError, ValueError, LookupError, AttributeError) as error:
        raise BuildError(f"error: {error}") from None


def _resettle(group: Path) -> None:
    """Have a list of files that belong together name them where they lie now: Triton writes whole paths."""
    named = json.loads(group.read_text(encoding="utf-8"))["child_paths"]
    here = {name: str(group.parent / Path(path).name) for name, path in named.items()}
    group.write_text(json.dumps({"child_paths": here}), encoding="utf-8")
