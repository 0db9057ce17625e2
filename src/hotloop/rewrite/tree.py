"""A C-like kernel as a small tree: what rewrites match and build; all of it frozen data.

Expressions and statements that no rewrite needs to understand stay `Text`, which every rewrite that meets one refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any


class Node:
    """What expressions and statements have in common."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier."""

    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal, as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``left op right``."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """A prefix operator."""

    op: str
    value: Node


@dataclass(frozen=True, slots=True)
class Postfix(Node):
    """``value++`` or ``value--``."""

    op: str
    value: Node


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """``target op value`` with ``=``, ``+=`` and the like."""

    op: str
    target: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call by name."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``base[index]``."""

    base: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Member(Node):
    """``base.field`` or ``base->field``; `dot` is the operator."""

    base: Node
    dot: str
    field: str


@dataclass(frozen=True, slots=True)
class Cast(Node):
    """``(type)value``."""

    type: str
    value: Node


@dataclass(frozen=True, slots=True)
class Vector(Node):
    """``(float4)(a, b, c, d)``, or one value for all lanes."""

    type: str
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Table(Node):
    """``{a, b, {c, d}}``: what an array or a vector begins with."""

    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """``condition ? yes : no``."""

    condition: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Source that is kept as it is: a comment, a directive, a construct without a form of its own."""

    text: str
    line: int = 0
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Declared(Node):
    """One name of a declaration: ``*`` before it, array extents behind it, its first value."""

    name: str
    value: Node | None = None
    pointer: str = ""
    extents: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """``type name = value, name;``."""

    type: str
    names: tuple[Declared, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Do(Node):
    """An expression as a statement."""

    value: Node
    line: int = 0


@dataclass(frozen=True, slots=True)
class If(Node):
    """A branch; `no` is empty without an ``else``."""

    condition: Node
    yes: tuple[Node, ...]
    no: tuple[Node, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class For(Node):
    """A loop; `first` is a declaration, an expression or absent."""

    first: Node | None
    condition: Node | None
    step: Node | None
    body: tuple[Node, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements in braces."""

    body: tuple[Node, ...]
    line: int = 0


