"""Writing an instruction as a record for C: operands, what it touches, tables of its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.native import layout
from hotloop.emulate.native.layout import INS, KIND, OP, TOUCH
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.units import lanes
from hotloop.emulate.units.values import PRIVATE_APERTURE, SHARED_APERTURE, literal, size
from hotloop.isa.amdgcn.counters import SOURCES, Stream
from hotloop.isa.amdgcn.registers import SCC, SGPR
from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.instruction import Context, Decoded

STREAMS = {stream: number for number, stream in enumerate([Stream.LDS, *(s for s in Stream if s is not Stream.LDS)])}
"""Numbers of the counters' streams; C knows 0 (local memory) and 1 (vector memory) by number."""
_NAMED = {
    "shared_base": SHARED_APERTURE, "private_base": PRIVATE_APERTURE, "shared_limit": 0xFFFFFFFF, "private_limit": 0xFFFFFFFF,
}  # fmt: skip


class NotHere(Exception):  # noqa: N818 - no mistake: the other back end does it
    """A form of an instruction that the interpreter has no code for."""


@dataclass(slots=True)
class Tables:
    """What records of a program point into."""

    side: list[int] = field(default_factory=list)
    floats: list[float] = field(default_factory=list)
    touched: list[tuple[int, int]] = field(default_factory=list)
    more: list[Any] = field(default_factory=list)
    """Records of halves of instructions, behind those of the program."""
    _known: dict[tuple[float, ...], int] = field(default_factory=dict)

    def add(self, values: Sequence[int] | Array) -> int:
        """Return where numbers stand."""
        place = len(self.side)
        self.side.extend(int(value) for value in np.ravel(values))
        return place

    def values_of(self, table: Array) -> int:
        """Return where the values of a small float's codes stand."""
        key = tuple(table.view(np.uint32).tolist())
        if key not in self._known:
            self._known[key] = len(self.floats)
            self.floats.extend(table.tolist())
        return self._known[key]


