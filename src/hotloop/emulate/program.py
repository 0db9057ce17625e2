"""A listing made executable: every instruction decoded and bound once."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hotloop.emulate import descriptor, mode
from hotloop.emulate.constants import absent, addend, by_name, constants, pointed
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.forms import form
from hotloop.emulate.instruction import Context, Decoded, decode
from hotloop.emulate.memory import addresses
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.state import Layout
from hotloop.emulate.units import (
    carry,
    compare,
    constant,
    directives,
    eight,
    flow,
    indexed,
    lanes,
    linked,
    local,
    matrix,
    memory,
    packed,
    scalar,
    scaled,
    vector,
)
from hotloop.isa import cxx
from hotloop.isa.amdgcn.counters import Generation, generation
from hotloop.isa.amdgcn.registers import AGPR, SGPR
from hotloop.isa.amdgcn.unused import TRITON
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hotloop.emulate.arrays import World
    from hotloop.emulate.constants import Constant
    from hotloop.emulate.descriptor import Descriptor
    from hotloop.isa.instruction import Function

_UNITS = (indexed, vector, compare, carry, packed, eight, scaled, lanes, matrix, scalar, constant, memory, local, flow)
_PERMUTING = (vector, compare, carry)
"""Units that read their first operand through DPP."""
_SYMBOL = re.compile(r"([\w.$@]+?)@(?:rel32@|gotpcrel32@)?(lo|hi|rel64)([+-]\d+)?$")
_IMAGE = re.compile(r"__translate_sampler_initializer$|_Z\d+(?:read|write|get)_image|__(?:read|write)_image_of_hip$")
_HEAP = "the heap of a device is served by the host; allocate the memory before the launch and give it as an argument"
_SERVED = {
    "malloc": _HEAP,
    "free": _HEAP,
    "__grid_sync_of_hip": "barriers of a whole grid are not modelled; end the kernel there and launch a second one",
}
"""Functions of HIP that need the host's help, declared by hotloop's own headers."""
_IMAGELESS = "no image instructions"
"""The feature of targets on which no kernel can read an image."""
_STORES, _WORD = ("global_store", "buffer_store", "flat_store"), 4


@dataclass(frozen=True, slots=True)
class Program:
    """One kernel with everything that it can call."""

    name: str
    target: Target
    code: tuple[Decoded, ...]
    entry: int
    """Index of the kernel's first instruction."""
    descriptor: Descriptor
    layout: Layout
    places: Mapping[int, int]
    """Index of the instruction at an address."""
    family: Generation
    small: bool
    """Whether local memory is accessed in bytes or halves."""
    narrow: int
    """Bytes of the narrowest store to device memory, at most 4."""
    phased: bool = False
    """Whether a compiler laid out local memory that writes a place anew for each step (Triton)."""
    constants: tuple[Constant, ...] = ()
    """Objects of read-only sections, and variables of a code object; a launch puts them into memory before anything else."""


def load(text: str, name: str = "", target: str = "") -> Program:
    """Return the program of a kernel in a listing with metadata.

    Args:
        text: assembly text as a compiler writes it.
        name: the kernel; empty: the only one.
        target: processor, where the listing names none.

    Raises:
        ListingError: no listing of an AMD GPU.
        UnmodelledError: an instruction that cannot be executed, with its line.
        EmulateError: no such kernel, or no description of its launch.
    """
    functions = DIALECT.parse(text)
    kernel = _kernel(functions, name)
    aim = Target.of(kernel.target or target)
    if target and aim.name != Target.of(target).name:
        raise EmulateError(f"the listing is for {aim.name}, not for {Target.of(target).name}; leave --target out.")
    _known(aim)
    directives.refuse(text, [function for function in functions if function is kernel or function.resources is None])
    said = descriptor.of_listing(text, kernel.name, aim.wave_size or 64)
    data, weak = (constants(text), absent(text)) if "@rel32@" in text or "@rel64" in text else ((), {})
    made = assembled(functions, kernel.name, aim, said, data, weak)
    return replace(made, phased=TRITON in text)


