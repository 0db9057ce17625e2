"""Machine code as text through LLVM's C library, where the package rocm-llvm-python brings one; in a process of its own.

The text is what ``llvm-objdump -d`` writes. Run as a program it reads a code object and prints it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from pathlib import Path

from hotloop.host import scratch, toolchain

_TRIPLE, _LONGEST, _WORD = b"amdgcn-amd-amdhsa", 512, 4
_HALVES = b"+real-true16"
"""Feature under which half registers of 16-bit instructions of RDNA 3 and 4 have names; compilers of 2025 and later use them."""
_LONGEST_CODE = 24
"""Bytes of the longest instruction, with some to spare."""
_VOP3_SHIFT, _VOP3 = 26, (0x33, 0x34, 0x35)
"""Where the encoding's name stands, and that of vector instructions of three operands: packed ones of RDNA, GCN's and CDNA's, RDNA's."""
_SECOND, _THIRD, _OPERAND, _ZERO = 9, 18, 0x1FF, 0x80
"""Places and width of the second and the third operand in the second word, and the constant 0."""


def present() -> bool:
    """Tell whether there is such a library."""
    return _file() is not None


def _file() -> Path | None:
    try:
        spec = importlib.util.find_spec("rocm")
    except (ImportError, ValueError):
        return None
    places = (
        [Path(folder) / "llvm" / "librocmllvm.so" for folder in (spec.submodule_search_locations or ())] if spec else []
    )
    return next((place for place in places if place.is_file()), None)


def disassembled(code_object: bytes, processor: str, limit_s: float) -> str:
    """Return the functions of a code object as text.

    Raises:
        ValueError: damaged, or of a processor that the library does not know.
        ToolSilentError: the limit passed.
    """
    tool = toolchain.Tool("rocm-llvm-python", (sys.executable, "-m", "hotloop.host.library"), "package")
    with scratch.folder() as folder:
        Path(folder, "code.hsaco").write_bytes(code_object)
        ran = toolchain.run(tool, ("code.hsaco", processor), limit_s, folder=Path(folder))
    if ran.returncode != 0:
        last_line = next((line.strip() for line in reversed(ran.stderr.splitlines()) if line.strip()), "no message")
        raise ValueError(f"rocm-llvm-python refuses it ({ran.returncode}): {last_line}")
    return ran.stdout


def _printed(blob: bytes, processor: str) -> str:
    from hotloop.isa import elf

    library = ctypes.CDLL(str(_file()))
    for part in ("TargetInfo", "Target", "TargetMC", "Disassembler"):
        getattr(library, f"LLVMInitializeAMDGPU{part}")()
    library.LLVMCreateDisasmCPUFeatures.restype = ctypes.c_void_p
    library.LLVMDisasmInstruction.restype = ctypes.c_size_t
    made = [
        library.LLVMCreateDisasmCPUFeatures(_TRIPLE, processor.encode(), features, None, 0, None, None)
        for features in (b"", _HALVES)
    ]
    contexts = [context for context in made if context]
    if not contexts:
        raise SystemExit(f"it does not know the processor {processor!r}")
    rows = ["code.hsaco:\tfile format elf64-amdgpu", ""]
    for symbol in sorted(elf.functions(blob).values(), key=lambda function: function.address):
        rows += [f"{symbol.address:016x} <{symbol.name}>:", *_rows(library, contexts, symbol.code, symbol.address), ""]
    return "\n".join(rows)


def _rows(library: ctypes.CDLL, contexts: list[int], code: bytes, address: int) -> list[str]:
    rows, place = [], 0
    while place < len(code):
        here = code[place : place + _LONGEST_CODE]
        tries = (
            _decoded(library, context, function, address + place)
            for function in (here, *_plain(here))
            for context in contexts
        )
        text, size = next((attempt for attempt in tries if attempt[1]), ("", 0))
        if not size:
            raise SystemExit(f"the bytes at {address + place:#x} are no instruction that this version knows")
        words = [code[n : n + _WORD][::-1].hex().upper() for n in range(place, place + size, _WORD)]
        rows.append(f"{text} // {address + place:012X}: {' '.join(words)}")
        place += size
    return rows


def _decoded(library: ctypes.CDLL, context: int, code: bytes, address: int) -> tuple[str, int]:
    """Return the text and the size of the first instruction, size 0 for none."""
    held, text = (ctypes.c_uint8 * len(code)).from_buffer_copy(code), ctypes.create_string_buffer(_LONGEST)
    size = library.LLVMDisasmInstruction(
        ctypes.c_void_p(context), held, ctypes.c_uint64(len(code)), ctypes.c_uint64(address), text, ctypes.c_size_t(_LONGEST)
    )  # fmt: skip
    return text.value.decode(), size


def _plain(code: bytes) -> tuple[bytes, ...]:
    """Return how older versions encode an instruction of one or two operands: with nothing in the fields of unused ones.

    Compilers of ROCm 7.15 write the constant 0 (0x80) there, which earlier disassemblers take for no instruction. Nothing where the
    fields are others; without the third operand comes first, then without the second and the third.
    """
    if len(code) < 2 * _WORD:
        return ()
    first, second = (int.from_bytes(code[n : n + _WORD], "little") for n in (0, _WORD))
    if first >> _VOP3_SHIFT not in _VOP3 or second >> _THIRD & _OPERAND != _ZERO:
        return ()
    binary = second & ~(_OPERAND << _THIRD)
    unused = second >> _SECOND & _OPERAND == _ZERO
    words = (binary, binary & ~(_OPERAND << _SECOND)) if unused else (binary,)
    return tuple(code[:_WORD] + word.to_bytes(_WORD, "little") + code[2 * _WORD :] for word in words)


if __name__ == "__main__":
    sys.stdout.write(_printed(Path(sys.argv[1]).read_bytes(), sys.argv[2]) + "\n")
