"""Cubins: what ptxas, nvcc and Triton write for one NVIDIA processor."""

from __future__ import annotations

from hotloop.isa.code import Code
from hotloop.isa.nvidia import cubin


class CubinContainer:
    """Reads the ``.text.<kernel>`` sections of a cubin."""

    name = "CUDA cubin"

    def recognises(self, binary: bytes) -> bool:
        """Tell by the ELF header's machine."""
        return cubin.recognises(binary)

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:  # noqa: ARG002 - the protocol's
        """Return a kernel's code; the local size makes no difference."""
        symbols = cubin.symbols(binary)
        if entry not in symbols:
            kernels = ", ".join(sorted(name for name, symbol in symbols.items() if symbol.resources)) or "none"
            raise ValueError(f"no kernel {entry!r} in the cubin; it has {kernels}")
        symbol = symbols[entry]
        return Code(entry, symbol.address, symbol.code, "sass")


CONTAINER = CubinContainer()
