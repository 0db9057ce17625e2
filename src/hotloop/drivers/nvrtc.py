"""NVRTC through cuda.bindings: CUDA C++ text to a cubin."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cuda.bindings import nvrtc

from hotloop.drivers.api import Compiled, defined, given
from hotloop.ports import BuildError

_OWN_TARGET = ("-arch", "--gpu-architecture")
_FIRST_SPECIFIC = 90
"""From compute capability 9.0 on, some instructions (wgmma) exist only for the ``a`` target of exactly this processor."""


def compile_text(text: str, name: str, options: Sequence[str], entries: Sequence[str], capability: int) -> Compiled:
    """Return the cubin of a CUDA C++ text. Raises BuildError with the compiler's log."""
    text, options = defined(text, name, options)
    program = _checked(nvrtc.nvrtcCreateProgram(text.encode(), name.encode(), 0, None, None))
    try:
        for entry in entries:
            _checked(nvrtc.nvrtcAddNameExpression(program, entry.encode()))
        flags = [flag.encode() for flag in (*_defaults(options, capability), *options)]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), flags)
        log = _log(program)
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise BuildError(log or status.name)
        symbols = {e: _checked(nvrtc.nvrtcGetLoweredName(program, e.encode())).decode() for e in entries}
        return Compiled(_cubin(program), symbols, log)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def version() -> str:
    """Return NVRTC's version. Raises BuildError when there is no such library."""
    try:
        status, major, minor = nvrtc.nvrtcVersion()
    except RuntimeError as error:
        raise BuildError(f"NVRTC cannot be loaded: {str(error).partition(chr(10))[0]}") from None
    return f"{major}.{minor}" if status == nvrtc.nvrtcResult.NVRTC_SUCCESS else "of unknown version"


def _defaults(options: Sequence[str], capability: int) -> tuple[str, ...]:
    """Return target, line table and headers, which the caller's own options may replace."""
    suffix = "a" if capability >= _FIRST_SPECIFIC else ""
    target = () if any(o.startswith(_OWN_TARGET) for o in options) else (f"--gpu-architecture=sm_{capability}{suffix}",)
    return (*target, "--generate-line-info", *(f"--include-path={folder}" for folder in headers()))


@cache
def headers() -> tuple[str, ...]:
    """Return the folders of CUDA's headers (``cuda_fp16.h`` ...): of NVIDIA's wheels, else of an installed toolkit."""
    site = Path(sysconfig.get_path("purelib")) / "nvidia"
    wheels = (*sorted(site.glob("cu[0-9]*/include"), reverse=True), site / "cuda_runtime" / "include")
    toolkits = [Path(os.environ[name]) / "include" for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    for folder in (*toolkits, *wheels, Path("/usr/local/cuda/include")):
        if (folder / "cuda_fp16.h").is_file():
            cccl = folder / "cccl"
            return (str(folder), str(cccl)) if cccl.is_dir() else (str(folder),)
    return ()


def _log(program: Any) -> str:  # noqa: ANN401 - cuda.bindings is untyped
    size = _checked(nvrtc.nvrtcGetProgramLogSize(program))
    text = bytes(size)
    _checked(nvrtc.nvrtcGetProgramLog(program, text))
    return str(text, errors="replace").strip("\0 \n")


def _cubin(program: Any) -> bytes:  # noqa: ANN401
    size = _checked(nvrtc.nvrtcGetCUBINSize(program))
    if not size:
        raise BuildError("error: the options ask for PTX only; give no --gpu-architecture=compute_..")
    cubin = bytes(size)
    _checked(nvrtc.nvrtcGetCUBIN(program, cubin))
    return cubin


def _checked(answer: tuple[Any, ...]) -> Any:  # noqa: ANN401
    success = nvrtc.nvrtcResult.NVRTC_SUCCESS
    return given(answer, success, lambda status: BuildError(f"error: NVRTC answers {status.name}"))
