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

_LENIENT = ("-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion")
"""Options for errors that OpenCL runtimes only warn of, because texts that were only built by such runtimes contain them."""
_LANGUAGE = ("-x", "cl", "-cl-no-stdinc", "-include", str(_clang.HEADERS / "opencl.h"), "-nogpulib", *_LENIENT)
_RARE = {
    "relations.h": re.compile(
        r"\b(?:is(?:n?equal|notequal|greater|greaterequal|less|lessequal|lessgreater|ordered|unordered|nan|inf|finite|normal)"
        r"|signbit|any|all|(?:bit)?select)\b"
    ),
    "integers.h": re.compile(
        r"\b(?:abs(?:_diff)?|(?:add|sub|mad)_sat|r?hadd|rotate|clz|ctz|popcount|m(?:ul|ad)_hi|upsample)\b"
    ),
    "geometry.h": re.compile(r"\b(?:dot|cross|(?:fast_)?(?:length|distance|normalize))\b"),
    "mathematics.h": re.compile(
        r"\b(?:degrees|radians|sign|(?:smooth)?step|fdim|maxmag|minmag|ldexp|ilogb|logb|frexp|modf|fract|nan|sincos|half_[a-z]\w*"
        r"|native_(?:tan|exp10|log10|powr)|a?(?:sin|cos|tan)pi|atan2pi|pow[rn]|rootn|nextafter|lgamma_r|remquo)\b"
    ),
    "atomics.h": re.compile(r"\batom(?:ic)?_[a-z]"),
    "halves.h": re.compile(r"\bv(?:load|store)a?_half"),
    "roundings.h": re.compile(r"\b(?:convert_|vstorea?_)half\d*_rt[ezpn]\b"),
    "copies.h": re.compile(r"\b(?:async_work_group_\w+|wait_group_events)\b"),
    "images.h": re.compile(r"\b(?:image[123]d_\w*t|sampler_t)\b"),
    "media.h": re.compile(r"\bamd_[a-z]"),
    "shuffle.h": re.compile(r"\bshuffle2?\b"),
    "convert.h": re.compile(r"_(?:sat|rt[ezpn])\b"),
}
"""Headers that are read only where a text, or a file beside it that it includes, has such a name."""
_STANDARD = "-cl-std=CL2.0"
_LIBRARY = re.compile(
    r"\b(?:half_)?(?:a?(?:sin|cos|tan)(?:h|pi)?|sincos|atan2(?:pi)?|exp(?:2|10|m1)?|log(?:2|10|1p)?|pow[rn]?|rootn|erfc?|[lt]gamma"
    r"|lgamma_r|cbrt|fmod|hypot|remainder|remquo|nextafter|round)\b"
)
"""Names of what AMD's library computes; a macro may stand between such a name and its arguments."""


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
    macros = " ".join(str(value) for _, value in request.parameters)
    wanted = _LIBRARY.search(f"{_clang.included(request)} {macros} {' '.join(request.options)}") is not None
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
