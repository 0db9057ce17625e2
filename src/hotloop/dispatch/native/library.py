"""The shared library that launches known calls (``form.c``, ``known.c``): compiled once for a source text, kept in the user's cache folder, opened."""

from __future__ import annotations

import ctypes
import logging
import platform
import signal
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from hotloop.dispatch import straight
from hotloop.errors import HotloopError, MachineError
from hotloop.host import compiled, scratch, toolchain
from hotloop.model.record import digest

_LIMIT_S = 60.0
_OPTIONS = ("-std=c11", "-O2", "-fPIC", "-ffreestanding", "-fno-stack-protector", "-w")
_PASSED = "passed"
"""Last line that the trial prints."""
_HERE = Path(__file__).parent
_FAULTS = frozenset(
    -number for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT, signal.SIGTRAP)
)
"""How a process ends that the library killed; by other signals somebody else ended it, which says nothing of the library."""
_log = logging.getLogger("hotloop.ops")
Maker = Callable[[tuple[object, ...]], Callable[[tuple[Any, ...]], Any]]


class Functions(NamedTuple):
    """What the library has; each takes a spec, and returns a function that takes a call's arguments as one tuple."""

    form: Maker
    """``hotloop_form``: makes the results."""
    known: Maker
    """``hotloop_known``: tells first whether the call is of a form."""


@cache
def functions() -> Functions | None:
    """Return the library's functions, built if it must be; None where there is no compiler, or Python's interface is another."""
    if not straight.COMPILED:
        return None
    try:
        path = built(Path(platformdirs.user_cache_dir("hotloop")).absolute())
        tried(path)
        return opened(path)
    except (HotloopError, OSError, AttributeError, ValueError, RuntimeError, toolchain.ToolSilentError) as error:
        _log.info("calls are launched from Python, which takes some microseconds longer: %s", error)
        return None


def built(folder: Path) -> Path:
    """Return the library's file in a folder, where other processes may build it, too.

    Raises:
        MachineError: it is not for this system, or does not compile.
        MissingExtraError: there is no compiler.
        OSError: the folder cannot be written.
        ToolSilentError: the compiler did not end.
    """
    if (
        platform.system() != "Linux"
        or sys.implementation.name != "cpython"
        or sysconfig.get_config_var("Py_GIL_DISABLED")
    ):
        raise MachineError("the compiled launcher is for CPython with its lock, on Linux.")
    text = source()
    path = folder / f"calls-{digest([text, *_OPTIONS, platform.machine()])[:24]}.so"
    _build(text, path)
    return path


def source() -> str:
    """Return the C text: declarations, a form's launches, and how a call of a known form is recognized."""
    folder = resources.files("hotloop.dispatch.native")
    return "".join((folder / name).read_text(encoding="utf-8") for name in ("python.h", "form.c", "known.c"))


def tried(path: Path) -> None:
    """Let a process of its own make calls by a library, once for this Python; what kills that process does not kill this one.

    Raises:
        MachineError: the process did not end well, now or earlier; or this program is no Python that can be started again.
        OSError: the answer cannot be kept.
        ToolSilentError: it did not end.
    """
    trial = (_HERE / "trial.py").read_text(encoding="utf-8")
    mark = path.with_suffix(f".{digest([sys.version, sys.executable, trial])[:12]}")
    if not mark.exists():
        if getattr(sys, "frozen", False) or not Path(sys.executable or "").name.lower().startswith("python"):
            raise MachineError("Python is a part of another program here, so the compiled launcher cannot be tried.")
        python = toolchain.Tool("python", (sys.executable, "-I", "-S"), "this Python")
        with scratch.folder() as name:
            ran = toolchain.run(python, (str(_HERE / "trial.py"), str(path)), _LIMIT_S, folder=Path(name))
        if ran.returncode < 0 and ran.returncode not in _FAULTS:
            raise MachineError(
                f"the trial of the compiled launcher was ended from outside, by signal {-ran.returncode}."
            )
        passed = ran.returncode == 0 and ran.stdout.strip() == _PASSED
        compiled.write(
            mark, (_PASSED if passed else f"ended with {ran.returncode}: {ran.stderr.strip()[-300:]}").encode()
        )
    if (outcome := mark.read_text(encoding="utf-8")) != _PASSED:
        raise MachineError(f"the compiled launcher did not pass its trial ({mark}): {outcome}")


def opened(path: Path) -> Functions:
    """Return the library's functions. Raises OSError, or AttributeError."""
    library = ctypes.PyDLL(str(path))
    made = Functions(library.hotloop_form, library.hotloop_known)
    for function in made:
        function.argtypes, function.restype = (ctypes.py_object,), ctypes.py_object  # type: ignore[attr-defined] # ctypes'
    return made


def _build(text: str, path: Path) -> None:
    cc = toolchain.system_compiler()
    compiled.keep(path, {"calls.c": text}, "calls.c", _OPTIONS, cc=cc, limit_s=_LIMIT_S, what="the launcher")
