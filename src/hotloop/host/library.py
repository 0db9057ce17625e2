"""Machine code as text through LLVM's C library, where the package rocm-llvm-python brings one; in a process of its own.

The text is what ``llvm-objdump -d`` writes. Run as a program it reads a code object and prints it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
import tempfile
from pathlib import Path

from hotloop.host import toolchain

_TRIPLE, _LONGEST, _WORD = b"amdgcn-amd-amdhsa", 512, 4


def present() -> bool:
    """Tell whether there is such a library."""
    return _file() is not None


def _file() -> Path | None:
    try:
        found = importlib.util.find_spec("rocm")
    except (ImportError, ValueError):
        return None
    places = (
        [Path(folder) / "llvm" / "librocmllvm.so" for folder in (found.submodule_search_locations or ())]
        if found
        else []
    )
    return next((place for place in places if place.is_file()), None)


def disassembled(code_object: bytes, processor: str, limit_s: float) -> str:
    """Return the functions of a code object as text.

    Raises:
        ValueError: damaged, or of a processor that the library does not know.
        ToolSilentError: the limit passed.
    """
    tool = toolchain.Tool("rocm-llvm-python", (sys.executable, "-m", "hotloop.host.library"), "package")
    with tempfile.TemporaryDirectory(prefix="hotloop-") as folder:
        Path(folder, "code.hsaco").write_bytes(code_object)
        ran = toolchain.run(tool, ("code.hsaco", processor), limit_s, folder=Path(folder))
    if ran.returncode != 0:
        said = next((line.strip() for line in reversed(ran.stderr.splitlines()) if line.strip()), "no message")
        raise ValueError(f"rocm-llvm-python refuses it ({ran.returncode}): {said}")
    return ran.stdout


def _printed(blob: bytes, processor: str) -> str:
    from hotloop.isa import elf

    library = ctypes.CDLL(str(_file()))
    for part in ("TargetInfo", "Target", "TargetMC", "Disassembler"):
        getattr(library, f"LLVMInitializeAMDGPU{part}")()
    library.LLVMCreateDisasmCPU.restype = ctypes.c_void_p
    library.LLVMDisasmInstruction.restype = ctypes.c_size_t
    context = library.LLVMCreateDisasmCPU(_TRIPLE, processor.encode(), None, 0, None, None)
    if not context:
        raise SystemExit(f"it does not know the processor {processor!r}")
    rows = ["code.hsaco:\tfile format elf64-amdgpu", ""]
    for symbol in sorted(elf.functions(blob).values(), key=lambda one: one.address):
        rows += [f"{symbol.address:016x} <{symbol.name}>:", *_rows(library, context, symbol.code, symbol.address), ""]
    return "\n".join(rows)


def _rows(library: ctypes.CDLL, context: int, code: bytes, address: int) -> list[str]:
    rows, place, held = [], 0, (ctypes.c_uint8 * len(code)).from_buffer_copy(code)
    text = ctypes.create_string_buffer(_LONGEST)
    while place < len(code):
        here = ctypes.byref(held, place)
        size = library.LLVMDisasmInstruction(
            ctypes.c_void_p(context),
            here,
            ctypes.c_uint64(len(code) - place),
            ctypes.c_uint64(address + place),
            text,
            ctypes.c_size_t(_LONGEST),
        )
        if not size:
            raise SystemExit(f"the bytes at {address + place:#x} are no instruction")
        words = [code[n : n + _WORD][::-1].hex().upper() for n in range(place, place + size, _WORD)]
        rows.append(f"{text.value.decode()} // {address + place:012X}: {' '.join(words)}")
        place += size
    return rows


if __name__ == "__main__":
    sys.stdout.write(_printed(Path(sys.argv[1]).read_bytes(), sys.argv[2]) + "\n")
