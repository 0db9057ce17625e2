"""Compilers and disassemblers that are not Python: where each one is found, and starting it with a time limit.

Nothing here needs a GPU or a driver. ``pip`` alone brings most of it: the package ``ziglang`` carries a whole clang and
LLD with the AMDGPU and NVPTX code generators, the package ``triton`` carries NVIDIA's ptxas, nvdisasm and cuobjdump.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path

from hotloop.errors import MachineError, MissingExtraError
from hotloop.host import profiling, settings

_LLVM_FOLDERS = ("/opt/rocm/llvm/bin", "/opt/rocm/lib/llvm/bin")
_CUDA_FOLDERS = ("/usr/local/cuda/bin", "/opt/cuda/bin")
_BLACKWELL_SM = 100
"""Triton's wheel has a newer ptxas for sm_100 and later."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One program that can be started."""

    name: str
    command: tuple[str, ...]
    """Program and leading arguments."""
    origin: str
    """Package that provides it: ``pip: ziglang``, ``pip: triton``, ``CUDA toolkit``, ``ROCm``, ``system``."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ended by itself or by a signal."""

    returncode: int
    """Exit status; negative where a signal ended it."""
    stdout: str
    stderr: str
    duration_ns: int

    @property
    def signal(self) -> int | None:
        """Signal that ended it, or None."""
        return -self.returncode if self.returncode < 0 else None


class ToolSilentError(Exception):
    """The program did not end within its limit; it and everything that it started have been killed."""

    def __init__(self, limit_s: float) -> None:
        super().__init__(f"no answer within {limit_s:g} s")
        self.limit_s = limit_s