def _known(aim: Target) -> Generation:
    family = generation(aim.name)
    if family is None:
        raise EmulateError(
            f"{aim.name or 'the processor'} is not modelled; say one with --target, such as gfx942 or gfx1100."
        )
    return family


def assembled(
    functions: Sequence[Function],
    name: str,
    aim: Target,
    said: Descriptor,
    data: tuple[Constant, ...] = (),
    weak: Mapping[str, int] | None = None,
) -> Program:
    """Return a program of decoded functions; `weak` has addresses of what is defined nowhere. Raises as `load`."""
    family = _known(aim)
    kernel = next((f for f in functions if f.name == name), None)
    if kernel is None:
        raise EmulateError(f"there is no code of {name}; it has {', '.join(f.name for f in functions) or 'none'}.")
    reached = _reached(functions, kernel, data)
    _with_images(reached, aim)
    places_of_data = addresses([len(item.data) for item in data])
    code = linked.resolved(
        _decoded(reached, family, {**(weak or {}), **by_name(data, places_of_data)}), data, places_of_data
    )
    layout = _layout(code, said)
    context = Context(aim, family, layout, private=said.scratch_bytes > 0)
    places = {item.address: item.index for item in code}
    mode.mark(code, places[kernel.instructions[0].address])
    for item in code:
        item.step = mode.guarded(item, bound(item, context), context)
    return Program(
        name=kernel.name,
        target=aim,
        code=tuple(code),
        entry=places[kernel.instructions[0].address],
        descriptor=said,
        layout=layout,
        places=places,
        family=family,
        small=any(_width(item) < _WORD for item in code if item.name.startswith(("ds_", "flat_"))),
        narrow=min((_width(item) for item in code if item.name.startswith(_STORES)), default=_WORD),
        constants=pointed(data, places_of_data, {f.name: f.instructions[0].address for f in reached}),
    )


def _with_images(functions: Sequence[Function], aim: Target) -> None:
    """Refuse what no card of the processor can run. Raises EmulateError."""
    operands = (item.operands for function in functions for item in function.instructions if "@" in item.operands)
    found = aim.has(_IMAGELESS) and next((text for text in operands if _IMAGE.search(text.partition("@")[0])), "")
    if found:
        raise EmulateError(
            f"the kernel uses an image, a texture or a sampler, and {aim.name} has no image instructions: "
            "it runs on no card of this processor; read a buffer instead of the image."
        )


def kernels(text: str) -> tuple[str, ...]:
    """Return the names of the kernels in a listing."""
    return tuple(function.name for function in DIALECT.parse(text) if function.resources is not None)


def _kernel(functions: Sequence[Function], name: str) -> Function:
    symbol = name and _symbol(name, functions)
    found = [f for f in functions if (f.name == symbol if symbol else f.resources is not None)]
    if len(found) != 1:
        names = ", ".join(f.name for f in functions if f.resources is not None) or "none"
        wanted = f"no kernel {name!r}" if name else f"{len(found)} kernels"
        raise EmulateError(f"the listing has {wanted}; kernels in it: {names}; name one with --kernel.")
    return found[0]


def _symbol(name: str, functions: Sequence[Function]) -> str:
    """Return the symbol of a kernel that is named as its source names it; the name itself where none is meant."""
    with suppress(ValueError):
        return cxx.find(name, [f.name for f in functions if f.name == name or f.resources is not None])
    return name


def _reached(functions: Sequence[Function], kernel: Function, data: Sequence[Constant]) -> list[Function]:
    """Return the kernel and the functions that its text, or an object that it reaches, can name."""
    known = {f.name: f for f in functions}
    tables = {item.name: {link.target for link in item.links if isinstance(link.target, str)} for item in data}
    seen, waiting = {kernel.name}, [kernel.name]
    while waiting:
        name = waiting.pop()
        named = _named(known[name]) if name in known else tables.get(name, set())
        waiting += named - seen
        seen |= named
    found = {name: known[name] for name in seen if name in known}
    if any(item.mnemonic.startswith("s_swappc") for item in kernel.instructions) and len(found) == 1:
        found |= {
            name: f for name, f in known.items() if f.resources is None
        }  # a linker has replaced the names by numbers
    return sorted(found.values(), key=lambda f: f.instructions[0].address)