Body = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a kernel function as the text declares it."""

    name: str
    type: str
    """Element type of a pointer, else the type of the value; without address space and qualifiers."""
    space: str = ""
    """``global``, ``local``, ``constant``, or empty for a value."""
    qualifiers: tuple[str, ...] = ()
    """``const``, ``restrict``, ``volatile`` as far as they are written."""

    @property
    def pointer(self) -> bool:
        """Tell whether it is a pointer."""
        return bool(self.space)


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel function: its parameters, its statements, and where in the text both stand."""

    name: str
    arguments: tuple[Argument, ...]
    body: Body
    line: int
    span: tuple[int, int]
    """Characters of the body in the text, braces included."""
    head: tuple[int, int]
    """Characters of the list of parameters, parentheses included."""

    def argument(self, name: str) -> Argument | None:
        """Return a parameter by name, or None."""
        return next((argument for argument in self.arguments if argument.name == name), None)


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below one, in the order of the text."""
    for name in _parts(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, Node))


def is_comment(node: Node) -> bool:
    """Tell whether a statement is a comment."""
    return isinstance(node, Text) and node.comment


def is_return(node: Node) -> bool:
    """Tell whether a statement leaves the kernel."""
    return isinstance(node, Text) and node.text.replace(" ", "") == "return;"


def walk(*nodes: Node) -> Iterator[Node]:
    """Yield nodes and everything below them, parents first."""
    waiting = list(reversed(nodes))
    while waiting:  # generators within generators took half of a space's time
        node = waiting.pop()
        yield node
        below: list[Node] = []
        for name in _parts(node):
            value = getattr(node, name)
            if isinstance(value, Node):
                below.append(value)
            elif isinstance(value, tuple):
                below += [one for one in value if isinstance(one, Node)]
        below.reverse()
        waiting += below


def changed(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return a tree with nodes replaced: `change` returns another node, or None to go on below it."""
    other = change(node)
    if other is not None:
        return other
    new: dict[str, object] = {}
    for name in _parts(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            if (made := changed(value, change)) is not value:
                new[name] = made
        elif isinstance(value, tuple) and any(isinstance(one, Node) for one in value):
            parts = tuple(changed(one, change) if isinstance(one, Node) else one for one in value)
            if any(after is not before for after, before in zip(parts, value, strict=True)):
                new[name] = parts
    return replace(node, **new) if new else node  # type: ignore[type-var]


_PARTS: dict[Any, tuple[str, ...]] = {}
"""Fields by class of nodes: looking them up each time took longer than all else."""


def _parts(node: Node) -> tuple[str, ...]:
    kind: Any = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(field.name for field in fields(kind))
    return _PARTS[kind]


def renamed(node: Node, names: dict[str, Node]) -> Node:
    """Return a tree in which names stand for other expressions; declared names take those that are names."""

    def change(one: Node) -> Node | None:
        if isinstance(one, Name):
            return names.get(one.text)
        if isinstance(one, Declared) and isinstance(to := names.get(one.name), Name):
            value = None if one.value is None else renamed(one.value, names)
            return replace(one, name=to.text, value=value, extents=tuple(renamed(e, names) for e in one.extents))
        return None

    return changed(node, change)


def names_in(*nodes: Node) -> set[str]:
    """Return every identifier that is read or written below."""
    return {node.text for node in walk(*nodes) if isinstance(node, Name)}


def declared_in(*nodes: Node) -> set[str]:
    """Return every name that is declared below."""
    return {node.name for node in walk(*nodes) if isinstance(node, Declared)}


def written_in(*nodes: Node) -> set[str]:
    """Return the variables (not memory) that are assigned below, or whose address is taken; declarations with a value not counted."""
    names = set()
    for inner in walk(*nodes):
        target = inner.target if isinstance(inner, Assign) else None
        if isinstance(inner, Postfix) or (isinstance(inner, Unary) and inner.op in ("++", "--", "&")):
            target = inner.value
        while isinstance(target, Member):
            target = target.base
        if isinstance(target, Name):
            names.add(target.text)
    return names


def set_once(*nodes: Node) -> Iterator[tuple[str, Declared]]:
    """Yield the variables that have one value for good, from their declaration on, each with the declaration's type."""
    again = written_in(*nodes)
    declared = [(node.type, variable) for node in walk(*nodes) if isinstance(node, Declare) for variable in node.names]
    names = [one.name for _, one in declared]
    for kind, one in declared:
        if one.value is not None and one.name not in again and names.count(one.name) == 1:
            yield kind, one


def assignments(*nodes: Node) -> Iterator[tuple[str, Node]]:
    """Yield variables with what decides their values: what is assigned or counted, and the conditions under which it is."""
    for node in nodes:
        match node:
            case If(condition=asked, yes=yes, no=no):
                perhaps = (*yes, *no)
            case Choice(condition=asked, yes=one, no=other):
                perhaps = (one, other)
            case Binary(op="&&" | "||", left=asked, right=right):
                perhaps = (right,)
            case _:
                yield from (*_given(node), *assignments(*children(node)))
                continue
        yield from assignments(asked)
        yield from ((name, Binary("+", value, asked)) for name, value in assignments(*perhaps))


def _given(node: Node) -> Iterator[tuple[str, Node]]:
    match node:
        case Declared(name=name, value=Node() as value):
            yield name, value
        case Assign(op, to, value) | Postfix(op, to as value) | Unary("++" | "--" as op, to as value):
            match written_whole(to):
                case Name(text=name) | Index(base=Name(text=name)):
                    yield name, Binary(op[:-1] or "+", to, value)
        case Call(arguments=arguments):  # what gets the address of a variable may write there
            taken = (one.value for one in arguments if isinstance(one, Unary) and one.op == "&")
            yield from ((one.text, node) for one in taken if isinstance(one, Name))


def written_whole(target: Node) -> Node:
    """Return the variable or element that is written where only components of it are."""
    while isinstance(target, Member) and target.dot == ".":
        target = target.base
    return target


def hidden_in(body: Body, outer: set[str]) -> str:
    """Return a name that is declared where an enclosing block has it already, empty where there is none: put in there, an expression would mean another."""
    visible = set(outer)
    for node in body:
        if isinstance(node, Declare):
            names = {variable.name for variable in node.names}
            if hidden := sorted(names & outer):
                return hidden[0]
            visible |= names
        inner: tuple[Body, ...] = ()
        if isinstance(node, If):
            inner = (node.yes, node.no)
        elif isinstance(node, Block):
            inner = (node.body,)
        elif isinstance(node, For):
            inner = ((*((node.first,) if isinstance(node.first, Declare) else ()), *node.body),)
        for one in inner:
            if name := hidden_in(one, visible):
                return name
    return ""
