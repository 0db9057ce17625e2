"""A thread takes four neighbouring elements, loaded and stored as one ``float4`` each.

What it changes: the thread's number counts fours; a four that lies within the bounds, of arrays that begin at 16 bytes, is loaded at once,
computed element by element, and stored at once. Everywhere else the text as it was runs element by element.
When it applies: one dimension, a condition that bounds it, and every array that is indexed by the thread is indexed by its number alone.
What it costs: registers. One instruction moves 16 bytes: fewer requests to memory for the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.edges.blocked import Inner, blocked
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.jam import Copies
from hotloop.rewrite.ranges import accesses
from hotloop.rewrite.shape import RefusedError, shape

_LANES = 4
_FIELDS = "xyzw"
_KINDS = {
    "float": "float4",
    "int": "int4",
    "unsigned int": "uint4",
    "unsigned": "uint4",
    "uint": "uint4",
}
_LAST_OF_LINE = 15
"""Mask of the bits of an address that must be zero."""


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply it with four elements."""
    form = shape(posed.function, posed.types)
    if value != _LANES or len(form.items) != 1 or form.guard is None or form.otherwise:
        raise RefusedError("its threads are not one dimension with a bound")
    item = form.items[0]
    if item.offset is not None:
        raise RefusedError("its threads do not begin at the first element")
    return blocked(
        posed,
        form,
        (Copies(item.name, _LANES),),
        inner=lambda body: _vectors(posed, item.name, body),
    )


def _vectors(posed: Posed, variable: str, body: t.Body) -> Inner:
    """Return the statements of four elements with vectors in their arrays' place. Raises RefusedError."""
    elements = [access for statement in body for access in accesses(statement)]
    arrays = [argument.name for argument in posed.function.arguments if argument.pointer]
    lanes: dict[t.Node, tuple[str, int]] = {}
    for one, _, _ in elements:
        if isinstance(one.base, t.Name) and one.base.text in arrays and (lane := _lane(one, variable)) is not None:
            lanes[one] = (one.base.text, lane)
    taken = [name for name in arrays if any(name == array for array, _ in lanes.values())]
    _check(posed, elements, lanes, taken)

    def put(node: t.Node) -> t.Node | None:
        name, lane = lanes.get(node, ("", 0))
        return t.Member(t.Name(f"{name}_4"), ".", _FIELDS[lane]) if name else None

    begun, ended = [], []
    for name in taken:
        four = _Four(name, _KINDS[posed.type_of(name)], variable)
        begun.append(four.declared(loaded=_needed(name, elements, lanes, body)))
        if any(stored and lanes.get(one, ("",))[0] == name for one, stored, _ in elements):
            ended.append(four.stored())
    return Inner(
        (*begun, *(t.changed(statement, put) for statement in body), *ended),
        tuple(map(_aligned, taken)),
    )


_Element = tuple[t.Index, bool, bool]


def _needed(
    name: str,
    elements: list[_Element],
    lanes: dict[t.Node, tuple[str, int]],
    body: t.Body,
) -> bool:
    """Tell whether an array's elements must be loaded: one of them is read, or not all of them are stored for sure."""
    read = any(reads and lanes.get(one, ("",))[0] == name for one, _, reads in elements)
    stores = [one.value.target for one in body if isinstance(one, t.Do) and isinstance(one.value, t.Assign)]
    sure = {lanes[store] for store in stores if store in lanes}
    return read or {(name, lane) for lane in range(_LANES)} - sure != set()


@dataclass(frozen=True, slots=True)
class _Four:
    """Four elements of one array as a vector."""

    name: str
    kind: str
    variable: str

    def declared(self, *, loaded: bool) -> t.Node:
        """Return the declaration of the vector."""
        return t.Declare(
            self.kind,
            (t.Declared(f"{self.name}_4", self._place("const ") if loaded else None),),
        )

    def stored(self) -> t.Node:
        """Return the statement that stores it."""
        return t.Do(t.Assign("=", self._place(""), t.Name(f"{self.name}_4")))

    def _place(self, const: str) -> t.Node:
        return t.Unary(
            "*",
            t.Cast(
                f"{const}{self.kind} *",
                t.Binary("+", t.Name(self.name), t.Name(self.variable)),
            ),
        )


def _lane(one: t.Index, variable: str) -> int | None:
    """Return which of the four an element is; None of one that does not depend on the thread. Raises RefusedError."""
    place = algebra.polynomial(one.index)
    if variable not in t.names_in(one.index):
        return None
    rest = algebra.constant(algebra.added(place, {(variable,): 1}, -1))
    if rest is None or not 0 <= rest < _LANES:
        raise RefusedError("an array is indexed by more than the thread's number")
    return rest


def _check(
    posed: Posed,
    elements: list[_Element],
    lanes: dict[t.Node, tuple[str, int]],
    taken: list[str],
) -> None:
    if not taken or any(posed.type_of(name) not in _KINDS for name in taken):
        raise RefusedError("its arrays are not of four bytes an element")
    if any(isinstance(one.base, t.Name) and one.base.text in taken and one not in lanes for one, _, _ in elements):
        raise RefusedError("an array is indexed by the thread's number and otherwise, too")
    promised = all("restrict" in argument.qualifiers for argument in posed.function.arguments if argument.pointer)
    if not promised and _rereads(shape(posed.function, posed.types).work):
        raise RefusedError("it reads an array behind a store to another, which may be the same one")


def _rereads(work: t.Body) -> bool:
    """Tell whether one array is read behind a store to another."""
    stored: set[t.Node] = set()
    for leaf in _in_turn(work):
        elements = list(accesses(leaf))
        if any(stored - {one.base} for one, _, reads in elements if reads):
            return True
        stored |= {one.base for one, writes, _ in elements if writes}
    return False


def _in_turn(body: t.Body) -> Iterator[t.Node]:
    """Yield what is done in its order, what loops do twice."""
    for node in body:
        match node:
            case t.For(first=first, condition=condition, step=step, body=inner):
                yield from (part for part in (first, condition) if part is not None)
                for _ in range(2):
                    yield from _in_turn(inner)
                    yield from (part for part in (step, condition) if part is not None)
            case t.If(condition=condition, yes=yes, no=no):
                yield condition
                yield from _in_turn((*yes, *no))
            case t.Block(body=inner):
                yield from _in_turn(inner)
            case _:
                yield node


def _aligned(name: str) -> t.Node:
    address = t.Binary("&", t.Cast("size_t", t.Name(name)), t.Number(str(_LAST_OF_LINE)))
    return t.Binary("==", address, t.Number("0"))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of its statements."""
    apply(posed, _LANES)
    work = shape(posed.function, posed.types).work
    return tuple(sorted({node.line for node in t.walk(*work) if isinstance(node, t.Do | t.Declare) and node.line}))


REWRITE = Rewrite(
    name="vector-access",
    text=__doc__,
    package="hotloop.rewrite.gpu.methods",
    technique="vectorize",
    keeps=Keeps.BITS,
    values=(0, _LANES),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 1.3),
    order=40,
)
