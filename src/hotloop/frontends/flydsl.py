"""FlyDSL kernels for AMD GPUs, through FlyDSL's own compiler in a child process; nothing is launched, no PyTorch is needed.

FlyDSL compiles without a card when ``COMPILE_ONLY`` and ``ARCH`` are set (both without its prefix), and links with the
``llvm/bin/ld.lld`` below ``ROCM_PATH``: here that is a short program that calls zig's LLD and keeps what it linked. Functions
such as ``exp`` come from AMD's device libraries below ``amdgcn/bitcode`` there; those of Triton's wheel serve.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.compilers.process import Told, ask
from hotloop.compilers.resources import from_metadata
from hotloop.errors import MissingExtraError
from hotloop.host import scratch, toolchain
from hotloop.model.outcome import CompileFailed
from hotloop.targets.target import Target

CHILD = "hotloop.compilers.flydsl"
_LINKER = """#!/bin/sh
{linker} "$@" || exit $?
while [ $# -gt 1 ]; do
    if [ "$1" = -o ]; then cp "$2" {linked}/$$.hsaco; fi
    shift
done
"""


class FlydslCompiler:
    """Compiles the kernels that one launcher of a Python file starts."""

    name = "flydsl"
    suffixes = (".py",)

    def refusal(self, target: Target) -> str:
        """Return why FlyDSL cannot reach a target, or an empty text."""
        return "" if target.amd else f"FlyDSL compiles for AMD's GPUs, {target.name} is NVIDIA's; try gfx942 or gfx950."

    def compile(self, request: Request) -> Result:
        """Compile in a child process: an instruction that the target does not have aborts the compiler."""
        if toolchain.package("flydsl") is None:
            raise MissingExtraError("compiling FlyDSL kernels", "flydsl")
        with scratch.folder() as name:
            return _compile(request, _Bench.in_(Path(name)))


@dataclass(frozen=True, slots=True)
class _Bench:
    """Temporary folders of one compilation."""

    dump: Path
    rocm: Path
    linked: Path

    @classmethod
    def in_(cls, folder: Path) -> _Bench:
        """Make the folders, and the linker where FlyDSL looks for it."""
        made = cls(folder / "dump", folder / "rocm", folder / "linked")
        program = made.rocm / "llvm" / "bin" / "ld.lld"
        for path in (made.dump, program.parent, made.linked):
            path.mkdir(parents=True)
        linker = shlex.join(toolchain.linker().command)
        bitcode = made.rocm / "amdgcn" / "bitcode"
        bitcode.mkdir(parents=True)
        for library in toolchain.device_libraries():
            (bitcode / library.name).symlink_to(library)
        program.write_text(_LINKER.format(linker=linker, linked=shlex.quote(str(made.linked))), encoding="utf-8")
        program.chmod(0o755)
        return made

    def source(self, request: Request) -> Path:
        """Return the file to compile; a text that is in no file is written first."""
        if not request.text:
            return request.source.resolve()
        path = self.dump.parent / request.source.name
        path.write_text(request.text, encoding="utf-8")
        return path

    def environment(self, target: Target) -> dict[str, str]:
        """Return the environment of the child."""
        return toolchain.environment(
            COMPILE_ONLY="1",
            ARCH=target.name,
            ROCM_PATH=str(self.rocm),
            FLYDSL_RUNTIME_ENABLE_CACHE="0",
            FLYDSL_DEBUG_DUMP_ASM="1",
            FLYDSL_DUMP_DIR=str(self.dump),
        )


def _compile(request: Request, bench: _Bench) -> Result:
    message = {
        "path": str(bench.source(request)),
        "kernel": request.kernel,
        "parameters": list(request.parameters),
    }
    answer = ask(CHILD, bench.environment(request.target), message, request.limit_s)
    if not isinstance(answer, Told):
        return answer
    if "failed" in answer.answer:
        return CompileFailed(answer.answer["failed"], answer.answer["line"])
    return _read(request, bench, answer.answer, answer.took_ns)


def _read(request: Request, bench: _Bench, answer: Mapping[str, Any], took_ns: int) -> Result:
    """Collect what the compiler wrote: one listing per kernel."""
    listings = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(bench.dump.rglob("*final_isa.s"))]
    if not listings:
        return CompileFailed(f"launcher {answer['launcher']} of {request.source.name} starts no kernel")
    resources = tuple(kernel for text in listings for kernel in from_metadata(text, request.target))
    binaries = [path.read_bytes() for path in sorted(bench.linked.iterdir())]
    names = tuple(kernel.name for kernel in resources)
    return Compiled(
        kernel=names[0] if len(names) == 1 else "",
        language="flydsl",
        target=str(request.target),
        listing="\n".join(listings),
        dialect="amdgcn",
        binary=binaries[0] if len(binaries) == 1 else b"",
        resources=resources,
        compiler=answer["compiler"],
        options=tuple(answer["options"]),
        duration_ns=took_ns,
    )


COMPILER = FlydslCompiler()
