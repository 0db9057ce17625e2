"""The executor's fast back end: its C built once by the clang of the package ziglang, kept by the hash of its source, opened."""

from __future__ import annotations

import ctypes
import hashlib
import platform
from functools import cache
from importlib import resources
from pathlib import Path

import platformdirs

from hotloop.emulate.native import generate
from hotloop.emulate.native.engine import Native, check_sizes
from hotloop.errors import HotloopError, MachineError
from hotloop.host import compiled, settings, toolchain

_LIMIT_S = 300.0
_OPTIONS = (
    "-std=c11", "-O2", "-ftree-vectorize", "-fPIC", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-math-errno",
    "-fvisibility=hidden", "-w",
)  # fmt: skip
_MATH = "libm.so.6"


def sources() -> dict[str, str]:
    """Return the texts of the interpreter's files: those that stand in the package, and what the tables give."""
    folder = resources.files("hotloop.emulate.native") / "c"
    texts = {
        item.name: item.read_text(encoding="utf-8") for item in folder.iterdir() if item.name.endswith((".c", ".h"))
    }
    return {**texts, "rows.h": generate.generated()}


@cache
def native() -> Native | None:
    """Return the fast back end, built if it must be; None where there is no compiler or it cannot be built or opened here.

    The library stands in the user's cache folder under a hash of its source, the options and the processor.
    """
    try:
        return built(folder())
    except (HotloopError, OSError, toolchain.ToolSilentError):
        return None


def built(kept: Path) -> Native:
    """Return the fast back end with its library in a folder.

    Raises:
        MissingExtraError: there is no compiler.
        MachineError: it does not compile, or what came of it is not what this version calls.
        OSError: the folder cannot be written, or the library cannot be opened.
        ToolSilentError: the compiler did not end.
    """
    if platform.system() != "Linux":
        raise MachineError("the fast back end of the executor is built on Linux only.")
    texts, clang = sources(), toolchain.clang()
    processor = ("-mcpu=native",) if platform.machine() in ("aarch64", "arm64") else ("-march=native",)
    identity = "\0".join(
        (*sorted(f"{k}\0{v}" for k, v in texts.items()), *_OPTIONS, *processor, toolchain.version(clang), _processor())
    )
    path = kept / f"executor-{hashlib.sha256(identity.encode()).hexdigest()[:24]}.so"
    compiled.keep(
        path,
        texts,
        "run.c",
        (*_OPTIONS, *processor),
        cc=None,
        limit_s=_LIMIT_S,
        what="the fast back end of the executor",
    )
    return _opened(path)


def folder() -> Path:
    """Return where built libraries stand."""
    return Path(platformdirs.user_cache_dir("hotloop"))


def _opened(path: Path) -> Native:
    ctypes.CDLL(_MATH, mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(path))
    library.hotloop_run.restype = ctypes.c_int
    for name in ("vectors", "scalars", "scc"):
        function = getattr(library, f"hotloop_{name}")
        function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_void_p
    if not check_sizes(library):
        raise MachineError(f"{path} is not what this version calls; remove it.")
    return Native(library, settings.usable_cores())


def _processor() -> str:
    """Return what the processor can, as the system says it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "Features", "CPU part")
    return "\n".join(sorted({line for line in lines if line.startswith(wanted)}))
