"""Shared libraries of hotloop's own C texts: compiled once, and kept in a folder that other processes use, too."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hotloop.errors import MachineError
from hotloop.host import scratch, toolchain


def keep(
    path: Path,
    texts: Mapping[str, str],
    main: str,
    options: tuple[str, ...],
    *,
    cc: toolchain.Tool | None,
    limit_s: float,
    what: str,
) -> None:
    """Compile a C file to a shared library at `path`, unless one stands there already.

    Args:
        path: where the library is kept; its name tells text, options and compiler apart.
        texts: the files by name, which include each other.
        main: the one of them to compile.
        options: what the compiler is told.
        cc: the system's compiler; None: the clang and the linker of the package ziglang.
        limit_s: seconds of wall time that each step may take.
        what: what the library is, for the error.

    Raises:
        MachineError: it does not compile.
        MissingExtraError: there is no compiler.
        OSError: the folder cannot be written.
        ToolSilentError: the compiler did not end.
    """
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with scratch.folder() as name:
        place = Path(name)
        for file, text in texts.items():
            (place / file).write_text(text, encoding="utf-8")
        for tool, arguments in _steps(cc, main, options):
            ran = toolchain.run(tool, arguments, limit_s, folder=place)
            if ran.returncode:
                raise MachineError(f"{tool.name} does not compile {what}: {ran.stderr.strip()[:300]}")
        write(path, (place / "made.so").read_bytes())


def write(path: Path, content: bytes) -> None:
    """Write a file beside its place first: another process may look for it at any moment, and a disk may be full."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="hotloop-") as name:
        made = Path(name) / path.name
        made.write_bytes(content)
        made.replace(path)


def _steps(
    cc: toolchain.Tool | None, main: str, options: tuple[str, ...]
) -> tuple[tuple[toolchain.Tool, tuple[str, ...]], ...]:
    if cc is not None:
        return ((cc, (*options, "-shared", main, "-o", "made.so", "-lpthread")),)
    return (
        (toolchain.clang(), (*options, "-c", main, "-o", "made.o")),
        (toolchain.linker(), ("-shared", "made.o", "-o", "made.so")),
    )
