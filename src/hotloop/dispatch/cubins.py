"""Compiled CUDA C++ in the user's cache folder, so that another process need not compile it again: a file for each text and compiler."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import platformdirs

from hotloop.drivers.api import Compiled
from hotloop.model.record import digest

_log = logging.getLogger("hotloop.ops")


def kept(build_key: str, entry: str, compiler: str, capability: int, compile_text: Callable[[], Compiled]) -> Compiled:
    """Return what a text compiles to, from the folder or by compiling it; a folder that cannot be used costs only time.

    Args:
        build_key: fingerprint of text and options.
        entry: the kernel.
        compiler: its name and version.
        capability: of the device, times ten.
        compile_text: compiles it. What it raises is passed on.
    """
    folder = Path(platformdirs.user_cache_dir("hotloop")).absolute() / "cubins"
    path = folder / f"{digest([build_key, entry, compiler, capability])}.cubin"
    known = _read(path)
    if known is not None:
        return known
    made = compile_text()
    try:
        _write(path, made)
    except OSError as error:
        _log.info("compiled kernels are not kept for other processes: %s", error)
    return made


def _read(path: Path) -> Compiled | None:
    """Return what a file holds; None where there is none, or it is damaged."""
    with suppress(OSError, ValueError, TypeError):
        seen, head, binary = path.read_bytes().split(b"\n", 2)
        if hashlib.sha256(head + binary).hexdigest().encode() == seen:
            symbols, log = json.loads(head)
            return Compiled(binary, dict(symbols), str(log))
    return None


def _write(path: Path, made: Compiled) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps([dict(made.symbols), made.log]).encode()
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".hotloop-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(head + made.binary).hexdigest().encode() + b"\n" + head + b"\n" + made.binary)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
