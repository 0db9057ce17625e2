"""From C to a code object with the clang of the package ziglang: what HIP, OpenCL C and CUDA have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hotloop.compilers import fence, hostside, reading
from hotloop.compilers.offer import STAGE, Compiled, Failed, Request, Result
from hotloop.compilers.process import failure
from hotloop.compilers.resources import from_cubin, from_metadata, with_remarks, without_remarks
from hotloop.errors import UnknownNameError, UsageError
from hotloop.host import disassemble, scratch, toolchain
from hotloop.host.toolchain import Ran, Tool
from hotloop.isa.resources import KernelResources
from hotloop.model.outcome import CompileFailed, TimedOut
from hotloop.targets.target import Target

_QUOTED = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
HEADERS = Path(__file__).parent / "headers"
_AMDGPU = ("-target", "amdgcn-amd-amdhsa")
_REMARKS = "-Rpass-analysis=kernel-resource-usage"
_COMMON = ("-fno-crash-diagnostics", "-fno-color-diagnostics", "-ferror-limit=20", "-Wno-unused-command-line-argument")
_DEFINES = re.compile(r"^\s*#\s*define\s+__global__", re.MULTILINE)


class FailedError(Exception):
    """A step of a compilation did not succeed; carries what became of it."""

    def __init__(self, outcome: Failed) -> None:
        super().__init__(str(outcome))
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Workshop:
    """A temporary folder, and the wall time that is left for all steps together."""

    folder: Path
    request: Request
    spent_ns: list[int]

    def run(self, tool: Tool, arguments: Sequence[str]) -> Ran:
        """Run one step. Raises FailedError, or MissingExtraError and the like for a missing tool."""
        left_s = self.request.limit_s - sum(self.spent_ns) / 1e9
        try:
            ran = toolchain.run(tool, arguments, max(left_s, 0.001), folder=self.folder)
        except toolchain.ToolSilentError:
            raise FailedError(TimedOut(STAGE, self.request.limit_s)) from None
        self.spent_ns.append(ran.duration_ns)
        ran = replace(ran, stderr=self._plain(ran.stderr), stdout=self._plain(ran.stdout))
        if ran.returncode != 0:
            raise FailedError(failure(ran))
        return ran

    def _plain(self, text: str) -> str:
        """Leave out the folder, which is gone when anybody reads the message."""
        return text.replace(f"{self.folder}/", "")

    def read(self, name: str) -> str:
        """Return a text that a step wrote."""
        return (self.folder / name).read_text(encoding="utf-8", errors="replace")


@contextmanager
def workshop(request: Request) -> Iterator[Workshop]:
    """Give a temporary folder for one compilation."""
    with scratch.folder() as folder:
        yield Workshop(Path(folder), request, [])


def source(shop: Workshop, suffix: str) -> Path:
    """Return the file to compile: the request's own, or its text in a file of the same name."""
    request = shop.request
    if not request.text:
        if not request.source.is_file():
            raise UsageError(f"there is no file {request.source}; give an existing source file.")
        return request.source.resolve()
    path = shop.folder / (request.source.stem + suffix)
    path.write_text(request.text, encoding="utf-8")
    return path


def text(request: Request) -> str:
    """Return the source text. Raises UsageError when the file cannot be read."""
    try:
        return request.text or reading.text(request.source, "replace")
    except OSError as error:
        raise UsageError(f"{request.source} cannot be read: {error.strerror}.") from None


def named_folders(request: Request) -> list[Path]:
    """Return the folders that ``-I`` names, in their order."""
    return [Path(o[2:]) for o in request.options if o.startswith("-I") and len(o) > 2]


