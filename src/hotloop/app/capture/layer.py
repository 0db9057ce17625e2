"""The layer that hears OpenCL launches of programs in any language: compiled once for a source text, kept in the user's cache folder.

An ICD loader (ocl-icd since 2.3, Khronos' since 2021) puts what `OPENCL_LAYERS` names between a program and its runtime.
"""

from __future__ import annotations

import os
import platform
from importlib import resources
from pathlib import Path

import platformdirs

from hotloop.errors import HotloopError, MachineError
from hotloop.host import compiled, toolchain
from hotloop.model.record import digest

LAYERS, SETTINGS = "OPENCL_LAYERS", "HOTLOOP_LAYER"
_PARTS = ("api.h", "known.h", "journal.h", "launches.h", "layer.c")
_OPTIONS = ("-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-w")
_LIMIT_S = 60.0


def source() -> str:
    """Return the layer's C text."""
    folder = resources.files("hotloop.recorder") / "layer"
    return "".join((folder / name).read_text(encoding="utf-8") for name in _PARTS)


def environment(folder: Path, after_s: float, max_bytes: int, *, values: bool) -> tuple[dict[str, str], str]:
    """Return the variables that make OpenCL loaders load the layer, and an empty text; where it cannot be built, none and the reason in words."""
    try:
        library = built(Path(platformdirs.user_cache_dir("hotloop")).absolute())
    except toolchain.ToolSilentError as error:
        return {}, f"the C compiler gave {error}"
    except (HotloopError, OSError) as error:
        return {}, str(error)
    layers = os.pathsep.join([str(library), *filter(None, [os.environ.get(LAYERS)])])
    return {LAYERS: layers, SETTINGS: f"{after_s} {max_bytes} {int(values)} {folder}"}, ""


def built(folder: Path) -> Path:
    """Return the layer's library in a folder, where other processes may build it, too.

    Raises:
        MachineError: it is not for this system, there is no compiler, or it does not compile.
        OSError: the folder cannot be written.
        ToolSilentError: the compiler did not end.
    """
    if platform.system() != "Linux":
        raise MachineError("OpenCL programs that are not in Python are heard on Linux only.")
    compiler = toolchain.system_compiler()
    if compiler is None:
        raise MachineError(
            "OpenCL programs that are not in Python are heard where there is a C compiler (cc, gcc, clang)."
        )
    text = source()
    path = folder / f"layer-{digest([text, *_OPTIONS, platform.machine()])[:24]}.so"
    compiled.keep(path, {"layer.c": text}, "layer.c", _OPTIONS, cc=compiler, limit_s=_LIMIT_S, what="the OpenCL layer")
    return path
