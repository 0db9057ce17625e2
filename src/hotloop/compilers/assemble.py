"""From amdgcn assembly to a code object with the assembler and the linker of the package ziglang."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.compilers.resources import from_metadata
from hotloop.host import toolchain
from hotloop.targets.target import Target

_TARGET = re.compile(r'(\.amdgcn_target\s+)"[^"]*"')


def assemble(text: str, target: Target, kernel: str) -> Result:
    """Return a code object of a listing, or what the assembler says of it; runs in a process of its own.

    Raises:
        MissingExtraError: the assembler is not installed.
    """
    request = Request(source=Path("patched.s"), text=text, target=target, kernel=kernel)
    return _clang.attempt(request, partial(_made, text))


def readable(text: str, target: Target) -> str:
    """Return a listing with the target as this assembler spells it: newer compilers write another triple.

    >>> readable('.amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx942"', Target.parse("gfx942"))
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"'
    """
    return _TARGET.sub(rf'\1"amdgcn-amd-amdhsa--{target.processor}"', text)


def _made(text: str, shop: _clang.Workshop) -> Compiled:
    target, tool = shop.request.target, toolchain.clang()
    (shop.folder / "k.s").write_text(readable(text, target), encoding="utf-8")
    machine = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={target.processor}", "-nogpulib")
    shop.run(tool, (*machine, "-c", "-x", "assembler", "k.s", "-o", "k.o"))
    shop.run(toolchain.linker(), ("-shared", "k.o", "-o", "k.hsaco"))
    return Compiled(
        kernel=shop.request.kernel,
        language="assembly",
        target=str(target),
        listing=text,
        dialect="amdgcn",
        binary=(shop.folder / "k.hsaco").read_bytes(),
        resources=from_metadata(text, target),
        compiler=toolchain.provenance({"clang": tool}),
        duration_ns=sum(shop.spent_ns),
    )
