"""OpenCL runtimes on this machine: found, made visible to the ICD loader, and explained when they cannot work.

The pip wheel of Intel's CPU runtime registers itself with a path that only fits conda, and it does not declare the
package that holds its own math libraries; so hotloop locates the library, writes a correct ICD file into a folder of
its own, and hands that folder to the loader that the pyopencl wheel bundles (ocl-icd: the value replaces the system
folder, hence the system's entries are copied).
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from hotloop.host import settings
from hotloop.model.record import digest

SYSTEM_VENDORS = Path("/etc/OpenCL/vendors")
_NVIDIA_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/nvidia/lib64", "/usr/lib/aarch64-linux-gnu")
INSTALL_CPU = "pip install 'hotloop[cpu]'"


@dataclass(frozen=True, slots=True)
class Runtime:
    """One OpenCL runtime library that could be loaded."""

    key: str
    """``intel`` for the pip package, else the stem of the system's ICD file."""
    library: str
    """Entry of the ICD file: a path, or a soname that the system's loader resolves."""
    origin: str
    """Place at which the runtime was found."""
    problem: str = ""
    """Why it cannot work, empty when nothing is known against it."""
    remedy: str = ""
    """The one command that mends it."""


def find() -> tuple[Runtime, ...]:
    """Return the runtimes of the pip environment and of the system."""
    runtimes = [runtime for runtime in (_intel(), _nvidia()) if runtime]
    for entry in sorted(SYSTEM_VENDORS.glob("*.icd")) if SYSTEM_VENDORS.is_dir() else ():
        library = entry.read_text(encoding="utf-8", errors="replace").strip().partition("\n")[0]
        if library and not any(Path(library).name == Path(r.library).name for r in runtimes):
            runtimes.append(Runtime(entry.stem, library, str(entry)))
    return tuple(runtimes)


def vendor_folder(runtimes: tuple[Runtime, ...]) -> Path:
    """Write one ICD file per runtime and return the folder; the same runtimes give the same folder."""
    name = f"icd-{digest([[r.key, r.library] for r in runtimes])}"
    for root in (Path(platformdirs.user_cache_dir("hotloop")), Path(tempfile.gettempdir()) / f"hotloop-{os.getuid()}"):
        folder = root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for runtime in runtimes:
                _write(folder / f"{runtime.key}.icd", f"{runtime.library}\n")
        except OSError:
            continue
        return folder
    return SYSTEM_VENDORS


def loader_environment() -> dict[str, str]:
    """Return the variables that make every found runtime visible; empty when the user has chosen runtimes himself."""
    if settings.ICD_VENDORS.get():
        return {}
    runtimes = tuple(r for r in find() if not r.problem)
    return {settings.ICD_VENDORS.name: str(vendor_folder(runtimes))} if runtimes else {}


def bindings_installed() -> bool:
    """Tell whether pyopencl can be imported, without importing it."""
    return importlib.util.find_spec("pyopencl") is not None


def _intel() -> Runtime | None:
    library = _packaged("intel-opencl-rt", "libintelocl.so")
    if library is None:
        return None
    if _packaged("intel-cmplr-lib-rt", "libsvml.so") is None:
        reason = "its math libraries (libsvml, libimf) are missing: the package intel-cmplr-lib-rt is not installed"
        return Runtime("intel", str(library), "pip: intel-opencl-rt", reason, "pip install intel-cmplr-lib-rt")
    return Runtime("intel", str(library), "pip: intel-opencl-rt")


def _nvidia() -> Runtime | None:
    paths = (Path(folder) / "libnvidia-opencl.so.1" for folder in _NVIDIA_FOLDERS)
    file = next((path for path in paths if path.exists()), None)
    return Runtime("nvidia", str(file), "NVIDIA driver") if file else None


def _packaged(distribution: str, name: str) -> Path | None:
    """Return the path of a file that an installed distribution brought, by its file name, to which wheels add a digest."""
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    stem, _, ending = name.rpartition(".")
    named = re.compile(rf"{re.escape(stem)}(-[0-9a-f]{{8}})?\.{re.escape(ending)}")
    located = (Path(str(entry.locate())).resolve() for entry in files if named.fullmatch(entry.name))
    return next((path for path in located if path.exists()), None)


def _write(path: Path, text: str) -> None:
    """Write atomically: another process may be reading the same folder."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