def _named(function: Function) -> set[str]:
    """Return the symbols in a function's operands."""
    found = (_SYMBOL.search(item.operands) for item in function.instructions if "@" in item.operands)
    return {match[1] for match in found if match}


def _decoded(functions: Sequence[Function], family: object, data: Mapping[str, int]) -> list[Decoded]:
    items = [item for function in functions for item in function.instructions]
    places = {item.address: index for index, item in enumerate(items)}
    starts = {function.name: function.instructions[0].address for function in functions}
    code, pc, since = list[Decoded](), 0, 0
    for index, item in enumerate(items):
        made = decode(index, item, places.get(item.target) if item.target is not None else None, family)  # type: ignore[arg-type]
        if made.name in ("s_getpc_b64", "s_get_pc_i64"):
            pc, since = item.address + 4, index + 1
        if "@" in item.operands:
            between = [one.operands for one in items[since:index]]
            made = replace(made, operands=tuple(_distance(made, o, starts, data, pc, between) for o in made.operands))
        code.append(made)
    return indexed.relative(code)


def _distance(
    item: Decoded, operand: Operand, starts: Mapping[str, int], data: Mapping[str, int], pc: int, between: Sequence[str]
) -> Operand:
    """Replace the distance to a function or an object by a number: its low or high word from the last ``s_getpc_b64``."""
    match = _SYMBOL.match(operand.text) if operand.kind is Kind.SYMBOL else None
    if match is None:
        return operand
    if _IMAGE.search(match[1]):
        raise item.unmodelled("it reads, writes or asks an image or a sampler")
    if match[1] in _SERVED and match[1] not in starts:
        raise item.unmodelled(f"it calls {match[1]}: {_SERVED[match[1]]}")
    if (match[1] not in starts and match[1] not in data) or "got" in operand.text:
        raise item.unmodelled(f"{match[1]} is neither a function nor a variable of the listing")
    more = addend(int(match[3] or 0), between) if match[1] in data else 0
    distance = (data[match[1]] + more if match[1] in data else starts[match[1]]) - pc & 0xFFFFFFFFFFFFFFFF
    word = {"lo": distance & 0xFFFFFFFF, "hi": distance >> 32, "rel64": distance}[match[2]]
    return Operand(operand.text, Kind.INTEGER, integer=word)


def _layout(code: Sequence[Decoded], said: Descriptor) -> Layout:
    """Return how many registers of each kind the code names."""
    vectors = agprs = 0
    for item in code:
        mask = item.touches
        low = mask & ((1 << AGPR) - 1)
        high = (mask & ((1 << SGPR) - 1)) >> AGPR
        vectors, agprs = max(vectors, low.bit_length()), max(agprs, high.bit_length())
    return Layout(max(vectors, 3), agprs, said.wave)


def bound(item: Decoded, context: Context) -> Callable[[World], None]:
    """Return the function that executes an instruction. Raises UnmodelledError."""
    try:
        for unit in _UNITS:
            step: Callable[[World], None] | None = unit.bind(item, context)
            if step is not None:
                if "_dpp" in item.mnemonic and unit not in _PERMUTING:
                    raise item.unmodelled("its form with DPP")
                return step
    except (
        AttributeError,
        IndexError,
        KeyError,
        TypeError,
        ValueError,
    ) as error:  # fewer operands, or of another kind, than it has
        raise item.unmodelled("its operands are not those of the instruction") from error
    raise item.unmodelled()


def _width(item: Decoded) -> int:
    """Return the bytes that a load or store moves for a lane; 4 where it moves more, or is none."""
    found = memory.NAME.match(item.name) or local.ONE.match(item.name)
    shape = form(found[found.re.groups]) if found else None
    return min(_WORD, shape.bytes) if shape else _WORD
