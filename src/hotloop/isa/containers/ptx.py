"""Program binaries of NVIDIA's OpenCL runtime: the text of a PTX module, which the driver compiles once more for its GPU.

Recognised by the directives that every module begins with, after comments: ``.version``, ``.target``, ``.address_size``
(NVIDIA, "PTX ISA", module directives). The text may end in a zero byte. Registers, spills, waits and the schedule are
ptxas's work and not in it; what a loop computes and how wide it loads is.
"""

from __future__ import annotations

import re

from hotloop.isa.code import Code

_HEAD_BYTES = 4096
_MODULE = re.compile(rb"\A(?:\s|//[^\n]*\n|/\*.*?\*/)*\.version\s+\d+\.\d+\s", re.DOTALL)
_TARGET = re.compile(rb"^\s*\.target\s+(sm_\w+)", re.MULTILINE)
_ENTRY = re.compile(r"\.entry\s+([\w$%]+)")
_BODY = r"\.entry\s+{name}(?![\w$%])"


class PtxContainer:
    """Takes the module as it is; the dialect finds the kernel in it."""

    name = "PTX text"

    def recognises(self, binary: bytes) -> bool:
        """Tell by the version directive."""
        return _MODULE.match(binary[:_HEAD_BYTES]) is not None

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:  # noqa: ARG002 - the protocol's
        """Return the whole module for a kernel that it has; the local size makes no difference."""
        text = binary.rstrip(b"\0").decode(errors="replace")
        if not re.search(_BODY.format(name=re.escape(entry)), text):
            kernels = ", ".join(dict.fromkeys(_ENTRY.findall(text))) or "none"
            raise ValueError(f"no kernel {entry!r} in the PTX module; it has {kernels}")
        target = _TARGET.search(binary)
        processor = target[1].decode() if target else "an unknown processor"
        note = f"for {processor}; registers, spills and schedule are made by ptxas and not in it"
        return Code(entry, 0, text.encode(), "ptx", note, virtual=True)


CONTAINER = PtxContainer()
