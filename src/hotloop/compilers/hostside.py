"""Declarations for the host's part of a CUDA or HIP file, which is parsed beside its kernels although only those are compiled.

Instead of the vendor's whole interface there are just the names that a file uses: what is called is a function that takes anything, what
ends in ``_t`` a type, the rest a number. Device code uses none of them.
"""

from __future__ import annotations

import re

_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_NAME = re.compile(r"\b(?:hip|cuda)[A-Z]\w*")
_DEVICE = re.compile(
    r"hip(?:Thread|Block)(?:Idx|Dim)_|hipGridDim_|cudaGridDependencySynchronize|cudaTriggerProgrammatic"
    r"|hip(?:Float|Double)?Complex$|hipC(?:real|imag|onj|sqabs|abs|add|sub|mul|div|fma)f?$|hip(?:Texture|Surface)Object_t$"
    r"|hipReadMode|hipBoundaryMode"
)
_TEXT = re.compile(r"(?:Error|Name)String$|GetErrorName$|GetErrorString$")
"""Functions that hotloop's own headers for device code declare, too."""
_PROPERTIES = (
    "char name[256]; char gcnArchName[256]; int multiProcessorCount, warpSize, major, minor, maxThreadsPerBlock, clockRate, "
    "memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, regsPerBlock, concurrentManagedAccess, "
    "cooperativeLaunch, integrated, maxThreadsDim[3], maxGridSize[3]; "
    "unsigned long sharedMemPerBlock, totalGlobalMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin, totalConstMem;"
)
_MACROS = {f"hip{kind}_{axis}": f"{kind[0].lower()}{kind[1:]}.{axis}"
           for kind in ("ThreadIdx", "BlockIdx", "BlockDim", "GridDim") for axis in "xyz"}  # fmt: skip


def needed(source: str) -> bool:
    """Tell whether a source text has a host's part at all."""
    code = _REMARK.sub(" ", source)
    return "<<<" in code or any(not _DEVICE.match(name) for name in _NAME.findall(code))


def declarations(source: str) -> str:
    """Return a header with the names of the host's interface in a source text, apart from those that it defines itself."""
    code = _REMARK.sub(" ", source)
    names = {name for name in _NAME.findall(code) if not _DEVICE.match(name)}
    own = set(re.findall(r"#\s*define\s+(\w+)", code))
    names -= own
    lines = [f"#define {name} ({text})" for name, text in _MACROS.items() if name not in own]
    types = {name for name in names if name.endswith(("_t", "Prop"))} | {
        "hipError_t",
        "cudaError_t",
        "hipStream_t",
        "cudaStream_t",
    }
    lines += [_type(name) for name in sorted(types)]
    for name in sorted(names - types):
        if re.search(rf"\b{name}\s*[(<]", code):
            kind = "const char *" if _TEXT.search(name) else "int "
            lines.append(f"template <class... A> {kind}{name}(A &&...);")
        else:
            kind = "void *const" if "Stream" in name and not name.endswith("Flags") else "constexpr int"
            lines.append(f"static {kind} {name} = 0;")
    lines += [
        f'extern "C" __attribute__((host)) int {name}(dim3, dim3, size_t = 0, void * = nullptr);'
        for name in (
            "hipConfigureCall",
            "__hipPushCallConfiguration",
            "cudaConfigureCall",
            "__cudaPushCallConfiguration",
        )
        if name not in names
    ]
    return "\n".join(lines) + "\n"


def _type(name: str) -> str:
    if "Error" in name or name.endswith(("Kind_t", "Attribute_t")):
        return f"typedef int {name};"
    if "Prop" in name:
        return f"struct {name} {{ {_PROPERTIES} }};"
    return f"typedef void *{name};"