@dataclass(frozen=True, slots=True)
class Writer:
    """One instruction on its way into a record."""

    ins: Decoded
    context: Context
    tables: Tables
    record: Any
    first_more: int
    """Index of the first record behind those of the program."""

    def op(self, name: str, **fields: Any) -> None:  # noqa: ANN401 - integers, or lists of them
        """Set the operation and fields; ``n`` is a mapping from places to numbers."""
        self.record["op"] = OP[name]
        for key, value in fields.items():
            if key == "n":
                for place, number in value.items():
                    self.record["n"][place] = np.int64(number).astype(np.int32)
            else:
                self.record[key] = value

    def part(self, ins: Decoded | None = None) -> Writer:
        """Return a writer of a further record, for half of this instruction."""
        made = np.zeros((), INS)
        self.tables.more.append(made)
        return replace(self, ins=ins or self.ins, record=made)

    def next_part(self) -> int:
        """Return the index that the next further record will have."""
        return self.first_more + len(self.tables.more)

    # -- operands ----------------------------------------------------------------------------------------------------

    def source(self, place: int, item: Operand, kind: str, *, high: bool = False) -> Any:  # noqa: ANN401 - a record
        """Write an operand as `hotloop.emulate.units.values.source` reads it."""
        to = self._place(place, kind)
        if item.kind is Kind.REGISTER and item.first < SGPR:
            to["where"], to["row"] = layout.IN_VECTOR, self.context.layout.row(item.first)
            to["high"] = high or item.high
        else:
            self._uniform(to, item, kind, high=high)
        if not item.extended:
            to["negated"], to["absolute"] = item.negated, item.absolute
        return to

    def scalar(self, place: int, item: Operand, kind: str) -> Any:  # noqa: ANN401
        """Write an operand of the scalar unit, which has no signs."""
        to = self._place(place, kind)
        self._uniform(to, item, kind, high=False)
        return to

    def constant(self, place: int, bits: int, kind: str) -> None:
        """Write a number as an operand."""
        to = self._place(place, kind)
        to["where"], to["value"] = layout.CONSTANT, bits

    def _place(self, place: int, kind: str) -> Any:  # noqa: ANN401
        to = self.record["src"][place]
        to["kind"] = KIND[kind]
        self.record["sources"] = max(int(self.record["sources"]), place + 1)
        return to

    def _uniform(self, to: Any, item: Operand, kind: str, *, high: bool) -> None:  # noqa: ANN401
        if item.kind is Kind.REGISTER and item.first >= SGPR:
            to["where"] = layout.IN_SCC if item.first == SCC else layout.IN_SCALAR
            to["row"], to["high"] = item.first - SGPR, high
            return
        if item.kind is Kind.NAMED:
            self._named(to, item, kind)
            return
        value = literal(item, kind, self.ins, high=high)
        if value is None:
            raise NotHere(f"operand {item.text}")
        to["where"] = layout.CONSTANT
        to["value"] = int(value.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[value.dtype.itemsize])[0])
        if kind == "bf16":
            to["value"] = int(to["value"]) >> 16

    def _named(self, to: Any, item: Operand, kind: str) -> None:  # noqa: ANN401
        name = item.text.removeprefix("src_")
        places = {"scc": layout.IN_SCC, "vccz": layout.IN_VCCZ, "execz": layout.IN_EXECZ}
        if name in places and kind[0] in "ui":
            to["where"] = places[name]
        elif name in _NAMED and kind in ("u32", "u64", "i32", "i64"):
            base = _NAMED[name]
            to["where"] = layout.CONSTANT
            to["value"] = base << 32 if size(kind) == 64 and name.endswith("base") else base
        else:
            raise NotHere(f"operand {item.text}")

    # -- results -----------------------------------------------------------------------------------------------------

    def result(self, item: Operand, kind: str, *, high: bool | None = None) -> None:
        """Write where a vector instruction's result goes, as `hotloop.emulate.units.values.sink` has it."""
        self.record["kind"] = KIND[kind]
        if item.kind is Kind.NULL:
            self.record["row"] = -1
            return
        self.record["row"] = self.context.layout.row(item.first)
        chosen = item.high if item.halved else high
        cleared = chosen is None and self.context.zeroes_upper
        self.record["half"] = layout.CLEARED if cleared else layout.HIGH if chosen else layout.LOW

    def scalar_result(self, item: Operand, kind: str = "u32") -> None:
        """Write where a result of the scalar unit goes."""
        self.record["row"] = -1 if item.kind is Kind.NULL else item.first - SGPR
        self.record["kind"] = KIND[kind]

    def permuted(self, *, result: bool) -> None:
        """Write how the first operand is read through DPP, and which lanes get a result."""
        ins, count = self.ins, self.context.lanes
        index, valid = lanes.pattern(ins, count)
        inside(np.where(valid, index, 0), count)
        table = np.full(layout.LANES, -1)
        table[:count] = np.where(valid, index, -1)
        lane = np.arange(layout.LANES)
        rows, banks = ins.modifiers.number("row_mask", 15), ins.modifiers.number("bank_mask", 15)
        chosen = (rows >> (lane // 16 & 3) & 1) & (banks >> (lane // 4 & 3) & 1)
        bounded = bool(ins.modifiers.text("bound_ctrl")) or bool(ins.modifiers.text("dpp8"))
        words = np.packbits(chosen.astype(bool), bitorder="little").view(np.uint32)
        self.record["src"][0]["permuted"] = 1
        self.record["table"] = self.tables.add(table)
        self.record["n"][8] = bounded | bool(ins.modifiers.number("fi")) << 1
        self.record["n"][9] = result
        self.record["n"][10:12] = words.view(np.int32)


def inside(index: Array, count: int) -> None:
    """Raise NotHere where a lane would read from a lane that the wave does not have."""
    if (np.asarray(index) < 0).any() or (np.asarray(index) >= count).any():
        raise NotHere("a lane that the wave does not have")


_SCALAR_RESULTS = frozenset(
    OP[n] for n in ("SCALAR", "SAVE", "READ_FIRST", "READ_LANE", "GETPC", "ZERO", "SWAPPC", "SCALAR_LOAD", "CLOCK")
)
_WIDE = frozenset(KIND[k] for k in ("u64", "i64", "f64"))
_SCALAR_ROWS = 128


def check_rows(record: Any, context: Context) -> None:  # noqa: ANN401 - a record
    """Raise NotHere where a register lies beyond its file; C does not look again."""
    for place, item in enumerate(record["src"]):
        words = 2 if int(item["kind"]) in _WIDE else 1
        limit = max(1, context.layout.rows) if item["where"] == layout.IN_VECTOR else _SCALAR_ROWS
        if item["where"] == layout.IN_SCALAR and place == _RESOURCE and record["n"][5] == _BUFFER:
            words = 4
        if item["where"] in (layout.IN_VECTOR, layout.IN_SCALAR) and not 0 <= item["row"] <= limit - words:
            raise NotHere("a register that does not exist")
    scalar = int(record["op"]) in _SCALAR_RESULTS
    limit = _SCALAR_ROWS if scalar else max(1, context.layout.rows)
    words = 2 if int(record["kind"]) in _WIDE else 1
    if record["row"] > limit - words or record["mask"] > max(_SCALAR_ROWS, context.layout.rows) - 1:
        raise NotHere("a register that does not exist")


_RESOURCE, _BUFFER = 2, 1


def note(writer: Writer) -> None:
    """Write what every instruction has: its counters, its address, the registers that it touches."""
    ins, record = writer.ins, writer.record
    streams = [STREAMS[issue.stream] for issue in ins.issues if issue.stream not in SOURCES]
    record["issues"], record["apart"] = len(streams), bool(ins.issues)
    record["stream"][: len(streams)] = streams
    record["address"] = ins.address + 4
    record["target"] = -1 if ins.target is None else ins.target
    record["touch"] = len(writer.tables.touched)
    writer.tables.touched += [(compact(r, writer.context), how) for r, how in roles(ins)]
    record["touches"] = len(writer.tables.touched) - int(record["touch"])
    if any(register - SGPR >= layout.SCALARS for register, _ in roles(ins)):
        raise NotHere("a register that does not exist")
    if int(record["touches"]) > layout.MOST_TOUCHED:
        raise NotHere("it touches too many registers")
    record["category"], record["stored"] = category(ins), stored_bits(ins)


def compact(register: int, context: Context) -> int:
    """Return the number of a register in C: vector rows, then scalar rows."""
    if register < SGPR:
        return context.layout.row(register)
    return context.layout.rows + register - SGPR


def roles(ins: Decoded) -> list[tuple[int, int]]:
    """Return the registers that an instruction touches and what it does with each."""
    from hotloop.emulate import hazards

    data = hazards.data_of(ins)
    found = []
    for register in members(ins.touches):
        reads, writes = ins.reads >> register & 1, ins.writes >> register & 1
        how = layout.READS * reads | layout.WRITES * writes
        if reads and not (writes and register not in data and not hazards.named_twice(ins, register)):
            how |= layout.IS_DATA if register in data else layout.IS_ADDRESS
        found.append((register, how))
    return found


def category(ins: Decoded) -> int:
    """Return how an instruction is looked at that touches undefined bits."""
    from hotloop.emulate import hazards

    if ins.mnemonic.startswith(hazards.MEMORY):
        return layout.IS_MEMORY
    if ins.name.startswith(hazards.BRANCHES) or not ins.writes:
        return layout.IS_QUIET if ins.name.startswith(hazards.QUIET) else layout.IS_BRANCH
    return layout.IS_COMPUTE


def stored_bits(ins: Decoded) -> int:
    """Return the bits of its data that a store writes."""
    from hotloop.emulate import hazards

    return hazards.stored_bits(ins)


def touched(tables: Tables) -> Array:
    """Return what all instructions touch as records."""
    return np.array(tables.touched or [(0, 0)], TOUCH)
