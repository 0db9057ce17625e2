"""HIP C++ for AMD GPUs with plain clang, with or without ROCm's headers.

A file that includes headers of ``hip/`` gets the real ones where a folder named with ``-I`` holds ``hip/hip_runtime.h``, or
where all of them and clang's wrapper are installed (Triton's wheel lacks those of halves, bfloat16 and cooperative groups);
otherwise stand-ins with what kernels need: attributes, indices, vector types, barriers, shuffles, atomics, common
functions. A file that includes none and does not define ``__global__`` itself gets the stand-in as well.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.errors import UsageError
from hotloop.host import toolchain
from hotloop.targets.target import Target

LANGUAGE = ("-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "-target", "x86_64-linux-gnu", "-fdeclspec")
"""Options with which clang takes a text for HIP C++ of the device, without ROCm's own headers and libraries."""
_INCLUDES = re.compile(r"^\s*#\s*include\s*[<\"](hip/[^>\"]+)", re.MULTILINE)

_LIBRARY = re.compile(
    r"\b(?:a?(?:sin|cos|tan)h?f?|(?:sincos|sin|cos|tan)pif?|sincosf?|__(?:sin|cos|sincos|tan|pow)f|atan2f?|erfc?f?|erfc?invf?|erfcxf?|r?norm[34]df?"
    r"|r(?:cbrt|hypot)f?|remquof?|normcdf(?:inv)?f?|cyl_bessel_i[01]f?|[jy][01]f?|[lt]gammaf?|exp(?:2|10|m1)?|exp(?:10|m1)f"
    r"|log(?:2|10|1p)?|log(?:10|1p)f|cbrtf?|powf?|fmodf?|hypotf?|remainderf?|nextafterf?|roundf?)\s*\("
)
"""Calls of what AMD's library computes, beyond what the stand-in header has."""


class HipCompiler:
    """Compiles a whole HIP file."""

    name = "hip"
    suffixes = (".hip", ".cpp", ".cc", ".cxx")

    def refusal(self, target: Target) -> str:
        """Return why clang cannot reach a target, or an empty text."""
        return "" if target.amd else f"HIP is compiled for AMD's GPUs; for {target.name} give a .cu file."

    def compile(self, request: Request) -> Result:
        """Compile with zig's clang."""
        return _clang.attempt(request, partial(_compile, self.name))


def _compile(name: str, shop: _clang.Workshop) -> Compiled:
    request = shop.request
    arch = f"--offload-arch={request.target.processor}"
    return _clang.amd(shop, name, (*LANGUAGE, arch, *_headers(shop)), _clang.source(shop, ".hip"))


def _headers(shop: _clang.Workshop) -> tuple[str, ...]:
    text = _clang.included(shop.request)
    asked = _INCLUDES.findall(text)
    if not asked:
        return () if _clang.defines_words(text) else _stand_ins(shop, text)
    wrapper = toolchain.hip_wrapper()
    if named := _named(shop.request):
        wave = f"-D__AMDGCN_WAVEFRONT_SIZE={shop.request.target.wave_size}"  # newer clangs have no such macro, but older headers ask for it
        return (*_real(named, _needed(named, wrapper)), wave, *_clang.device_library_flags(shop))
    headers = toolchain.hip_headers()
    if headers is None or wrapper is None or not all((headers / name).exists() for name in asked):
        return _stand_ins(shop, text)
    return (*_real(headers, wrapper), *_clang.device_library_flags(shop))


def _named(request: Request) -> Path | None:
    """Return the folder named with ``-I`` that holds HIP's own headers, which are used instead of all others then."""
    return next((f for f in _clang.named_folders(request) if (f / "hip" / "hip_runtime.h").is_file()), None)


def _needed(headers: Path, wrapper: Path | None) -> Path:
    if wrapper is None:
        raise UsageError(
            f"HIP's headers in {headers} need a header of clang's, __clang_hip_runtime_wrapper.h, which is not installed; "
            "it comes with ROCm, with Debian's libclang-common-19-dev, or by pip install 'clang-tidy<20'."
        )
    return wrapper


def _stand_ins(shop: _clang.Workshop, text: str) -> tuple[str, ...]:
    """Return the options for hotloop's own headers, with AMD's library where the text names what it computes."""
    library = _clang.device_library_flags(shop) if _LIBRARY.search(text) else ()
    return (*_clang.stand_ins(shop, text), *(("-include", str(_clang.HEADERS / "ocml.h")) if library else ()), *library)


def _real(headers: Path, wrapper: Path) -> tuple[str, ...]:
    # The wrapper's folder holds another clang's own headers, so it may only be looked at last.
    search = (f"-I{headers}", "-idirafter", str(wrapper))
    return ("-D__HIP_PLATFORM_AMD__", *search, "-include", "__clang_hip_runtime_wrapper.h")


COMPILER = HipCompiler()
