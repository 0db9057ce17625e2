"""The same OpenCL C program whose groups have copies of the results of their own.

Groups of one launch run in no order, so none may read what another one wrote, but by atomics. On a processor they run one after the other on each
thread, so that the first ones can leave a table in the results, made anew by every call, which the others use. Such a program is as right
with a copy of the results for each group, and no longer fast. What the copies cost is known from the program in which all groups have the
first copy, and what making them costs from the one that does nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from hotloop.model.program import Argument, Array, Launch, Scratch, Value
from hotloop.verify.remnants.text import ME, OWN, Definition, bare, in_local_memory, kernels, parameters, prelude
from hotloop.verify.remnants.wrapped import lifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.model.program import Program
    from hotloop.ports import Slot

How = Literal["whole", "never", "together", "parted"]
_COPIES_BYTES, _MOST_BYTES = 2**24, 2**25
"""What all copies of an array may take together at most; and the largest array that has any. Where a copy for each group takes more, they overlap: each
begins some way behind the one before, so that what a group wrote stands where no other one expects it."""
_MOST_GROUPS = 2**19
_LINE_BYTES = 64
"""Copies begin at multiples of it: no address of an element is less aligned than it was."""
_WAITS = re.compile(r"\bwhile\b(?!\s*\(\s*atom\w*(?:cmpxchg|compare_exchange)\w*\s*\()|\bgoto\b|\bfor\s*\([^;()]*;\s*;")
_SHARES = re.compile(r"atom|\bvolatile\b|_fence\b")
"""Words of a text whose groups may wait for one another, or take their work from a counter: arrays that come with content may hold their flags, so those
have no copies there. A loop that tries an exchange until it succeeds waits for nobody."""
PARTED = f"{OWN}_parted_"
_COPY = f"{OWN}_copy"
_PRELUDE = prelude(
    f"__kernel void {_COPY}(__global const uint *from, __global uint *to, const uint words) {{"
    " const size_t at = get_global_id(0), every = get_global_size(0);"
    " to[get_global_id(1) * every + at] = at < words ? from[at] : 0u; }"
    f" size_t {OWN}_group(void) {{ return get_group_id(0) + get_num_groups(0)"
    " * (get_group_id(1) + get_num_groups(1) * get_group_id(2)); }"
)

_WRITER = (
    f"void {OWN}_write(__global uint *to, const uint words) {{"
    " const uint groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);"
    " const uint mine = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));"
    " const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);"
    " const uint each = (words + groups - 1) / groups, end = min(words, (mine + 1) * each);"
    f" for (uint k = mine * each + {ME}; k < end; k += items) to[k] = k; }}\n"
)


@dataclass(frozen=True, slots=True)
class _Copies:
    """The copies of one array."""

    area: Scratch
    shift: int
    """Bytes between the beginnings of two copies."""
    fill: Launch


def parted(program: Program, slots: Sequence[Slot], how: How, most_bytes: int = _COPIES_BYTES) -> Program | None:
    """Return a program whose groups have copies of what only one launch writes; None where there is none, or none can be told in its text.

    Args:
        program: that is to be looked at.
        slots: arrays of the problem.
        how: `whole` makes no copies, `never` calls no kernel that has some, `together` gives all groups the first one.
        most_bytes: what copies of an array may take together.
    """
    if program.language != "opencl":
        return None
    text, declared = bare(program.source), in_local_memory(program)
    found = {one.name: one for one in kernels(text) if one is not None}
    given = copied(program, slots, most_bytes)
    wanted = {launch.entry for launch, copies in zip(program.launches, given, strict=False) if copies}
    entries = [launch.entry for launch in program.launches]
    if not wanted <= found.keys() or not wanted:
        return None
    launches, made, end = list[Launch](), [_PRELUDE], 0
    for launch, copies in zip(program.launches, given, strict=True):
        launches += [
            *(one.fill for one in copies.values() if how != "whole"),
            _launched(launch, copies, how) if copies else launch,
        ]
    for kernel in sorted((found[name] for name in wanted), key=lambda one: one.start):
        copies = given[entries.index(kernel.name)]
        pair = _pair(text, kernel, declared, program.launches[entries.index(kernel.name)], copies)
        if not pair:
            return None
        made += [text[end : kernel.start], pair]
        end = kernel.end
    areas = tuple(one.area for copies in given for one in copies.values() if how != "whole")
    return replace(
        program, source="".join([*made, text[end:]]), launches=tuple(launches), scratch=(*program.scratch, *areas)
    )


def written(program: Program, slots: Sequence[Slot]) -> Program | None:
    """Return a program that does nothing but write the results that a program's groups have copies of, each group a part of its own; None where there are none.

    What copies cost such a program they cost any: its groups write side by side, and with copies of their own far apart. Scratch areas are not
    written, for it is the candidate that says how large they are.
    """
    sizes = {slot.name: slot.payload_bytes for slot in slots}
    launches, texts = list[Launch](), list[str]()
    for launch, copies in zip(program.launches, copied(program, slots), strict=False):
        if results := [name for name in copies if name in sizes]:
            arguments = [one for name in results for one in (Array(name), Value(sizes[name] // 4, "uint32"))]
            entry = f"{OWN}_written_{len(launches)}"
            launches.append(replace(launch, entry=entry, arguments=tuple(arguments)))
            texts.append(_writer(entry, len(results)))
    if not launches:
        return None
    return replace(program, source=_WRITER + "".join(texts), launches=tuple(launches), scratch=())


def _writer(name: str, arrays: int) -> str:
    given = ", ".join(f"__global uint *to{k}, const uint words{k}" for k in range(arrays))
    calls = " ".join(f"{OWN}_write(to{k}, words{k});" for k in range(arrays))
    return f"__kernel void {name}({given}) {{ {calls} }}\n"


def copied(program: Program, slots: Sequence[Slot], most_bytes: int = _COPIES_BYTES) -> list[Mapping[str, _Copies]]:
    """Return the copies of each launch, by the arrays' names; nothing where no launch has any."""
    every = [_copied(program, launch, slots, most_bytes) for launch in program.launches]
    return every if any(every) else []


