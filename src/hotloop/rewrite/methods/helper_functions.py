"""Functions that the kernel calls are put in where it calls them, so that other rewrites see what they do.

What it changes: arguments become variables of their own, a function's statements stand before the statement that calls it, and what it returns
stands in the place of the call.
When it applies: functions of the text without loops that return from within, that take no address of a variable, and that write memory or meet
in a group only where the statement takes what they return and does nothing else; calls in the head of a loop stay, and those behind a condition whose function may only be evaluated where that holds.
What it costs: nothing by itself, compilers do the same; the text becomes longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.blocks import pointed
from hotloop.rewrite.conditions import acts
from hotloop.rewrite.form import Helper, Keeps, Posed, Rewrite
from hotloop.rewrite.helpers import element_of, returned
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.staged import MEETING

_LARGEST = 1_500
"""Nodes of a function beyond which it stays where it is."""
_DEEP = 4
_RESULT = "returned "
"""Stands for the name of the returned value until it has one; no text contains it."""


def apply(posed: Posed, _value: int | str) -> Posed:
    """Put in every function that allows it."""
    work = _Work(posed)
    body = work.all(posed.function.body)
    for _ in range(_DEEP):
        before, body = body, work.all(body)
        if before == body:
            break
    if not work.lines:
        raise RefusedError("it calls no function of the text that can be put in")
    return posed.with_body(body)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that call such functions."""
    work = _Work(posed)
    work.all(posed.function.body)
    return tuple(sorted(work.lines))


@dataclass(slots=True)
class _Work:
    posed: Posed
    lines: set[int] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    known: dict[str, Helper] = field(init=False)

    def __post_init__(self) -> None:
        self.known = {helper.function.name: helper for helper in self.posed.helpers}
        own = self.posed.function
        self.taken = t.names_in(*own.body) | t.declared_in(*own.body) | {argument.name for argument in own.arguments}

    def all(self, body: t.Body) -> t.Body:
        return tuple(made for node in body for made in self.statement(node))

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.If():
                before, condition = self.called(node.condition, node.line)
                yield from before
                yield replace(
                    node,
                    condition=condition,
                    yes=self.all(node.yes),
                    no=self.all(node.no),
                )
            case t.For():
                yield replace(node, body=self.all(node.body))
            case t.Block():
                yield replace(node, body=self.all(node.body))
            case t.Do(value=t.Call() as call) if (made := self.put_in(call, (), statement=True)) is not None:
                self.lines.add(node.line)
                yield t.Block(made[0], node.line)
            case t.Declare(names=names) if len(names) > 1 and self._any(node):
                for name in names:
                    yield from self.statement(replace(node, names=(name,)))
            case t.Do() | t.Declare():
                before, made_ = self.alone(node) or self.called(node, node.line)
                yield from before
                yield made_
            case _:
                yield node

    def _any(self, node: t.Node) -> bool:
        return any(isinstance(inner, t.Call) and inner.function in self.known for inner in t.walk(node))

    def alone(self, node: t.Do | t.Declare) -> tuple[t.Body, t.Node] | None:
        """Return what `called` does for a statement that only takes what a function returns: nothing else has an order with it."""
        match node:
            case (
                t.Declare(names=(t.Declared(value=t.Call() as call),))
                | t.Do(value=t.Assign(op="=", target=t.Name(), value=t.Call() as call))
            ) if (made := self.put_in(call, (), alone=True)) is not None:
                self.lines.add(node.line)
                return made[0], t.changed(node, lambda one: made[1] if one is call else None)
        return None

    def called(self, node: t.Node, line: int) -> tuple[t.Body, t.Node]:
        """Return what stands before a statement or condition, and itself without the calls that could be put in."""
        before: list[t.Node] = []

        def change(one: t.Node, behind: tuple[t.Node, ...] = ()) -> t.Node | None:
            if isinstance(one, t.Choice):
                parts = [t.changed(each, lambda n: change(n, (one,))) for each in (one.yes, one.no)]
                return replace(
                    one,
                    condition=t.changed(one.condition, lambda n: change(n, behind)),
                    yes=parts[0],
                    no=parts[1],
                )
            if isinstance(one, t.Binary) and one.op in ("&&", "||"):
                left = t.changed(one.left, lambda n: change(n, behind))
                return replace(
                    one,
                    left=left,
                    right=t.changed(one.right, lambda n: change(n, (one,))),
                )
            if isinstance(one, t.Call) and (made := self.put_in(one, behind)) is not None:
                before.extend(made[0])
                self.lines.add(line)
                return made[1]
            return None

        if self._any(node) and not any(map(acts, _evaluated(node))):
            node = t.changed(node, change)
        return tuple(before), node

    def put_in(
        self,
        call: t.Call,
        behind: t.Body,
        *,
        statement: bool = False,
        alone: bool = False,
    ) -> tuple[t.Body, t.Node] | None:
        """Return the statements of the function that is called, and what it returns; None where the call stays."""
        one = self.known.get(call.function)
        if (
            one is None
            or len(one.function.arguments) != len(call.arguments)
            or self._any(t.Block(tuple(call.arguments)))
        ):
            return None
        body = tuple(node for node in one.function.body if not t.is_comment(node))
        if (
            (one.kind == "void") != statement
            or not _plain(one, body, free=not behind, alone=alone or statement)
            or any(map(acts, t.walk(*call.arguments)))
        ):
            return None
        names = self._names(one)
        values: list[t.Node] = []
        places: dict[str, t.Node] = {}
        for to, value in zip(one.function.arguments, call.arguments, strict=True):
            if to.pointer or self._points(to.name, body):
                if pointed(value) is None or (isinstance(value, t.Unary) and not isinstance(value.value, t.Index)):
                    return None
                places[to.name] = value
            else:
                values.append(t.Declare(to.type, (t.Declared(names[to.name], value),)))
        try:
            given = body if statement else _given(body, t.Name(_RESULT))
        except RefusedError:
            return None
        names[_RESULT] = names.pop("")
        renamed = {name: t.Name(new) for name, new in names.items() if name not in places}
        moved = tuple(t.changed(t.renamed(t.renamed(node, renamed), places), element_of) for node in given)  # type: ignore[arg-type]
        if places and any(isinstance(n, t.Index) and not isinstance(n.base, t.Name | t.Index) for n in t.walk(*moved)):
            return None
        return self._result(one, values, moved, t.Name(names[_RESULT]))

    def _points(self, name: str, body: t.Body, deep: int = _DEEP) -> bool:
        """Tell whether a function uses a parameter as an array, or gives it to one that does."""
        if any(isinstance(node, t.Index) and node.base == t.Name(name) for node in t.walk(*body)):
            return True
        for call in t.walk(*body):
            if not isinstance(call, t.Call) or call.function not in self.known or not deep:
                continue
            one = self.known[call.function].function
            for to, value in zip(one.arguments, call.arguments, strict=False):
                given = (place := pointed(value)) is not None and place.base == t.Name(name)
                if given and self._points(to.name, one.body, deep - 1):
                    return True
        return False

    def _result(self, one: Helper, values: list[t.Node], given: t.Body, result: t.Name) -> tuple[t.Body, t.Node]:
        if one.kind == "void":
            return (*values, *given), t.Number("0")
        last = given[-1]
        if isinstance(last, t.Do) and isinstance(last.value, t.Assign) and result.text not in t.names_in(*given[:-1]):
            return (
                *values,
                *given[:-1],
                t.Declare(one.kind, (t.Declared(result.text, last.value.value),)),
            ), result
        return (
            *values,
            t.Declare(one.kind, (t.Declared(result.text),)),
            *given,
        ), result

    def _names(self, one: Helper) -> dict[str, str]:
        """Return names that nothing has for a function's variables, and under the empty name for what it returns."""
        own = t.declared_in(*one.function.body) | {each.name for each in one.function.arguments}
        number = 1
        while any(f"{name}_in{number}" in self.taken for name in (*own, one.function.name)):
            number += 1
        names = {name: f"{name}_in{number}" for name in own} | {"": f"{one.function.name}_in{number}"}
        self.taken |= set(names.values())
        return names


