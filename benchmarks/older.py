"""Code of an older ROCm, for comparing predictions with times that were taken with it.

The source becomes LLVM's intermediate language with the clang here, before any optimization; the library of the package ``rocm-llvm-python``
optimizes it and writes the code. Words of the language that came after that version are taken out of the text: attributes that only allow more.
"""

from __future__ import annotations

import ctypes
import re
import tempfile
from pathlib import Path
from typing import Any

from hotloop.frontends.hip import LANGUAGE
from hotloop.host import toolchain

_HEADERS = Path(toolchain.__file__).parent.parent / "compilers" / "headers"
_RAW = ("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm")
_TRIPLE = b"amdgcn-amd-amdhsa"
_PARTS = ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser")
_LIFETIME = r"(call|declare) void @llvm\.lifetime\.(start|end)\.p5\(ptr addrspace\(5\)"
_LATER = (
    (r"captures\([^)]*\)| ?range\(i32 [^)]*\)| nocreateundeforpoison", ""),
    (r"getelementptr (inbounds nuw|nuw|nusw nuw)", "getelementptr inbounds"),
    (r"trunc (nuw nsw|nuw|nsw)", "trunc"),
    (r"icmp samesign", "icmp"),
    (r"(fptrunc|fpext) (?:(?:contract|reassoc|nnan|ninf|nsz|arcp|afn|fast) )+", r"\1 "),
    (r"-p8:128:128:128:48", "-p8:128:128"),
    (r"memory\(none, target_mem: none\)", "memory(none)"),
)


def listing(library: Path, source: Path, processor: str, level: int) -> str:
    """Return the listing of a HIP file as the compiler of an older ROCm writes it.

    Args:
        library: ``librocmllvm.so`` of a package ``rocm-llvm-python``.
        source: the file; it gets the stand-in header.
        processor: such as gfx942.
        level: of optimization, as in ``-O2``.

    Raises:
        ValueError: a compiler refuses it.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "k.ll"
        headers = ("-include", str(_HEADERS / "device.h"), f"-I{_HEADERS}")
        words = (
            *LANGUAGE,
            f"--offload-arch={processor}",
            *headers,
            f"-O{level}",
            *_RAW,
            "-o",
            str(written),
            str(source),
        )
        ran = toolchain.run(toolchain.clang(), words, 60.0, folder=Path(folder))
        if ran.returncode:
            raise ValueError(ran.stderr)
        return _compiled(ctypes.CDLL(str(library)), _older(written.read_text()), processor, level)


def _older(text: str) -> str:
    """Return the text with what came after LLVM 18 taken out."""
    text = re.sub(
        _LIFETIME,
        lambda m: f"{m[1]} void @llvm.lifetime.{m[2]}.p5(i64{' -1' * (m[1] == 'call')}, ptr addrspace(5)",
        text,
    )
    for pattern, put in _LATER:
        text = re.sub(pattern, put, text)
    return text


def _compiled(llvm: Any, text: str, processor: str, level: int) -> str:
    """Optimize and write code with LLVM's C interface."""
    for part in _PARTS:
        getattr(
            llvm,
            f"LLVMInitializeAMDGPU{part}"
            if hasattr(llvm, f"LLVMInitializeAMDGPU{part}")
            else f"LLVMInitializeAll{part}s",
        )()
    for name in ("ContextCreate", "CreateMemoryBufferWithMemoryRangeCopy", "CreateTargetMachine", "CreateTargetDataLayout",
                 "CreatePassBuilderOptions", "RunPasses", "GetBufferStart"):  # fmt: skip
        getattr(llvm, f"LLVM{name}").restype = ctypes.c_void_p
    raw, module, target, out, error = text.encode(), *(ctypes.c_void_p() for _ in range(3)), ctypes.c_char_p()
    context = ctypes.c_void_p(llvm.LLVMContextCreate())
    buffer = ctypes.c_void_p(llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(raw, ctypes.c_size_t(len(raw)), b"k"))
    _checked(llvm.LLVMParseIRInContext(context, buffer, ctypes.byref(module), ctypes.byref(error)), error)
    _checked(llvm.LLVMGetTargetFromTriple(_TRIPLE, ctypes.byref(target), ctypes.byref(error)), error)
    machine = ctypes.c_void_p(llvm.LLVMCreateTargetMachine(target, _TRIPLE, processor.encode(), b"", level, 2, 0))
    llvm.LLVMSetModuleDataLayout(module, ctypes.c_void_p(llvm.LLVMCreateTargetDataLayout(machine)))
    options = ctypes.c_void_p(llvm.LLVMCreatePassBuilderOptions())
    if llvm.LLVMRunPasses(module, f"default<O{level}>".encode(), machine, options):
        raise ValueError("its passes failed")
    wrote = llvm.LLVMTargetMachineEmitToMemoryBuffer(machine, module, 0, ctypes.byref(error), ctypes.byref(out))
    _checked(wrote, error)
    return ctypes.string_at(llvm.LLVMGetBufferStart(out), llvm.LLVMGetBufferSize(out)).decode()


def _checked(failed: int, error: ctypes.c_char_p) -> None:
    if failed:
        raise ValueError((error.value or b"").decode())
