"""What ``CAPTURE`` and ``CAPTURE/KERNEL`` name, as a kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.captures import folder as folders
from hotloop.captures.nouns import Captured
from hotloop.errors import UsageError
from hotloop.recorder.place import digest

if TYPE_CHECKING:
    from hotloop.model.kernel import Kernel


def names(spec: str) -> tuple[Path, str] | None:
    """Return folder and kernel that a text names; None where it names no capture."""
    path = Path(spec)
    try:
        if path.is_dir() and folders.is_capture(path):
            return path, ""
        if not path.exists() and path.parent.is_dir() and folders.is_capture(path.parent):
            return path.parent, path.name
    except OSError:  # too long for a path
        return None
    return None


def load(folder: Path, name: str, limit_s: float) -> Kernel:
    """Return the kernel of a capture; without a name the most expensive one.

    Raises:
        UsageError: the capture is truncated or of another version, or its kernel cannot be launched alone.
        UnknownNameError: it has no such kernel.
    """
    capture = folders.read(folder)
    captured = folders.kernel(folder, capture, name)
    _launchable(folder, captured)
    if captured.language == "cuda":
        raise UsageError(
            f"{folder}/{captured.name} was launched through CuPy: its cost is known and its text kept in {folder / captured.source}, but CUDA C++ is "
            f"not rewritten yet; write a kernel file about it (hotloop init --language cuda), or read its code: "
            f"hotloop isa {folder / captured.source} --target sm_90."
        )
    if captured.language == "opencl":
        from hotloop.app.captured import opencl

        return _dated(opencl.load(folder, captured, captured.main, limit_s), captured)
    from hotloop.app.captured import triton

    return _dated(triton.load(folder, captured, limit_s), captured)


def _dated(kernel: Kernel, captured: Captured) -> Kernel:
    """Return a kernel that says of its program's file that it is another one by now."""
    fresh = digest.__wrapped__  # this process may have asked before
    now = fresh(captured.path) if captured.path and captured.digest else captured.digest
    if now == captured.digest:
        return kernel
    remark = f"{captured.path} {'has changed since the capture' if now else 'is not there any more'}: this is the kernel as it was captured; capture the program again for today's"
    return replace(kernel, remarks=lambda: (remark, *kernel.remarks()))


def _launchable(folder: Path, captured: Captured) -> None:
    if captured.obstacle:
        raise UsageError(f"{folder}/{captured.name} cannot be launched alone: {captured.obstacle.removesuffix('.')}.")