def _copied(program: Program, launch: Launch, slots: Sequence[Slot], most_bytes: int) -> Mapping[str, _Copies]:
    """Return the copies of arrays that no later launch has, and of scratch areas that no other one has."""
    groups = launch.groups or launch.work_items
    if [each.entry for each in program.launches].count(launch.entry) > 1 or not 1 < groups <= _MOST_GROUPS:
        return {}
    ordered = waiting(program)
    made = {
        slot.name: _copies(slot.name, slot.payload_bytes, groups, most_bytes, content=slot.input or users != [launch])
        for slot in slots
        if slot.output and (users := _users(program, slot.name))[-1:] == [launch] and not (slot.input and ordered)
        if 4 <= slot.payload_bytes <= _MOST_BYTES
    }
    areas = [area for area in program.scratch if not ordered and _users(program, area.name) == [launch]]
    return made | {
        area.name: _copies(area.name, area.scratch_bytes, groups, most_bytes, content=True)
        for area in areas
        if 4 <= area.scratch_bytes <= _MOST_BYTES
    }


def waiting(program: Program) -> bool:
    """Tell whether groups of a program may wait for one another by what its text says."""
    text = bare(program.source)
    return _WAITS.search(text) is not None and _SHARES.search(text) is not None


def unlooked(program: Program, slots: Sequence[Slot]) -> bool:
    """Tell whether a program has arrays without copies only because its groups may wait for one another through them."""
    if not waiting(program):
        return False
    written = [slot.name for slot in slots if slot.output and slot.input]
    return any(_is(argument, name) for launch in program.launches for argument in launch.arguments for name in written)


def _users(program: Program, name: str) -> list[Launch]:
    """Return the launches that have an array; none where one has it in another way than by its plain address."""
    every = [launch for launch in program.launches if any(_is(argument, name) for argument in launch.arguments)]
    return every if all(type(one) is Array for each in every for one in each.arguments if _is(one, name)) else []


def _is(argument: Argument, name: str) -> bool:
    return getattr(argument, "name", "") == name


def _copies(name: str, size_bytes: int, groups: int, most_bytes: int, *, content: bool) -> _Copies:
    """Return the copies of an array; without `content` they begin as zeros, for what the array holds is of an earlier call."""
    stride = -(-size_bytes // _LINE_BYTES) * _LINE_BYTES
    apart = min(most_bytes, _COPIES_BYTES) // groups // _LINE_BYTES
    shift = min(stride, _LINE_BYTES * (max(0, apart - 1) | 1))  # odd: parts of groups are mostly a power of two
    rows = -(-(stride + shift * (groups - 1)) // stride)
    area = Scratch(f"{OWN}_{name}", rows * stride, shared=True)
    given = (Array(name), Array(area.name), Value(size_bytes // 4 if content else 0, "uint32"))
    return _Copies(area, shift, Launch(_COPY, given, (stride // 4, rows), phase="pack"))


def _launched(launch: Launch, copies: Mapping[str, _Copies], how: How) -> Launch:
    own = [copies.get(argument.name) if isinstance(argument, Array) else None for argument in launch.arguments]
    given = [
        Array(copy.area.name) if copy and how != "whole" else one
        for one, copy in zip(launch.arguments, own, strict=True)
    ]
    shifts = [Value(copy.shift if how == "parted" else 0, "uint64") for copy in own if copy]
    called = Value(int(how != "never"), "uint32")
    return replace(launch, entry=PARTED + launch.entry, arguments=(*given, called, *shifts))


def _pair(
    text: str, kernel: Definition, declared: re.Pattern[str], launch: Launch, copies: Mapping[str, _Copies]
) -> str:
    """Return a kernel as a function, and the kernel that calls it with a group's own copies; empty where its parameters cannot be told."""
    given = text[kernel.parameters : kernel.close]
    names = parameters(given)
    if names is None or len(names) != len(launch.arguments):
        return ""
    body, statements, more, passed = lifted(text[kernel.body : kernel.end - 1], declared)
    inner = f"\n#undef {kernel.name}\nvoid {kernel.name}({', '.join([given, *more])}) {{{body}"
    own = [isinstance(argument, Array) and argument.name in copies for argument in launch.arguments]
    shifts = [f"const ulong {OWN}_shift_{name}" for name, copy in zip(names, own, strict=True) if copy]
    head, tail = text[kernel.start : kernel.named], text[kernel.close : kernel.body]
    called = f"const uint {OWN}_called"
    opened = " ".join(f"{head}{PARTED}{kernel.name}({', '.join([given, called, *shifts])}{tail}".split())
    mine = [_shifted(name) if copy else name for name, copy in zip(names, own, strict=True)]
    call = f"if ({OWN}_called) {kernel.name}({', '.join([*mine, *passed])});"
    return f"{inner} {opened} {' '.join(statements)} {call} }}"


def _shifted(name: str) -> str:
    return f"(__typeof__({name}))((__global uchar *){name} + {OWN}_group() * {OWN}_shift_{name})"
