"""OpenCL C for AMD and NVIDIA GPUs with plain clang: the builtins come from a header of hotloop's own.

What a listing shows is clang's code, which on AMD is what ROCm's runtime makes too; NVIDIA's driver has a compiler of
its own, so there the listing shows what the source can become, not what the driver would run.
"""

from __future__ import annotations

import re
from functools import partial

from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.host import toolchain
from hotloop.targets.target import Target

_LANGUAGE = ("-x", "cl", "-cl-no-stdinc", "-include", str(_clang.HEADERS / "opencl.h"), "-nogpulib")
_RARE = {"shuffle.h": re.compile(r"\bshuffle2?\b"), "convert.h": re.compile(r"_(?:sat|rt[ezpn])\b")}
"""Headers that are read only where a text, or a file beside it that it includes, has such a name."""
_STANDARD = "-cl-std=CL2.0"
_LIBRARY = re.compile(
    r"\b(?:a?(?:sin|cos|tan)h?|atan2|exp(?:2|10|m1)?|log(?:2|10|1p)?|pow|erfc?|[lt]gamma|cbrt|fmod|hypot|remainder|round)\s*\("
)


class OpenCLCompiler:
    """Compiles a whole ``.cl`` file."""

    name = "opencl"
    suffixes = (".cl",)

    def refusal(self, target: Target) -> str:
        """Return an empty text: clang knows every target."""
        del target
        return ""

    def compile(self, request: Request) -> Result:
        """Compile with zig's clang, on NVIDIA also with ptxas."""
        return _clang.attempt(request, partial(_amd if request.target.amd else _nvidia, self.name))


def _flags(request: Request) -> tuple[str, ...]:
    given = any(option.startswith("-cl-std=") for option in request.options)
    text = _clang.included(request)
    rare = [name for name, word in _RARE.items() if word.search(text)]
    asked = [word for name in rare for word in ("-include", str(_clang.HEADERS / name))]
    return (*_LANGUAGE, *asked, *(() if given else (_STANDARD,)))


def _amd(name: str, shop: _clang.Workshop) -> Compiled:
    request = shop.request
    wanted = _LIBRARY.search(_clang.text(request)) is not None
    library = _clang.device_library_flags(shop) if wanted else ()
    defines = ("-DHOTLOOP_OCML",) if library else ()
    target = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={request.target.processor}")
    return _clang.amd(shop, name, (*_flags(request), *target, *defines, *library), _clang.source(shop, ".cl"))


def _nvidia(name: str, shop: _clang.Workshop) -> Compiled:
    request = shop.request
    target = ("-target", "nvptx64-nvidia-cuda", f"-march={request.target.processor}")
    features = (
        "-Xclang",
        "-target-feature",
        "-Xclang",
        _clang.ptx_feature(request.target),
        "-Xclang",
        "-cl-ext=+cl_khr_fp16,+cl_khr_fp64",
    )
    text, log = _clang.ptx(shop, (*_flags(request), *target, *features), _clang.source(shop, ".cl"))
    return _clang.assembled(shop, name, text, log, toolchain.provenance({"clang": toolchain.clang()}))


COMPILER = OpenCLCompiler()
