"""PTX, NVIDIA's virtual instruction set, as nvcc, clang and Triton write it.

Names and types are those of NVIDIA's "PTX ISA" document. PTX has no addresses: instructions get 4 times their number within the function.
A predicate stands before the operands, as in ``@%p1 $L__BB0_2``. Registers are virtual, so nothing here tells how many
the machine needs. `BARRIER` and `WAIT` are told apart as in `hotloop.isa.nvidia.classify`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hotloop.isa.instruction import Function
from hotloop.isa.ptx.classify import WAVE_SIZE, classify
from hotloop.isa.ptx.statements import Found, bodies, numbered
from hotloop.isa.resources import KernelResources
from hotloop.isa.uncollected import uncollected

__all__ = ("DIALECT", "Ptx", "classify")

_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TO_END = re.compile(r"//[^\n]*")
_THREADS = re.compile(r"\.(?:maxntid|reqntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
_ARRAY = re.compile(
    r"\.(?P<space>shared|local)\s+(?:\.align\s+\d+\s+)?\.(?:v\d\s+\.)?(?P<type>[bsuf]\d+)\s+[\w$]+"
    r"(?P<sizes>(?:\[\d*\])*)"
)
_LINE = 200
"""Characters before a declaration among which its ``.extern`` stands."""


class Ptx:
    """NVIDIA's virtual assembly."""

    name = "ptx"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a PTX module that have a body."""
        with uncollected():
            return tuple(_functions(listing))

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Return a function of a module given as the bytes of its text. Raises ValueError: it has none of that name."""
        for function in self.parse(code.decode(errors="replace")):
            if function.name == name:
                return function
        raise ValueError(f"the PTX module ({len(code)} bytes at {address:#x}) has no function {name!r} with a body")


DIALECT = Ptx()


def _functions(listing: str) -> Iterator[Function]:
    text = _uncommented(listing)
    match = _TARGET.search(text)
    target = match[1] if match else ""
    found, arrays = list(bodies(text)), _arrays(text)
    shared = _module_shared(arrays, found)
    for body in found:
        name, code = body.head["name"], numbered(body.body)
        kernel = None
        if body.head["kind"] == "entry":
            own = [array for array in arrays if body.begin < array.place < body.end and not array.extern]
            kernel = _resources(name, target, text[body.head.end() : body.begin], own, shared)
        yield Function(name, code, None, target, kernel, addressed=False)


def _uncommented(listing: str) -> str:
    """Return a listing without comments; lines keep their numbers."""
    if "/*" not in listing:
        return _TO_END.sub("", listing)
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), listing)


class _Array(NamedTuple):
    """An array of shared or local memory and where it is declared."""

    place: int
    space: str
    size_bytes: int
    extern: bool
    """True when the launch tells its size."""


def _arrays(text: str) -> list[_Array]:
    """Return the declared arrays; ``.extern`` is looked for behind, as a pattern that may begin with it takes ten times as long."""
    return [
        _Array(row.start(), row["space"], _array_bytes(row), text.endswith(".extern", 0, row.start() - _gap(text, row)))
        for row in _ARRAY.finditer(text)
    ]


def _gap(text: str, row: re.Match[str]) -> int:
    """Return the white space before a declaration."""
    before = text[max(0, row.start() - _LINE) : row.start()]
    return len(before) - len(before.rstrip())


def _module_shared(arrays: Sequence[_Array], found: Sequence[Found]) -> tuple[int, bool]:
    """Return the static shared bytes declared outside functions, and whether the launch adds some."""
    rows = [row for row in arrays if row.space == "shared"]
    outside = [row for row in rows if not any(body.begin < row.place < body.end for body in found)]
    return sum(row.size_bytes for row in outside if not row.extern), any(row.extern for row in rows)


def _array_bytes(row: re.Match[str]) -> int:
    count = 1
    for size in re.findall(r"\[(\d*)\]", row["sizes"]):
        count *= int(size or 0)
    return count * int(row["type"][1:]) // 8


def _resources(name: str, target: str, head: str, own: Sequence[_Array], shared: tuple[int, bool]) -> KernelResources:
    """Return what directives say; module-wide shared arrays count for every kernel."""
    threads = _THREADS.search(head)
    static = sum(row.size_bytes for row in own if row.space == "shared")
    return KernelResources(
        name=name,
        target=target,
        scratch_bytes=sum(row.size_bytes for row in own if row.space == "local"),
        lds_bytes=shared[0] + static,
        dynamic_lds=shared[1],
        workgroup_max=_product(threads) if threads else None,
        wave_size=WAVE_SIZE,
    )


def _product(match: re.Match[str]) -> int:
    product = 1
    for number in match.groups():
        product *= int(number or 1)
    return product
