"""A source as it was found: its kernels as the compiler knows them, and what a launch of each takes at given sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from operator import add
from pathlib import Path

from hotloop.app.bare import asking, lengths, order
from hotloop.app.bare.call import Call, filled_up
from hotloop.app.bare.cell import Cell
from hotloop.app.bare.wish import NO_NUMBER, Repeated, Wish, count, names, number
from hotloop.errors import KernelFileError, UsageError
from hotloop.model.outcome import Parameter
from hotloop.model.program import Argument, Array, Launch, Local, Null, Raw, Value
from hotloop.rewrite import parse, ranges, shape
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.straight import straight
from hotloop.rewrite.expand import Read

DTYPES = {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "uint": "uint32", "long": "int64",
    "ulong": "uint64", "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "size_t": "uint64",
    "unsigned int": "uint32", "unsigned": "uint32", "unsigned char": "uint8", "unsigned long": "uint64", "bool": "uint8",
    "unsigned short": "uint16",
}  # fmt: skip
"""NumPy's name of OpenCL C's types."""
_LANES = ("16", "8", "4", "3", "2")
_MOST_LAUNCHES = 20_000
_MOST_LOCAL = 1 << 16
"""Elements of local memory; more would be a range that says nothing."""
_PLACES = r"\b(?:get_local_id|get_local_size|get_enqueued_local_size|get_group_id|get_num_groups|get_local_linear_id)\b"
_GROUPED = re.compile(
    r"\b(?:barrier|__local|local|reqd_work_group_size|work_group_\w+|sub_group_\w+|get_sub_group_\w+)\b"
)
"""Names that only make sense within a work-group."""


_REMEMBERED = 32


@dataclass(slots=True)
class Memory:
    """What a source was asked before."""

    calls: dict[object, tuple[Call, ...]] = field(default_factory=dict)
    bounds: dict[str, tuple[t.Body, bool]] = field(default_factory=dict)
    reaches: dict[int, tuple[tuple[Call, ...], dict[str, ranges.Reach]]] = field(default_factory=dict)
    """Results by the identity of a tuple of calls; the tuple is kept as well, so that no other object gets its identity."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text with everything that is known of it."""

    path: Path
    text: str
    read: Read
    signatures: Mapping[str, tuple[Parameter, ...]]
    types: Mapping[str, str]
    wish: Wish
    order: tuple[Repeated, ...]
    """Launches in the order in which the host makes them."""
    guessed: dict[str, str] = field(default_factory=dict)
    """Facts that were inferred instead of given, by subject and in words; they are printed at the end."""
    known: Memory = field(default_factory=Memory, compare=False)
    """Results of earlier questions about the text, because a program may launch a kernel thousands of times."""

    @property
    def functions(self) -> Mapping[str, t.Function]:
        """Return the kernels that can be rewritten, at their places in the text."""
        return self.read.kept

    @property
    def kernels(self) -> tuple[str, ...]:
        """Return the kernels that are launched, in their order."""
        return tuple(dict.fromkeys(order.kernels(self.order)))

    @property
    def kernels_in_order(self) -> tuple[str, ...]:
        """Return the kernels as often as the text of the launches names them."""
        return tuple(order.kernels(self.order))

    @property
    def loops(self) -> tuple[str, ...]:
        """Return the variables of the host's loops."""
        return tuple(order.variables(self.order))

    def cell(self, kind: str) -> Cell | None:
        """Return what a type is, None of a structure."""
        kind = kind.removeprefix("struct ")
        for _ in range(8):
            if kind in self.read.structures:
                inner, count = self.read.structures[kind]
                inner_cell = self.cell(inner)
                return None if inner_cell is None else Cell(inner_cell.dtype, inner_cell.lanes * count)
            if kind in DTYPES:
                return Cell(DTYPES[kind])
            lanes = next(
                (
                    inner_cell
                    for inner_cell in _LANES
                    if kind.endswith(inner_cell) and kind[: -len(inner_cell)] in DTYPES
                ),
                "",
            )
            if lanes:
                return Cell(DTYPES[kind[: -len(lanes)]], 4 if lanes == "3" else int(lanes))
            if kind not in self.types:
                break
            kind = self.types[kind]
        return None

    def scalars(self) -> dict[str, str]:
        """Return the numbers that its kernels take by value, with their types; loop variables left out."""
        kinds: dict[str, str] = {}
        for kernel in self.kernels:
            for parameter in self.signatures[kernel]:
                if not parameter.space and parameter.name not in self.loops:
                    kinds.setdefault(parameter.name, parameter.type)
        return kinds

    def wished(self, kernel: str, name: str) -> str | None:
        """Return what was named for a parameter: of this kernel before that of all."""
        return self.wish.sizes.get(f"{kernel}.{name}", self.wish.sizes.get(name))

    def calls(self, sizes: Mapping[str, float], forms: Mapping[int, str] | None = None) -> tuple[Call, ...]:
        """Return the launches of a problem; `forms` says by number which loops of the host the kernels have. Raises UsageError."""
        key = (tuple(sorted(sizes.items())), tuple(sorted((forms or {}).items())))
        if key in self.known.calls:
            return self.known.calls[key]
        made: list[Call] = []
        for kernel, counts, rounds, end in order.expanded(
            self.order, dict(sizes), {}, order.numbered(self.order), forms or {}
        ):
            values = self._values(kernel, sizes, counts)
            numbers = {**sizes, **values, **counts}
            extents = self.extents(kernel, numbers)
            group = self._fitted(kernel, self.group(kernel, numbers), len(extents))
            made.append(Call(kernel, values, extents, group, rounds, end))
            if len(made) > _MOST_LAUNCHES:
                raise UsageError(f"{self.path.name}: more than {_MOST_LAUNCHES} launches; name fewer rounds.")
        while len(self.known.calls) >= _REMEMBERED:
            self.known.calls.pop(next(iter(self.known.calls)))
        self.known.calls[key] = tuple(made)
        return self.known.calls[key]

    def _values(self, kernel: str, sizes: Mapping[str, float], counts: Mapping[str, float]) -> dict[str, float]:
        values = asking.component_values(self, kernel, {**sizes, **counts})
        for parameter in self.signatures[kernel]:
            cell = self.cell(parameter.type)
            if parameter.space or cell is None or cell.lanes > 1:
                continue
            own = self.wish.sizes.get(f"{kernel}.{parameter.name}")
            if own is not None and not own.startswith(NO_NUMBER):
                values[parameter.name] = number(own, {**sizes, **counts}, f"--size {kernel}.{parameter.name}")
            elif parameter.name in counts:
                values[parameter.name] = counts[parameter.name]
            elif parameter.name in sizes:
                values[parameter.name] = sizes[parameter.name]
        return values

    def extents(self, kernel: str, values: Mapping[str, float]) -> tuple[int, ...]:
        """Return the work-items of a launch by dimension: as named, else as its text bounds them. Raises UsageError."""
        if (named := self._grid(kernel)) is not None:
            return tuple(_items(kernel, bound, values) for bound in named)
        try:
            return tuple(max(0, shape.number(bound, values)) for bound in self.bounds(kernel))
        except shape.RefusedError as reason:
            raise UsageError(asking.grid(self, kernel, str(reason))) from None

    def _grid(self, kernel: str) -> tuple[str, ...] | None:
        """Return the work-items that were named, 1 in dimensions that only the text has; None where none was named."""
        named = self.wish.globals.get(kernel, self.wish.globals.get("*"))
        if named is None:
            return None
        sides = tuple(named.split(","))
        return (*sides, *("1",) * (self.dimensions(kernel) - len(sides)))

    def dimensions(self, kernel: str) -> int:
        """Return how many dimensions of the grid a kernel's text asks for."""
        function = self.read.known.get(kernel)
        calls = [node for node in t.walk(*(function.body if function else ())) if isinstance(node, t.Call)]
        asked = [node.arguments[0] for node in calls if node.function.startswith("get_g") and node.arguments]
        return max(
            (int(node.text) + 1 for node in asked if isinstance(node, t.Number) and node.text in "012"), default=1
        )

    def bounds(self, kernel: str) -> t.Body:
        """Return the work-items by dimension as expressions. Raises RefusedError."""
        if (named := self._grid(kernel)) is not None:
            return tuple(_expression(bound) for bound in named)
        if kernel not in self.read.known:
            raise shape.RefusedError("its text is not understood")
        if asking.alone(self, kernel):
            return (t.Number("1"),)
        if kernel not in self.known.bounds:
            self.known.bounds[kernel] = _extents(self.read.known[kernel], self.types)
        bounds, sure = self.known.bounds[kernel]
        if not sure:
            self.guessed[f"grid of {kernel}"] = "as far as its bounds without their constants: the text writes a border"
        return bounds

    def group(self, kernel: str, values: Mapping[str, float]) -> tuple[int, ...] | None:
        """Return the work-items of a group: as named, else as the text requires them; None where neither is so."""
        named = self.wish.locals.get(kernel, self.wish.locals.get("*"))
        if named is None:
            return self.read.required.get(kernel)
        return tuple(count(size, values, f"--local {kernel}", 1) for size in named.split(","))

    def whole(self, sizes: Mapping[str, float]) -> bool:
        """Tell whether work-items that fill up the last group reach nothing that the others do not: a condition keeps them out."""
        calls = self.calls(sizes)
        filled = tuple(replace(call, extents=filled_up(call.extents, call.group)) for call in calls)
        if filled == calls:
            return True
        if any(call != each and asking.meets(self, call.kernel) for call, each in zip(filled, calls, strict=True)):
            return False
        # A text that finds its number by its group's reaches as far as whole groups do, so a further group is what tells.
        further = tuple(
            each if each == call else replace(each, extents=tuple(map(add, each.extents, each.group or ())))
            for call, each in zip(calls, filled, strict=True)
        )
        return self.lengths(sizes, further) == self.lengths(sizes, calls)

    def _fitted(self, kernel: str, group: tuple[int, ...] | None, dimensions: int) -> tuple[int, ...] | None:
        """Return a group of as many dimensions as its launch. Raises UsageError."""
        if group is None:
            return None
        if any(size != 1 for size in group[dimensions:]):
            raise UsageError(
                f"{self.path.name}: a group of {kernel} is {'×'.join(map(str, group))} work-items, and its launch has {dimensions} "
                f"dimension{'s' * (dimensions > 1)}; name as many: --global {kernel}=N,M."
            )
        return (*group[:dimensions], *(1,) * (dimensions - len(group)))

    def pinned(self, sizes: Mapping[str, float]) -> bool:
        """Tell whether a grid that was named by plain numbers is what bounds the text: other sizes would not fit it."""
        named = {kernel: text for kernel, text in self.wish.globals.items() if not re.search(r"[A-Za-z_]", text)}
        if not named:
            return False
        halves = {
            k: ",".join(str(max(1, int(number(size, {}, k)) // 2)) for size in v.split(",")) for k, v in named.items()
        }
        other = replace(self, wish=replace(self.wish, globals={**self.wish.globals, **halves}), known=Memory())
        return self.lengths(sizes, self.calls(sizes)) != other.lengths(sizes, other.calls(sizes))

    def grouped(self, kernel: str) -> bool:
        """Tell whether a kernel's text may depend on the work-items of a group."""
        function = self.functions.get(kernel)
        first = 0 if function is None else max(self.text.rfind("kernel", 0, function.head[0]), 0)
        text = self.text if function is None else self.text[first : function.span[1]]
        parsed = self.read.known.get(kernel)
        places = (
            text if parsed is None else repr(parsed.body)
        )  # where a number of the whole grid is put together of them
        return bool(_GROUPED.search(text) or re.search(_PLACES, places))

    def launch(
        self, call: Call, extents: tuple[int, ...], group: tuple[int, ...] | None, *, wide: bool = False
    ) -> Launch:
        """Return a launch with all its arguments; `wide` turns single precision into double."""
        arguments = tuple(self._argument(call, parameter, wide=wide) for parameter in self.signatures[call.kernel])
        if call.end is not None:
            arguments += (Value(call.end, "int32"),)
        return Launch(call.kernel, arguments, filled_up(extents, group), group)

    def _argument(self, call: Call, parameter: Parameter, *, wide: bool) -> Argument:
        named = self.wished(call.kernel, parameter.name)
        if named == "null":
            return Null()
        if named is not None and named.startswith("bytes:"):
            return Raw(named.removeprefix("bytes:"))
        cell = self.cell(parameter.type)
        if parameter.space in ("global", "constant"):
            return Array(self.buffer(call.kernel, parameter.name))
        if cell is None:
            raise UsageError(
                f"{self.path.name}: {parameter.name} of {call.kernel} is a {parameter.type}; give its bytes: --size {parameter.name}=bytes:0011..."
            )
        if parameter.space == "local":
            return Local(self._local_bytes(call, parameter, cell) * (2 if wide and cell.dtype == "float32" else 1))
        if cell.lanes > 1:
            import numpy as np

            dtype = "float64" if wide and cell.dtype == "float32" else cell.dtype
            parts = [call.values.get(each, 1.0) for each in asking.components(parameter.name, cell)]
            return Raw(np.array(parts, dtype).tobytes().hex())
        if parameter.name not in call.values:
            raise UsageError(
                f"{self.path.name}: {call.kernel} takes a number {parameter.name}; give it: --size {parameter.name}=N."
            )
        return Value(call.values[parameter.name], "float64" if wide and cell.dtype == "float32" else cell.dtype)

    def _local_bytes(self, call: Call, parameter: Parameter, cell: Cell) -> int:
        import numpy as np

        named = self.wished(call.kernel, parameter.name)
        function = self.read.known.get(call.kernel)
        if named is not None:
            count = int(number(named, call.values, f"--size {parameter.name}"))
        elif function is not None and (last := self._reached(call, parameter.name)) < _MOST_LOCAL:
            count = int(last) + 1
        else:
            raise UsageError(
                f"{self.path.name}: {call.kernel} takes local memory {parameter.name}; name its elements: --size {parameter.name}=256."
            )
        return count * cell.lanes * int(np.dtype(cell.dtype).itemsize)

    def _reached(self, call: Call, name: str) -> float:
        function = self.read.looked(call.kernel)
        return ranges.reach(function, call.values, call.extents, call.group).last.get(name, inf)

    def buffer(self, kernel: str, name: str) -> str:
        """Return the array that a parameter is: parameters of one name are one array, unless another one was named."""
        named = self.wish.sizes.get(f"{kernel}.{name}", "")
        return named if named.isidentifier() and named != "null" else name

    def reaches(self, calls: tuple[Call, ...]) -> dict[str, ranges.Reach]:
        """Return how far each kernel's accesses go over all its launches."""
        if id(calls) in self.known.reaches and self.known.reaches[id(calls)][0] is calls:
            return self.known.reaches[id(calls)][1]
        reaches: dict[str, ranges.Reach] = {}
        seen: set[tuple[object, ...]] = set()
        for call in calls:
            if min(call.extents, default=1) < 1:
                continue
            key = (call.kernel, tuple(sorted(call.values.items())), call.extents, call.group)
            if key in seen or call.kernel not in self.read.known:
                continue
            seen.add(key)
            reach = ranges.reach(self.read.looked(call.kernel), call.values, call.extents, call.group)
            total = reaches.setdefault(call.kernel, ranges.Reach())
            for name, last in reach.last.items():
                total.last[name] = max(total.last.get(name, -1.0), last)
            total.read |= reach.read
            total.written |= reach.written
        while len(self.known.reaches) >= _REMEMBERED:
            self.known.reaches.pop(next(iter(self.known.reaches)))
        self.known.reaches[id(calls)] = (calls, reaches)
        return reaches

    def lengths(self, sizes: Mapping[str, float], calls: tuple[Call, ...]) -> dict[str, int]:
        """Return how many elements each array has: as named, else as far as the text reaches. Raises UsageError."""
        return lengths.lengths(self, sizes, calls)

    def touched(self, calls: tuple[Call, ...]) -> dict[str, float]:
        """Return at most how many bytes of each array launches go to; infinite where the text does not tell."""
        import numpy as np

        reaches, touched_bytes = self.reaches(calls), dict[str, float]()
        for kernel in self.kernels:
            unknown = -1.0 if lengths.nothing(kernel, calls) else inf
            for parameter in self.signatures[kernel]:
                last = reaches[kernel].last.get(parameter.name, -1.0) if kernel in reaches else unknown
                name, cell = self.buffer(kernel, parameter.name), self.cell(parameter.type)
                wide = cell.lanes * np.dtype(cell.dtype).itemsize if cell is not None else inf
                touched_bytes[name] = max(touched_bytes.get(name, 0.0), (last + 1.0) * wide if last >= 0 else 0.0)
        return touched_bytes

    def written(self, calls: tuple[Call, ...]) -> tuple[str, ...]:
        """Return the arrays that launches write, as far as the text tells; of a kernel that is not understood all that it may."""
        reaches = self.reaches(calls)
        names: dict[str, None] = {}
        for kernel in self.kernels:
            understood = kernel in self.read.known
            for parameter in self.signatures[kernel]:
                hit = understood and kernel in reaches and parameter.name in reaches[kernel].written
                may = not understood
                if parameter.space == "global" and (hit or may) and self.wished(kernel, parameter.name) != "null":
                    names[self.buffer(kernel, parameter.name)] = None
        return tuple(names)


def _extents(function: t.Function, types: Mapping[str, str]) -> tuple[t.Body, bool]:
    """Return how many work-items a function needs, as it stands or with its early returns as one. Raises RefusedError."""
    try:
        return shape.extents(shape.shape(function, types))
    except shape.RefusedError:
        if (other := straight(function, types)) == function:
            raise
        return shape.extents(shape.shape(other, types))


def _items(kernel: str, bound: str, values: Mapping[str, float]) -> int:
    """Return work-items that were named: an expression may leave none in the last rounds of a loop, a plain number may not."""
    what = f"--global {kernel}"
    return max(0, int(number(bound, values, what))) if names(bound) else count(bound, values, what, 1)


def _expression(text: str) -> t.Node:
    made = parse.expression(text)
    if isinstance(made, t.Text):
        raise KernelFileError(f"{text} is no expression of sizes; give numbers and names.")
    return made
