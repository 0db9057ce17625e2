"""A sum that lives in memory moves into a register for as long as its loop runs.

What it changes: ``c[i] += ...`` in a loop that does not move ``i`` becomes a local variable, loaded before and stored after.
When it applies: every access of that array in the loop has the same index from a pointer that stays, or one that is a number away, such as another
channel of a pixel; no atomic function changes it and no work-items wait there to read what others wrote; the array shares no memory with the others,
which the arguments of the launch decide and verification sees.
What it costs: a register. Without it the compiler stores the sum in every round, because the pointers may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.computed import followed
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.ranges import accesses
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.staged import MEETING


def apply(posed: Posed, _value: int | str) -> Posed:
    """Move every such sum."""
    work = _Work(posed)
    body = work.body(posed.function.body)
    if not work.lines:
        raise RefusedError("no loop sums into one element of an array")
    return posed.with_body(body)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines with such sums."""
    work = _Work(posed)
    work.body(posed.function.body)
    return tuple(sorted(work.lines))


def _stays(node: t.Text) -> bool:
    """Tell a statement that ends a round or a loop, and goes on within the function: what stands behind the loop is done all the same."""
    return node.text.replace(" ", "") in ("continue;", "break;")


def _at(element: t.Index, node: t.Node) -> bool:
    """Tell whether a statement has an element in it."""
    wanted = algebra.polynomial(element.index)
    return any(e.base == element.base and algebra.polynomial(e.index) == wanted for e, _, _ in _elements(node))


def _touched(loop: t.For, element: t.Index, around: list[t.Node]) -> bool:
    """Tell whether an element is read or written whatever holds: in each round, or by a statement beside the loop."""
    steady = not t.names_in(element) & t.written_in(*around)
    beside = (node for node in around if steady and isinstance(node, t.Do | t.Declare))
    inner = takewhile(lambda node: not _leaves(node), loop.body)
    return any(isinstance(node, t.Do | t.Declare) and _at(element, node) for node in (*beside, *inner))


def _spared(loop: t.For, element: t.Index) -> bool:
    """Tell whether conditions that are the same in all rounds keep a work-item from an element: it may be another one's, or lie outside of the array."""
    values = {one.name: one.value for _, one in t.set_once(*loop.body) if one.value is not None}
    moving = t.written_in(loop) | (t.declared_in(loop) - values.keys())
    asked = (node for node in t.walk(*loop.body) if isinstance(node, t.If) and (_leaves(node) or _at(element, node)))
    return any(not t.names_in(followed(node.condition, values)) & moving for node in asked)


def _leaves(node: t.Node) -> bool:
    return any(isinstance(one, t.Text) and not one.comment for one in t.walk(node))


