"""A captured OpenCL kernel as a bare source: what a person would name for it stands in the capture.

Sizes stay open where the text's own bounds give the grid and the lengths that the program used; then other sizes are tried, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.bare import kernel as bare
from hotloop.app.bare.cell import Cell
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import Wish
from hotloop.app.bare.wish import numbers as counts
from hotloop.captures import folder as folders
from hotloop.captures.nouns import Captured, Given, Launched
from hotloop.errors import UsageError
from hotloop.model.outcome import Parameter
from hotloop.rewrite import expand
from hotloop.units import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Kernel

_NOT_OURS = "pyopencl/cl"
"""End of the folder that pyopencl adds for its own headers."""


def load(folder: Path, captured: Captured, launched: Launched, limit_s: float) -> Kernel:
    """Return the kernel of a captured OpenCL launch.

    Raises:
        UsageError: an argument is of a kind that cannot be given again.
    """
    path = folder / captured.source
    text = folders.text(folder, captured)
    if any(launched.offset):
        raise UsageError(f"{captured.name} is launched with a global offset {launched.offset}, which is not supported.")
    options = _options(captured.options, captured.folder, text)
    signature = bare.signatures(path, text, options, limit_s).get(captured.entry, ())
    if len(signature) != len(launched.arguments):
        raise UsageError(
            f"{captured.name} takes {counted(len(signature), 'argument')}, {len(launched.arguments)} were captured; capture the program again."
        )
    source = Source(path, text, expand.Read({}, {}), {}, expand.typedefs(text, options), Wish(), ())
    cells = [source.cell(parameter.type) for parameter in signature]
    sizes, arrays = _told(folder, captured, launched, signature, cells)
    closed = _wish(captured, launched, sizes, arrays, options)
    opened = _open(path, text, captured, launched, closed, arrays, signature)
    kept = {name: value for name, (value, _, _) in arrays.items() if value is not None}
    lengths = {name: length for name, (_, length, _) in arrays.items()}
    launches = _launched(captured, signature, cells)
    known = bare.Known(kept, lengths, fixed=opened is None, launched=launches, complete=not captured.further)
    return bare.load(path, captured.entry, opened or closed, limit_s, known)


def _launched(
    captured: Captured, signature: tuple[Parameter, ...], cells: list[Cell | None]
) -> tuple[tuple[tuple[int, ...], dict[str, float]], ...]:
    """Return the work-items and numbers of each kind of launch; of numbers that changed from launch to launch the first."""
    made = []
    for launch in captured.launches:
        told = zip(launch.arguments, signature, cells, strict=False)
        values = {p.name: _number(given, cell) for given, p, cell in told if given.kind == "bytes" and cell is not None}
        plain = {name: float(text) for name, text in values.items() if not text.startswith("bytes:")}
        made.append((launch.grid, plain))
    return tuple(made)


def _options(given: tuple[str, ...], folder: str, text: str) -> tuple[str, ...]:
    """Return build options as they mean the same elsewhere: folders of headers by their whole paths, the program's own among them.

    >>> _options(("-I", "lib", "-DNAME=a b"), "/home/me", '#include "k.h"')
    ('-DNAME="a b"', '-I/home/me/lib', '-I/home/me')
    """
    defines: list[str] = []
    headers: list[str] = []
    words = iter(given)
    for word in words:
        if word.startswith("-I"):
            headers.append(word[2:] or next(words, ""))
        else:
            name, equals, value = word.partition("=")
            defines.append(f'{name}{equals}"{value}"' if " " in value else word)
    if "#include" in text.replace("# ", "#"):
        own = [str(Path(folder, header)) for header in headers if header and not header.endswith(_NOT_OURS)]
        defines += [f"-I{header}" for header in (*own, *([folder] if folder else ()))]
    return tuple(defines)


Arrays = dict[str, "tuple[NDArray[np.generic] | None, int, str]"]


def _told(
    folder: Path,
    captured: Captured,
    launched: Launched,
    signature: tuple[Parameter, ...],
    cells: list[Cell | None],
) -> tuple[dict[str, str], Arrays]:
    """Return what was given for every parameter, as a person would name it, and the arrays."""
    sizes: dict[str, str] = {}
    arrays: Arrays = {}
    names = {argument.name: parameter.name for argument, parameter in zip(launched.arguments, signature, strict=True)}
    for given, parameter, cell in zip(launched.arguments, signature, cells, strict=True):
        name = parameter.name
        if given.overlaps:
            raise UsageError(f"{name} of {captured.name} overlaps with {given.overlaps[0]}, which is not supported.")
        if given.alias:
            sizes[f"{captured.entry}.{name}"] = names[given.alias]
        elif given.kind == "null" or _nothing(given, parameter):
            sizes[name] = "null"
        elif given.kind == "local":
            sizes[name] = str(given.size // _width(cell))
        elif given.kind == "bytes":
            sizes[name] = _number(given, cell)
        elif given.kind == "array" and cell is not None:
            arrays[name] = (folders.values(folder, given, cell.dtype), given.size // _width(cell), cell.dtype)
        else:
            raise UsageError(
                f"{name} of {captured.name} is a {parameter.type}, given as something that a capture cannot keep; "
                "write a kernel file, see hotloop init."
            )
    return sizes, arrays


def _nothing(given: Given, parameter: Parameter) -> bool:
    """Tell whether a host gave a pointer no memory: it names none, or one whose address is 0."""
    if parameter.space not in ("global", "constant"):
        return False
    return given.kind == "local" or (given.kind == "bytes" and not given.text.strip("0"))


def _width(cell: Cell | None) -> int:
    return 1 if cell is None else cell.lanes * int(np.dtype(cell.dtype).itemsize)


def _number(given: Given, cell: Cell | None) -> str:
    """Return a number by value as text; structures and vectors as their bytes."""
    raw = bytes.fromhex(given.text)
    if cell is None or cell.lanes > 1 or len(raw) != int(np.dtype(cell.dtype).itemsize):
        return f"bytes:{given.text}"
    value = np.frombuffer(raw, np.dtype(cell.dtype))[0].item()
    return repr(value)


def _wish(
    captured: Captured, launched: Launched, sizes: Mapping[str, str], arrays: Arrays, options: tuple[str, ...]
) -> Wish:
    grid = ",".join(map(str, launched.grid))
    group = {} if launched.group is None else {captured.entry: ",".join(map(str, launched.group))}
    lengths = {name: str(length) for name, (_, length, _) in arrays.items()}
    return Wish(sizes={**sizes, **lengths}, globals={captured.entry: grid}, locals=group, options=options)


def _open(
    path: Path,
    text: str,
    captured: Captured,
    launched: Launched,
    closed: Wish,
    arrays: Arrays,
    signature: tuple[Parameter, ...],
) -> Wish | None:
    """Return the wish with grid and lengths left to the text, where it gives what the program used; else None."""
    sizes = {name: value for name, value in closed.sizes.items() if name not in arrays}
    wish = Wish(sizes=sizes, locals=closed.locals, options=closed.options)
    options = closed.options
    order = (captured.entry,)
    types = expand.typedefs(text, options)
    source = Source(path, text, expand.read(text, options), {captured.entry: signature}, types, wish, order)
    try:
        numbers = counts(wish)
        calls = source.calls(numbers)
        lengths = source.lengths(numbers, calls)
    except UsageError:
        return None
    group = launched.group or (1,) * len(launched.grid)
    needed = calls[0].extents
    if len(needed) != len(launched.grid):
        return None
    rounded = tuple(-(-extent // size) * size for extent, size in zip(needed, group, strict=True))
    same = all(lengths.get(name) == length for name, (_, length, _) in arrays.items())
    return wish if rounded == launched.grid and same else None