def included(request: Request, folders: Sequence[Path] = ()) -> str:
    """Return the source text with that of the files that it includes in quotes, directly or through others, where they exist."""
    parts, waiting, seen = [text(request)], [request.source.resolve()], set[Path]()
    search = [*folders, *named_folders(request)]
    texts = {waiting[0]: parts[0]}
    while waiting:
        path = waiting.pop()
        for name in _QUOTED.findall(texts[path]):
            other = next((p for base in (path.parent, *search) if (p := (base / name).resolve()).is_file()), None)
            if other is not None and other not in seen:
                seen.add(other)
                texts[other] = other.read_text(encoding="utf-8", errors="replace")
                parts.append(texts[other])
                waiting.append(other)
    return "\n".join(parts)


def defines_words(text: str) -> bool:
    """Tell a text that defines the language's words itself, ``__global__`` among them, so that it needs no header."""
    return bool(_DEFINES.search(text))


def stand_ins(shop: Workshop, written: str) -> tuple[str, ...]:
    """Return the options with which a CUDA or HIP file finds hotloop's own headers instead of the vendor's.

    Where the file has a host's part, that gets declarations, and the compiler its own headers, which those of C++ ask for.
    """
    own = toolchain.clang_headers()
    options = ("-include", str(HEADERS / "device.h"), f"-I{HEADERS}", *(("-idirafter", str(own)) if own else ()))
    if not hostside.needed(written):
        return options
    header = shop.folder / "hotloop_host.h"
    header.write_text(hostside.declarations(written), encoding="utf-8")
    return (*options, "-include", str(header))


def common(request: Request) -> tuple[str, ...]:
    """Return the options that all languages have: level, macros, and what the caller adds."""
    macros = (f"-D{name}={int(value) if isinstance(value, bool) else value}" for name, value in request.parameters)
    return (f"-O{request.optimization}", *_wave(request.target), *macros, *request.options)


def _wave(target: Target) -> tuple[str, ...]:
    return ("-mwavefrontsize64",) if target.wide else ()


def amd(shop: Workshop, language: str, flags: Sequence[str], path: Path) -> Compiled:
    """Compile for AMD: assembly with remarks, then an object that is linked into a code object."""
    request, clang = shop.request, toolchain.clang()
    ran = shop.run(clang, (*_COMMON, *flags, *common(request), _REMARKS, "-S", "-o", "k.s", str(path)))
    listing = shop.read("k.s")
    machine = (*_AMDGPU, f"-mcpu={request.target.processor}", *_wave(request.target))
    shop.run(clang, (*_COMMON, *machine, "-nogpulib", "-c", "-x", "assembler", "k.s", "-o", "k.o"))
    shop.run(toolchain.linker(), ("-shared", "k.o", "-o", "k.hsaco"))
    resources = with_remarks(from_metadata(listing, request.target), ran.stderr)
    return Compiled(
        kernel=chosen(request, resources),
        language=language,
        target=str(request.target),
        listing=listing,
        dialect="amdgcn",
        binary=(shop.folder / "k.hsaco").read_bytes(),
        resources=resources,
        compiler=toolchain.provenance({"clang": clang}),
        options=common(request),
        log=without_remarks(ran.stderr),
        duration_ns=sum(shop.spent_ns),
    )


def ptx_feature(target: Target) -> str:
    """Return the option with which clang writes the PTX version that a processor needs."""
    return f"+ptx{target.number('ptx_isa')}"


def ptx(shop: Workshop, flags: Sequence[str], path: Path) -> tuple[str, str]:
    """Compile for NVIDIA up to PTX; return it and what clang said."""
    ran = shop.run(toolchain.clang(), (*_COMMON, *flags, *common(shop.request), "-S", "-o", "k.ptx", str(path)))
    return shop.read("k.ptx"), ran.stderr


def assembled(shop: Workshop, language: str, text: str, log: str, compiler: str) -> Compiled:
    """Turn PTX into a cubin with ptxas and into SASS with nvdisasm."""
    target = shop.request.target
    (shop.folder / "k.ptx").write_text(text, encoding="utf-8")
    tool = toolchain.ptxas(target.capability)
    level = f"-O{min(shop.request.optimization, 3)}"
    arguments = (f"--gpu-name={target.processor}", level, "--verbose", "--generate-line-info", "k.ptx", "-o", "k.cubin")
    ran = shop.run(tool, arguments)
    made = ", ".join(part for part in (compiler, toolchain.provenance({"ptxas": tool})) if part)
    return cubin(shop, language, (shop.folder / "k.cubin").read_bytes(), text, log, ran.stderr, made)


