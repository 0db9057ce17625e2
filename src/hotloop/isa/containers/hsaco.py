"""AMD code objects as program binaries: what HIP, Triton and ROCm's OpenCL hand out.

The code is found here, and read as text elsewhere: `hotloop.isa.amdgcn.objects.functions` takes what llvm-objdump prints.
"""

from __future__ import annotations

from hotloop.isa import elf
from hotloop.isa.amdgcn import bundles, objects
from hotloop.isa.code import Code

_MACHINE_OFFSET = 18
_EM_AMDGPU = 224


class HsacoContainer:
    """Reads code objects, bundles of them, and host programs with bundles."""

    name = "AMD code object"

    def recognises(self, binary: bytes) -> bool:
        """Tell by the ELF header's machine, the bundle's magic word, or the name of the section that holds bundles."""
        if binary.startswith(elf.MAGIC):
            machine = int.from_bytes(binary[_MACHINE_OFFSET : _MACHINE_OFFSET + 2], "little")
            return machine == _EM_AMDGPU or objects.FAT_SECTION.encode() + b"\0" in binary
        return binary.startswith((objects.BUNDLE, bundles.MAGIC))

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:  # noqa: ARG002 - protocol
        """Return a kernel's function; of code for several processors the first, which the note then says."""
        code_objects = objects.code_objects(binary)
        holders = [(item, symbols[entry]) for item in code_objects if entry in (symbols := elf.functions(item.blob))]
        if not holders:
            kernels = sorted({name for item in code_objects for name in elf.functions(item.blob)})
            raise ValueError(
                f"no function of kernel {entry!r} in the code object; it has {', '.join(kernels) or 'none'}"
            )
        item, symbol = holders[0]
        processor = item.target.name if item.target else "an unknown processor"
        note = f"for {processor}" + (f", first of {len(holders)} processors" if len(holders) > 1 else "")
        return Code(entry, symbol.address, symbol.code, symbol.dialect, note)


CONTAINER = HsacoContainer()
