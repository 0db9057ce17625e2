"""What a person names for ``hotloop isa``: a listing, a code object, a Triton cache, a source file, a variant, or ``-``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hotloop.app import hint
from hotloop.app.code import compiled, content
from hotloop.app.code.compiled import Request
from hotloop.app.code.program import is_program
from hotloop.compilers import reading
from hotloop.errors import UsageError
from hotloop.host import scratch
from hotloop.isa.kernels import Listed
from hotloop.profilers.source import look
from hotloop.profilers.unwrapping import is_packed, is_tagged, texts, unpacked
from hotloop.profiles.failure import ProfileError
from hotloop.targets.target import Target

STDIN = "-"
_VENDORS = {"amdgcn": "amd", "sass": "nvidia", "ptx": "nvidia"}
"""Vendor of the GPUs of each assembly dialect; the dialect of CPUs is not among them."""
_UNPACKED = "the file was unpacked"
_CACHED = frozenset({".amdgcn", ".hsaco", ".cubin"})


def read(request: Request) -> tuple[Listed, ...]:
    """Return the kernels that a request names, in order.

    Raises:
        UsageError: nothing that can be read, damaged, of several architectures, or it does not compile.
        MachineError: a tool that is needed is not installed.
    """
    kernels = tuple(aimed(item, request.target) for item in _of_target(_read(request), request))
    chosen = [item for item in kernels if not request.kernel or item.function.name == request.kernel]
    if not chosen:
        names = ", ".join(dict.fromkeys(item.function.name or "(without name)" for item in kernels))
        raise UsageError(f"{request.text} has no kernel {request.kernel!r}; it has {names}.")
    return tuple(chosen)


def aimed(item: Listed, target: str) -> Listed:
    """Return a function with the asked processor where the text names none, as that of llvm-objdump."""
    aim = Target.of(target)
    if item.function.target or aim.vendor != _VENDORS.get(item.source.dialect, "none"):
        return item
    function = replace(item.function, target=aim.name)
    timed = replace(item.scheduled, function=function) if item.scheduled else None
    return replace(item, function=function, scheduled=timed)


def _of_target(kernels: tuple[Listed, ...], request: Request) -> tuple[Listed, ...]:
    """Return the kernels that are code for the asked GPU. Raises UsageError when none is; without a GPU, all are."""
    aim = Target.of(request.target)
    if not aim.vendor or not kernels:
        return kernels
    if chosen := tuple(item for item in kernels if _fits(item, aim)):
        return chosen
    held = dict.fromkeys(item.function.target or item.source.dialect for item in kernels)
    raise UsageError(
        f"{request.text} holds code for {', '.join(held)}, not for {aim.name}: "
        "leave --target out, or give a source that can be compiled for it."
    )


def _fits(item: Listed, aim: Target) -> bool:
    """Return whether code may be the asked GPU's: PTX is compiled for any later one, and a text need not name any."""
    if _VENDORS.get(item.source.dialect) != aim.vendor:
        return False
    named = Target.of(item.function.target or "")
    return item.source.dialect == "ptx" or not named.listed or not aim.listed or named.name == aim.name


def _read(request: Request) -> tuple[Listed, ...]:
    if request.text == STDIN:
        return content.read(reading.standard_input(), "standard input", request.target)
    spec, _, wish = request.text.partition("@")
    path = Path(request.text)
    if path.is_dir():
        return compiled.cached(path)
    if path.suffix in _CACHED and path.with_suffix(".json").is_file() and (kernels := compiled.entry(path)):
        return kernels
    if path.is_file() and path.suffix not in compiled.SOURCES and not (path.suffix == ".ptx" and request.target):
        return _lying(path, request.target)
    file, colon, _ = spec.rpartition(":")
    named = Path(file) if colon and file.endswith(tuple(compiled.SOURCES)) else Path(spec)
    if named.suffix and not named.is_file():
        refusal = f"{named} is no regular file" if named.is_symlink() or named.exists() else f"there is no file {named}"
        raise UsageError(
            f"{refusal}: give a listing, a code object, a source file or a family such as gemm; "
            "hotloop explain also reads what a profiler wrote."
        )
    if named.suffix == ".py" and is_program(named):
        raise UsageError(
            f"{named} is a Python program that defines no kernel, and was not run; give machine code, or a file with a kernel: "
            f"'{hint.command('init')}' writes one."
        )
    return compiled.compiled(_chosen(spec, request.kernel), wish, request)


def _chosen(spec: str, kernel: str) -> str:
    """Return a file of jitted functions with the one that was asked for: the others need not compile."""
    from hotloop.app.code.offline import is_bare

    return f"{spec}:{kernel}" if kernel and is_bare(Path(spec)) else spec


def _lying(path: Path, target: str) -> tuple[Listed, ...]:
    """Return the kernels of a file, also of one in which a listing is packed or stands among other text."""
    refused: UsageError | None = None
    for data, how in _forms(path):
        try:
            kernels = content.read(data, str(path), target, None if how else path)
        except UsageError as error:
            refused = error if refused is None or how == _UNPACKED else refused
            continue
        noted = [replace(item.source, notes=(*item.source.notes, how)) if how else item.source for item in kernels]
        return tuple(replace(item, source=source) for item, source in zip(kernels, noted, strict=True))
    raise refused or UsageError(f"{path} cannot be read: give a readable file.")


def _forms(path: Path) -> Iterator[tuple[bytes, str]]:
    """Yield a file as it is, and what it may hold; a page of HTML comes last as it is, as tags hide what stands beside them."""
    data = _bytes(path)
    tagged = b"<" in data and is_tagged(look(path))
    yield from () if tagged else ((data, ""),)
    yield from _unwrapped(path)
    yield from ((data, ""),) if tagged else ()


def _unwrapped(path: Path) -> Iterator[tuple[bytes, str]]:
    """Yield what a file may hold, with how it was got; nothing for what cannot be unwrapped."""
    with suppress(ProfileError), scratch.folder() as folder:
        head = look(path)
        if is_packed(head):
            yield unpacked(head, Path(folder)).read_bytes(), _UNPACKED
        else:
            yield from ((text.encode(), how) for text, how in texts(head, tables=False))


def _bytes(path: Path) -> bytes:
    try:
        return reading.content(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give a readable file.") from None