def cubin(shop: Workshop, language: str, binary: bytes, text: str, log: str, ptxas_log: str, compiler: str) -> Compiled:
    """Describe a cubin; its listing is SASS."""
    request = shop.request
    resources = from_cubin(disassemble.usage(binary), ptxas_log, request.target)
    return Compiled(
        kernel=chosen(request, resources),
        language=language,
        target=str(request.target),
        listing=disassemble.sass(binary),
        dialect="sass",
        binary=binary,
        resources=resources,
        compiler=compiler,
        options=common(request),
        ptx=text,
        log=log.strip(),
        duration_ns=sum(shop.spent_ns),
    )


def chosen(request: Request, resources: Sequence[KernelResources]) -> str:
    """Return the symbol of the asked kernel; C++ mangles it, so ``scale`` also finds ``_Z5scalePKf``.

    Raises:
        UnknownNameError: no kernel of that name was compiled.
    """
    names = tuple(kernel.name for kernel in resources)
    if not request.kernel:
        return names[0] if len(names) == 1 else ""
    mangled = re.compile(rf"_ZN?(?:\d+\w+?)*?{len(request.kernel)}{re.escape(request.kernel)}")
    fitting = [name for name in names if name == request.kernel] or [name for name in names if mangled.match(name)]
    if not fitting:
        raise UnknownNameError(f"kernel in {request.source.name}", request.kernel, names)
    return fitting[0]


def device_library_flags(shop: Workshop) -> tuple[str, ...]:
    """Return the options that link AMD's ocml and ockl with the constants they read; empty without Triton's wheel."""
    libraries = toolchain.device_libraries()
    if not libraries:
        return ()
    (shop.folder / "oclc.ll").write_text(oclc(shop.request.target) + fence.TEXT, encoding="utf-8")
    bitcode = (
        "-Xclang",
        "-disable-llvm-passes",
        "-emit-llvm",
        "-c",
        "-o",
        "oclc.bc",
    )  # a pass would drop what nothing here calls
    shop.run(toolchain.clang(), ("-x", "ir", "oclc.ll", *_AMDGPU, "-nogpulib", *bitcode))
    paths = (*map(str, libraries), "oclc.bc")  # last: its constants are linked where something asks for them
    return tuple(word for path in paths for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", path))


def oclc(target: Target) -> str:
    """Return the constants of ``oclc_*.bc`` as LLVM IR: default rounding and strictness, this processor, code object V6.

    ISA version as in ROCm device-libs: 1000·major + 100·minor + stepping, so that gfx90a is 9010.
    """
    assert target.version is not None
    major, minor, step = target.version
    version = 1000 * major + 100 * minor + step
    wide = int(target.wave_size == 64)
    values = (
        *(("ISA_version", "i32", version), ("ABI_version", "i32", 600), ("wavefrontsize64", "i8", wide)),
        *(("finite_only_opt", "i8", 0), ("unsafe_math_opt", "i8", 0), ("correctly_rounded_sqrt32", "i8", 1)),
    )
    linkage = "linkonce_odr hidden local_unnamed_addr addrspace(4) constant"
    rows = (f"@__oclc_{name} = {linkage} {kind} {value}" for name, kind, value in values)
    return "\n".join(('target triple = "amdgcn-amd-amdhsa"', *rows, ""))


def attempt(request: Request, steps: Callable[[Workshop], Compiled]) -> Result:
    """Run the steps of one compilation in a temporary folder; the failure of a step becomes the result."""
    try:
        with workshop(request) as shop:
            made = steps(shop)
    except FailedError as failed:
        return failed.outcome
    return made if made.resources else CompileFailed(f"{request.source.name} compiles, but defines no kernel")
