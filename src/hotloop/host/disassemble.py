"""Machine code as text, from the code objects that compilers and driver caches keep.

A cubin goes through NVIDIA's nvdisasm, an AMD code object through llvm-objdump. Both show what the hardware runs, while
PTX is only what ptxas was given; AMD compilers write the very same code as assembly with more remarks, so where a
listing lies beside the object it is the better source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hotloop.errors import MachineError
from hotloop.host import library, scratch, toolchain

LIMIT_S = 240.0
"""For all of a program's code on a busy machine."""
_USAGE = re.compile(r"Function (?P<name>\S+):\s*\n(?P<fields>.*)")
_FIELD = re.compile(r"(\w+)(?:\[\d+\])?:(\d+)")
_UNKNOWN_PROCESSOR = re.compile(r"is not a recognized processor|unknown target|can't find target")
_ROW = re.compile(r"^\s+[a-z.]\w+.*// [0-9A-F]{12}:", re.MULTILINE)
_DATA = re.compile(r"^\s+\.long\b.*// [0-9A-F]{12}:", re.MULTILINE)
_MOST_DATA = 0.005
"""Share of words of data among instructions from which the disassembler does not know the compiler's encodings: 0.00004 was met in
code that it knows, 0.07 in code that it does not."""
_TARGET_NOTE = re.compile(rb"am[dg][a-z0-9.]*-amd-amdhsa-[a-z]*-(gfx[0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a cubin says about one kernel."""

    name: str
    registers: int
    """Registers of a thread."""
    stack_bytes: int
    shared_bytes: int
    """Shared memory that is known at compile time; on sm_90 and later with the 1 KiB that the system takes."""
    local_bytes: int
    """Spilled and indexed memory of a thread."""


def sass(cubin: bytes, limit_s: float = LIMIT_S) -> str:
    """Return a cubin's code sections as nvdisasm prints them, with source lines where the cubin has them.

    Raises:
        MissingExtraError: nvdisasm is not installed.
        ValueError: not a cubin, or damaged; the text is the tool's.
        ToolSilentError: the limit passed.
    """
    arguments = ("--print-code", "--print-line-info", "code.cubin")
    return _disassembled(toolchain.nvdisasm(), arguments, cubin, "code.cubin", limit_s)


def cubins(held: bytes, limit_s: float = LIMIT_S) -> tuple[bytes, ...]:
    """Return the cubins in an object or program of nvcc, or in a fat binary, also compressed ones; in their order.

    Raises:
        MissingExtraError: cuobjdump is not installed.
        ValueError: it holds none, or is damaged; the text is the tool's.
        ToolSilentError: the limit passed.
    """
    tool = toolchain.cuobjdump()
    with scratch.folder() as folder:
        path = Path(folder, "code.o")
        path.write_bytes(held)
        ran = toolchain.run(tool, ("--extract-elf", "all", path.name), limit_s, folder=Path(folder))
        images = tuple(made.read_bytes() for made in sorted(Path(folder).glob("*.cubin"), key=_numbered))
    if ran.returncode != 0:
        raise ValueError(_reason(tool.name, ran))
    return images


def _numbered(path: Path) -> tuple[int, str]:
    """Return what orders ``code.2.sm_90.cubin`` after its brothers."""
    number = next((part for part in path.name.split(".") if part.isdecimal()), "0")
    return int(number), path.name


def usage(cubin: bytes, limit_s: float = LIMIT_S) -> tuple[Usage, ...]:
    """Return registers and memory of every kernel in a cubin. Raises as `sass`."""
    text = _disassembled(toolchain.cuobjdump(), ("--dump-resource-usage", "code.cubin"), cubin, "code.cubin", limit_s)
    return parse_usage(text)


def parse_usage(text: str) -> tuple[Usage, ...]:
    r"""Read the output of ``cuobjdump --dump-resource-usage``.

    >>> parse_usage(" Function k:\n  REG:14 STACK:0 SHARED:2048 LOCAL:8 CONSTANT[0]:544 TEXTURE:0")
    (Usage(name='k', registers=14, stack_bytes=0, shared_bytes=2048, local_bytes=8),)
    """
    rows = []
    for match in _USAGE.finditer(text):
        fields = {name: int(value) for name, value in _FIELD.findall(match["fields"])}
        numbers = (fields.get(name, 0) for name in ("REG", "STACK", "SHARED", "LOCAL"))
        rows.append(Usage(match["name"], *numbers))
    return tuple(rows)


def amdgcn(code_object: bytes, limit_s: float = LIMIT_S) -> str:
    """Return the text section of an AMD code object as llvm-objdump prints it.

    Raises:
        MachineError: there is no llvm-objdump, or the one there is does not know the processor.
        ValueError: not an AMD code object, or damaged.
        ToolSilentError: the limit passed.
    """
    if not code_object.startswith(b"\x7fELF"):
        raise ValueError("not an AMD code object: no ELF file")
    processor = processor_of(code_object)
    try:
        return _by_objdump(code_object, processor, limit_s)
    except MachineError:
        if not library.present():
            raise
        return library.disassembled(code_object, processor, limit_s)


def _by_objdump(code_object: bytes, processor: str, limit_s: float) -> str:
    tool = toolchain.llvm_objdump()
    if tool is None:
        raise MachineError(
            "disassembling AMD code objects needs llvm-objdump (apt-get install llvm, or ROCm) or pip install rocm-llvm-python."
        )
    arguments = ("--disassemble", *((f"--mcpu={processor}",) if processor else ()), "code.hsaco")
    text = _disassembled(tool, arguments, code_object, "code.hsaco", limit_s)
    if not re.search(r"^\s+[sv]_\w+", text, re.MULTILINE) or _undecoded(text):
        version = toolchain.version(tool) or tool.command[0]
        raise MachineError(
            f"{version} does not decode {processor or 'this processor'}: install a newer llvm, pip install rocm-llvm-python, "
            "or use the compiler's own listing."
        )
    return text


def _undecoded(text: str) -> bool:
    """Tell whether instructions were taken for data: what follows such a word is then read wrongly, too."""
    words, data = len(_ROW.findall(text)), len(_DATA.findall(text))
    return data > _MOST_DATA * words


def processor_of(code_object: bytes) -> str:
    """Return the processor that a code object's metadata names (``gfx942``), or an empty text."""
    note = _TARGET_NOTE.search(code_object)
    return note[1].decode() if note else ""


def _disassembled(tool: toolchain.Tool, arguments: tuple[str, ...], code: bytes, name: str, limit_s: float) -> str:
    with scratch.folder() as folder:
        Path(folder, name).write_bytes(code)
        ran = toolchain.run(tool, arguments, limit_s, folder=Path(folder))
    if ran.returncode != 0:
        if _UNKNOWN_PROCESSOR.search(ran.stderr):
            raise MachineError(
                f"{toolchain.version(tool) or tool.name} does not know the processor of this code object: install a newer llvm, "
                "pip install rocm-llvm-python, or use the compiler's own listing."
            )
        raise ValueError(_reason(tool.name, ran))
    return ran.stdout


def _reason(name: str, ran: toolchain.Ran) -> str:
    first_line = next((line.strip() for line in (ran.stderr + ran.stdout).splitlines() if line.strip()), "no message")
    return f"{name} refuses it ({ran.returncode}): {first_line}"