def _evaluated(node: t.Node) -> Iterator[t.Node]:
    """Yield what a statement evaluates, but for the assignment that it is."""
    assign = node.value if isinstance(node, t.Do) and isinstance(node.value, t.Assign) else None
    return t.walk(node) if assign is None else t.walk(assign.target, assign.value)


def _plain(one: Helper, body: t.Body, *, free: bool, alone: bool) -> bool:
    """Tell a function that may be evaluated before the statement that calls it.

    Where that is reached, the function would be, too (`free`); the statement does nothing else (`alone`), so that it may be where a group meets.
    """
    nodes = list(t.walk(*body))
    never = {one.function.name, *(() if alone else MEETING)}
    if len(nodes) > _LARGEST or not body or any(isinstance(n, t.Call) and n.function in never for n in nodes):
        return False
    if any(isinstance(n, t.Call) and n.function.startswith(("atom", "vstore", "print")) for n in nodes):
        return False
    if any(
        isinstance(n, t.Declare) and (any(each.pointer for each in n.names) or "local" in n.type or "static" in n.type)
        for n in nodes
    ):
        return False
    writes = any(isinstance(n, t.Assign) and not isinstance(t.written_whole(n.target), t.Name) for n in nodes)
    own = {each.name for n in nodes if isinstance(n, t.Declare) for each in n.names if each.extents}
    foreign = [n for n in nodes if isinstance(n, t.Index) and isinstance(n.base, t.Name) and n.base.text not in own]
    if (
        not alone
        and writes
        and any(isinstance(n, t.Assign) and isinstance(n.target, t.Index) and n.target in foreign for n in nodes)
    ):
        return False
    if one.kind == "void" and any(isinstance(n, t.Text) for n in nodes):
        return False
    traps = foreign or any(isinstance(n, t.Binary) and n.op in ("/", "%") for n in nodes)
    return free or not traps


def _given(body: t.Body, result: t.Name) -> t.Body:
    """Return statements that give a variable what they returned. Raises RefusedError."""
    for number, node in enumerate(body):
        rest = body[number + 1 :]
        if isinstance(node, t.Text):
            value = returned(node)
            if value is None:
                break
            return (*body[:number], t.Do(t.Assign("=", result, value)))
        if isinstance(node, t.If) and _leaves((node,)):
            yes, no = node.yes, node.no
            if _always(yes):
                return (
                    *body[:number],
                    replace(node, yes=_given(yes, result), no=_given((*no, *rest), result)),
                )
            if no and _always(no):
                return (
                    *body[:number],
                    replace(node, yes=_given((*yes, *rest), result), no=_given(no, result)),
                )
            break
        if _leaves((node,)):
            break
    raise RefusedError("it returns in another way")


def _leaves(body: t.Body) -> bool:
    return any(isinstance(node, t.Text) and not node.comment for node in t.walk(*body))


def _always(body: t.Body) -> bool:
    last = body[-1] if body else None
    if isinstance(last, t.If):
        return _always(last.yes) and _always(last.no)
    return isinstance(last, t.Text) and returned(last) is not None


REWRITE = Rewrite(
    name="helper-functions",
    text=__doc__,
    technique="fuse",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.9, 1.1),
    order=-1,
)
