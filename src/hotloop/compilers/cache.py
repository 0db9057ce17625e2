"""Kernels out of Triton's cache folder, which keeps ``NAME.json`` beside ``NAME.amdgcn`` and ``.hsaco``, or ``.ptx`` and ``.cubin``.

The folder alone is enough to analyse what a program compiled, on a machine without its GPU, Triton or sources.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hotloop.compilers.offer import Compiled
from hotloop.compilers.resources import from_cubin, from_metadata, launched
from hotloop.errors import MachineError, UsageError
from hotloop.host import disassemble, toolchain
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

_GROUP = "__grp__"
"""Files that list the others of a kernel."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry of the cache that is damaged, of another kind, or cannot be disassembled here."""

    path: Path
    reason: str


def read(folder: Path) -> tuple[Compiled | Unreadable, ...]:
    """Return every kernel in a cache folder, in order of name and path.

    Raises:
        UsageError: there is no such folder, or nothing in it looks like a kernel of Triton.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; give a Triton cache, usually ~/.triton/cache.")
    paths = sorted(path for path in folder.rglob("*.json") if not path.name.startswith(_GROUP))
    entries = [entry for path in sorted(paths, key=lambda path: (path.name, path)) if (entry := _entry(path))]
    if not entries:
        raise UsageError(f"{folder} holds no kernel of Triton: no NAME.json with NAME.amdgcn, .hsaco, .cubin or .ptx.")
    return tuple(entries)


def _entry(path: Path) -> Compiled | Unreadable | None:
    """Return a kernel; None for a file that is something else of Triton's (launchers, helper libraries)."""
    kinds = [kind for kind in ("amdgcn", "hsaco", "cubin", "ptx") if path.with_suffix(f".{kind}").is_file()]
    if not kinds:
        return None
    try:
        metadata = json.loads(path.read_text(encoding="utf-8"))
        target = _target(metadata["target"])
        return _amd(path, metadata, target) if target.amd else _nvidia(path, metadata, target)
    except (OSError, ValueError, KeyError, TypeError, UsageError, MachineError, toolchain.ToolSilentError) as error:
        return Unreadable(path, f"{type(error).__name__}: {error}")


def _target(data: dict[str, Any]) -> Target:
    arch = data["arch"]
    return Target.parse(f"sm_{arch}" if data["backend"] == "cuda" else str(arch))


def _amd(path: Path, metadata: dict[str, Any], target: Target) -> Compiled:
    listing, binary = path.with_suffix(".amdgcn"), path.with_suffix(".hsaco")
    code = binary.read_bytes() if binary.is_file() else b""
    text = listing.read_text(encoding="utf-8") if listing.is_file() else disassemble.amdgcn(code)
    made = _compiled(metadata, target, text, "amdgcn", code)
    return _launched(made, metadata, from_metadata(text, target))


def _nvidia(path: Path, metadata: dict[str, Any], target: Target) -> Compiled:
    ptx, binary = path.with_suffix(".ptx"), path.with_suffix(".cubin")
    text = ptx.read_text(encoding="utf-8") if ptx.is_file() else ""
    if not binary.is_file():
        return _compiled(metadata, target, text, "ptx", b"", text)
    code = binary.read_bytes()
    made = _compiled(metadata, target, disassemble.sass(code), "sass", code, text)
    return _launched(made, metadata, from_cubin(disassemble.usage(code), "", target))


def _compiled(
    metadata: dict[str, Any], target: Target, text: str, dialect: str, code: bytes, ptx: str = ""
) -> Compiled:
    options = tuple(f"{name}={metadata[name]}" for name in ("num_warps", "num_stages", "num_ctas") if name in metadata)
    return Compiled(
        kernel=str(metadata["name"]),
        language="triton",
        target=str(target),
        listing=text,
        dialect=dialect,
        binary=code,
        resources=(),
        compiler=f"triton {metadata['triton_version']}" if "triton_version" in metadata else "triton",
        options=options,
        ptx=ptx,
    )


def _launched(made: Compiled, metadata: dict[str, Any], kernels: tuple[KernelResources, ...]) -> Compiled:
    threads = int(metadata["num_warps"]) * int(metadata["target"]["warp_size"])
    return replace(made, resources=tuple(launched(k, made.kernel, int(metadata["shared"]), threads) for k in kernels))