class _Work:
    def __init__(self, posed: Posed) -> None:
        self.posed = posed
        self.lines: set[int] = set()
        self.taken = t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)

    def body(self, body: t.Body) -> t.Body:
        made = list(body)
        place = 0
        while place < len(made):
            node = made[place]
            if isinstance(node, t.For):
                candidate = self.candidate(node, made)
                while candidate is not None:
                    made, place = self.moved(made, place, candidate)
                    node = made[place]
                    assert isinstance(node, t.For)
                    candidate = self.candidate(node, made)
                made[place] = replace(node, body=self.body(node.body))
            elif isinstance(node, t.If):
                made[place] = replace(node, yes=self.body(node.yes), no=self.body(node.no))
            elif isinstance(node, t.Block):
                made[place] = replace(node, body=self.body(node.body))
            place += 1
        return tuple(made)

    def candidate(self, loop: t.For, around: list[t.Node]) -> t.Index | None:
        """Return an element that a loop writes and does not move; `around`: the statements among which the loop is."""
        moving = t.written_in(loop) | t.declared_in(loop)
        if any(isinstance(node, t.Text) and not (node.comment or _stays(node)) for node in t.walk(loop)):
            return None
        for element, written, _ in _elements(loop):
            if written and self.ours(element) and not t.names_in(element) & moving:
                wanted = algebra.polynomial(element.index)
                same = (e for e, _, _ in _elements(loop) if e.base == element.base)
                memory = {name for e in t.walk(element.index) if isinstance(e, t.Index) for name in t.names_in(e.base)}
                shared = _lent(loop, element.base) or self.met(loop, element.base)
                if memory or shared or not all(_told(e, wanted) for e in same):
                    continue
                if _touched(loop, element, around) or not _spared(loop, element):
                    return element
        return None

    def ours(self, element: t.Index) -> bool:
        if not isinstance(element.base, t.Name):
            return False
        argument = self.posed.function.argument(element.base.text)
        return argument is not None and argument.space in ("global", "local") and "volatile" not in argument.qualifiers

    def met(self, node: t.Node, base: t.Node) -> bool:
        """Tell whether work-items wait for each other below a statement, so that one may read there what another one has written to an array."""
        assert isinstance(base, t.Name)
        argument = self.posed.function.argument(base.text)
        waits = (one for one in t.walk(node) if isinstance(one, t.Call) and _waits(one.function))
        spared = argument is not None and argument.space == "global"
        return any(not (spared and one.arguments == _LOCAL) for one in waits)

    def moved(self, body: list[t.Node], place: int, element: t.Index) -> tuple[list[t.Node], int]:
        """Replace an element by a variable in a loop and in the statements around it that use no other of its array."""
        assert isinstance(element.base, t.Name)
        wanted, needs = algebra.polynomial(element.index), t.names_in(element)

        def only(node: t.Node) -> bool:
            if t.written_in(node) & needs or t.declared_in(node) & needs:
                return False
            if any(isinstance(child, t.Text) and not child.comment for child in t.walk(node)):
                return False
            alike = all(_told(e, wanted) for e, _, _ in _elements(node) if e.base == element.base)
            return alike and not _lent(node, element.base) and not self.met(node, element.base)

        def same(one: t.Node) -> bool:
            return isinstance(one, t.Index) and one.base == element.base and algebra.polynomial(one.index) == wanted

        def uses(node: t.Node) -> bool:
            return any(same(e) for e, _, _ in _elements(node))

        first = last = place
        for step in (-1, 1):
            edge = place + step
            while 0 <= edge < len(body) and only(body[edge]):
                if uses(body[edge]):
                    first, last = min(first, edge), max(last, edge)
                edge += step
        name = t.Name(self.fresh(f"{element.base.text}_sum"))
        self.lines |= {getattr(writer, "line", 0) for writer in _writers(body[first : last + 1], element.base)}

        def swap(node: t.Node) -> t.Node | None:
            return name if same(node) else None

        inner = [t.changed(node, swap) for node in body[first : last + 1]]
        argument = self.posed.function.argument(element.base.text)
        assert argument is not None
        start: t.Node = element
        begun = inner[0]
        if isinstance(begun, t.Do) and isinstance(begun.value, t.Assign) and begun.value.target == name:
            whole = begun.value.op == "=" and name.text not in t.names_in(begun.value.value)
            if whole:
                start = begun.value.value
                inner = inner[1:]
        declared = t.Declare(argument.type, (t.Declared(name.text, start),))
        stored = t.Do(t.Assign("=", element, name))
        made = [*body[:first], declared, *inner, stored, *body[last + 1 :]]
        shift = next(i for i, node in enumerate(inner) if isinstance(node, t.For)) if inner else 0
        loops = [i for i, node in enumerate(made) if isinstance(node, t.For) and i > first]
        return made, (loops[0] if loops else first + 1 + shift)

    def fresh(self, wish: str) -> str:
        name, number = wish, 1
        while name in self.taken:
            number += 1
            name = f"{wish}{number}"
        self.taken.add(name)
        return name


def _waits(function: str) -> bool:
    return function in MEETING or function.startswith(("__sync", "work_group_", "sub_group_"))


_LOCAL = (t.Name("CLK_LOCAL_MEM_FENCE"),)
"""A barrier for local memory alone: what another work-item writes to global memory may not be read behind it."""


def _told(element: t.Index, wanted: algebra.Polynomial) -> bool:
    """Tell an element that surely is the wanted one, or surely another one."""
    apart = algebra.added(algebra.polynomial(element.index), wanted, -1)
    return not apart or algebra.constant(apart) is not None


def _lent(node: t.Node, base: t.Node) -> bool:
    """Tell whether a function is given an array or the place of an element.

    A block of them is read or written at once, or an atomic function changes what work-items share: no copy may stand for it.
    """
    given = (one for call in t.walk(node) if isinstance(call, t.Call) for one in call.arguments)
    return any(_place(inner, base) for one in given for inner in t.walk(one))


def _place(node: t.Node, base: t.Node) -> bool:
    match node:
        case t.Unary(op="&", value=value):
            return base in t.walk(value)
        case t.Binary(op="+" | "-", left=left, right=right):
            return base in (left, right)
        case t.Cast(value=value):
            return value == base
    return False


def _elements(node: t.Node) -> Iterator[tuple[t.Index, bool, bool]]:
    """Yield all elements below a statement."""
    for expression in _expressions(node):
        yield from accesses(expression)


def _expressions(node: t.Node) -> Iterator[t.Node]:
    match node:
        case t.Do(value=value):
            yield value
        case t.Declare(names=names):
            yield from (name.value for name in names if name.value is not None)
        case t.If(condition=condition, yes=yes, no=no):
            yield condition
            for inner in (*yes, *no):
                yield from _expressions(inner)
        case t.For(first=first, condition=condition, step=step, body=body):
            for part in (first, condition, step):
                if part is not None:
                    yield from (_expressions(part) if isinstance(part, t.Declare) else (part,))
            for inner in body:
                yield from _expressions(inner)
        case t.Block(body=body):
            for inner in body:
                yield from _expressions(inner)


def _writers(body: list[t.Node], base: t.Node) -> Iterator[t.Node]:
    for node in t.walk(*body):
        if isinstance(node, t.Do) and any(e.base == base and written for e, written, _ in accesses(node.value)):
            yield node


REWRITE = Rewrite(
    name="register-accumulator",
    text=__doc__,
    technique="accumulation-registers",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 4.0),
    order=10,
)