def run(tool: Tool, arguments: Sequence[str], limit_s: float, *, folder: Path) -> Ran:
    """Run a tool to its end in a process group of its own, which is killed after `limit_s` seconds of wall time.

    `folder` is its working directory and takes its temporary files. A process that is killed itself meanwhile kills nobody: a limit
    of processor time, on Linux, ends the tool then.

    Raises:
        ToolSilentError: the limit passed.
        MachineError: the program cannot be started at all.
    """
    began_ns = time.monotonic_ns()
    try:
        process = subprocess.Popen(  # noqa: S603 - tools are found by this module, arguments are never a shell's
            [*tool.command, *arguments],
            cwd=folder,
            env=environment(TMPDIR=str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise MachineError(f"{tool.name} ({tool.command[0]}) cannot be started: {error.strerror}.") from error
    try:
        _bound(process.pid, limit_s)
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        raise ToolSilentError(limit_s) from None
    finally:  # also what it left behind in the background, and on Ctrl-C the program itself
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    took_ns = time.monotonic_ns() - began_ns
    return Ran(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), took_ns)


def _bound(pid: int, limit_s: float) -> None:
    """Let a process have no more processor time than all processors give within the limit of wall time."""
    if sys.platform == "linux":
        most_s = ceil(limit_s * (os.cpu_count() or 1)) + 1
        with contextlib.suppress(OSError, ValueError):  # it ended; no right to; a hard limit below this one
            resource.prlimit(pid, resource.RLIMIT_CPU, (most_s, most_s))


def environment(**changes: str) -> dict[str, str]:
    """Return this process's environment with some variables changed, fit for Python children."""
    return {**os.environ, **settings.child_path(), **changes}


def clang() -> Tool:
    """Return a clang that knows every AMD and NVIDIA target. Raises MissingExtraError."""
    return Tool("clang", (str(_zig()), "clang"), "pip: ziglang")


def system_compiler() -> Tool | None:
    """Return the system's C compiler, or None."""
    path = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return Tool("cc", (path,), "system") if path else None


def clang_headers() -> Path | None:
    """Return the folder of the headers that belong to `clang` itself (``stddef.h`` ...), or None."""
    folder = package("ziglang")
    headers = folder / "lib" / "include" if folder else None
    return headers if headers and (headers / "stddef.h").is_file() else None


def linker() -> Tool:
    """Return LLD for ELF. Raises MissingExtraError."""
    return Tool("ld.lld", (str(_zig()), "ld.lld"), "pip: ziglang")


def ptxas(sm: int = 0) -> Tool:
    """Return NVIDIA's assembler for a compute capability such as 90: Triton's, else the CUDA toolkit's.

    Raises:
        MissingExtraError: neither is installed.
    """
    return _nvidia("ptxas-blackwell" if sm >= _BLACKWELL_SM else "ptxas", "ptxas")


def nvdisasm() -> Tool:
    """Return NVIDIA's disassembler. Raises MissingExtraError."""
    return _nvidia("nvdisasm", "nvdisasm")


def cuobjdump() -> Tool:
    """Return NVIDIA's object reader. Raises MissingExtraError."""
    return _nvidia("cuobjdump", "cuobjdump")


def nvcc() -> Tool | None:
    """Return the CUDA compiler, or None: no package of PyPI brings a whole one."""
    path = profiling.find("nvcc", _CUDA_FOLDERS)
    return Tool("nvcc", (path,), "CUDA toolkit") if path else None


def llvm_objdump() -> Tool | None:
    """Return ROCm's or the newest of the system's llvm-objdump, or None."""
    numbered = {
        int(match[1]): str(folder / "bin" / "llvm-objdump")
        for folder in Path("/usr/lib").glob("llvm-*")
        if (match := re.fullmatch(r"llvm-(\d+)", folder.name)) and (folder / "bin" / "llvm-objdump").exists()
    }
    rocm = next((f"{folder}/llvm-objdump" for folder in _LLVM_FOLDERS if Path(folder, "llvm-objdump").exists()), None)
    if rocm:
        return Tool("llvm-objdump", (rocm,), "ROCm")
    path = numbered[max(numbered)] if numbered else shutil.which("llvm-objdump")
    return Tool("llvm-objdump", (path,), "system") if path else None


def hip_headers() -> Path | None:
    """Return the folder that holds ``hip/hip_runtime.h``: ROCm's, else the one in Triton's wheel, else None."""
    triton = package("triton")
    folders = [Path("/opt/rocm/include"), *([triton / "backends" / "amd" / "include"] if triton else [])]
    return next((folder for folder in folders if (folder / "hip" / "hip_runtime.h").exists()), None)


def hip_wrapper() -> Path | None:
    """Return clang's header folder with ``__clang_hip_runtime_wrapper.h``, which zig's clang lacks, or None.

    The wheel of clang-tidy has it, too, for those who have no ROCm and may install no system packages.
    """
    tidy = package("clang_tidy")
    pip = [str(tidy / "data" / "lib" / "clang")] if tidy else []
    wrappers = [
        path.parent
        for root in ("/opt/rocm/lib/llvm/lib/clang", "/opt/rocm/llvm/lib/clang", *pip, *map(str, _llvm_libraries()))
        for path in Path(root).glob("*/include/__clang_hip_runtime_wrapper.h")
    ]
    return max(wrappers, key=lambda folder: _major(folder.parent.name), default=None)


def device_libraries() -> tuple[Path, ...]:
    """Return AMD's mathematical functions as bitcode (ocml, ockl) from Triton's wheel; empty without it."""
    triton = package("triton")
    paths = [triton / "backends" / "amd" / "lib" / f"{name}.bc" for name in ("ockl", "ocml")] if triton else []
    return tuple(path for path in paths if path.exists())


@cache
def version(tool: Tool) -> str:
    """Return the first line of ``--version`` that holds a number, e.g. ``clang version 22.1.8``; empty if it fails."""
    try:
        output = subprocess.run(  # noqa: S603 - found by this module
            [*tool.command, "--version"], capture_output=True, text=True, errors="replace", timeout=20, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in output.splitlines()]
    return next((line for line in lines if re.search(r"(?:version|release) \d", line)), "")


def package(name: str) -> Path | None:
    """Return the folder of an installed package without importing it, or None."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _zig() -> Path:
    folder = package("ziglang")
    program = folder / "zig" if folder else None
    if program is None or not program.exists():
        raise MissingExtraError("compiling C for GPUs (clang in the package ziglang)", "amd")
    return program


def _nvidia(bundled: str, plain: str) -> Tool:
    triton = package("triton")
    if triton and (path := triton / "backends" / "nvidia" / "bin" / bundled).exists():
        return Tool(plain, (str(path),), "pip: triton")
    program = profiling.find(plain, _CUDA_FOLDERS)
    if program is None:
        raise MissingExtraError(f"NVIDIA's {plain} (in the package triton)", "triton")
    return Tool(plain, (program,), "CUDA toolkit")


def _llvm_libraries() -> list[Path]:
    return [folder / "lib" / "clang" for folder in Path("/usr/lib").glob("llvm-*")]


def _major(text: str) -> int:
    number = re.match(r"\d+", text)
    return int(number[0]) if number else 0


def provenance(tools: Mapping[str, Tool | None]) -> str:
    """Return one line that names tools with version and origin."""
    return ", ".join(f"{version(tool) or name} ({tool.origin})" for name, tool in tools.items() if tool)
