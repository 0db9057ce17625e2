"""CUDA C++ and PTX for NVIDIA GPUs: nvcc where it is installed, else clang with a small header; ptxas from Triton's wheel."""

from __future__ import annotations

import re
from functools import partial

from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.host import toolchain
from hotloop.host.toolchain import Tool
from hotloop.targets.target import Target

_CLANG = ("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-target", "x86_64-linux-gnu", "-fdeclspec")
_INCLUDES = re.compile(r"^\s*#\s*include\s*[<\"]cuda_(?:runtime|fp16)", re.MULTILINE)


class CudaCompiler:
    """Compiles a whole ``.cu`` or ``.ptx`` file."""

    name = "cuda"
    suffixes = (".cu", ".ptx")

    def refusal(self, target: Target) -> str:
        """Return why a target cannot be reached, or an empty text."""
        return f"CUDA is compiled for NVIDIA's GPUs; for {target.name} give a .hip file." if target.amd else ""

    def compile(self, request: Request) -> Result:
        """Compile with nvcc, or with clang and ptxas; a PTX file with ptxas alone."""
        nvcc = toolchain.nvcc()
        if request.source.suffix == ".ptx":
            return _clang.attempt(request, partial(_ptx, self.name))
        return _clang.attempt(request, partial(_nvcc, self.name, nvcc) if nvcc else partial(_clang_cuda, self.name))


def _ptx(name: str, shop: _clang.Workshop) -> Compiled:
    return _clang.assembled(shop, name, _clang.text(shop.request), "", "")


def _nvcc(name: str, tool: Tool, shop: _clang.Workshop) -> Compiled:
    """Compile twice: a cubin, and the PTX that it was made of, which nvcc keeps to itself otherwise."""
    request = shop.request
    path = _clang.source(shop, ".cu")
    base = (f"-arch={request.target.processor}", "-lineinfo", *_nvcc_options(request), str(path))
    ran = shop.run(tool, ("-cubin", "-Xptxas", "--verbose", "-o", "k.cubin", *base))
    shop.run(tool, ("-ptx", "-o", "k.ptx", *base))
    binary = (shop.folder / "k.cubin").read_bytes()
    log = "\n".join(line for line in ran.stderr.splitlines() if "warning" in line)
    compiler = toolchain.provenance({"nvcc": tool})
    return _clang.cubin(shop, name, binary, shop.read("k.ptx"), log, ran.stderr, compiler)


def _nvcc_options(request: Request) -> tuple[str, ...]:
    """Return level, macros and further options; nvcc's own level is the host's, so ptxas is told as well."""
    level = f"-O{min(request.optimization, 3)}"
    others = _clang.common(request)[1:]
    return (level, "-Xptxas", level, *others)


def _clang_cuda(name: str, shop: _clang.Workshop) -> Compiled:
    request = shop.request
    arch = (f"--cuda-gpu-arch={request.target.processor}", f"--cuda-feature={_clang.ptx_feature(request.target)}")
    text, log = _clang.ptx(
        shop, (*_CLANG, *arch, "--cuda-path=/nonexistent", *_headers(shop)), _clang.source(shop, ".cu")
    )
    return _clang.assembled(shop, name, text, log, toolchain.provenance({"clang": toolchain.clang()}))


def _headers(shop: _clang.Workshop) -> tuple[str, ...]:
    text = _clang.included(shop.request)
    return () if not _INCLUDES.search(text) and _clang.defines_words(text) else _clang.stand_ins(shop, text)


COMPILER = CudaCompiler()
