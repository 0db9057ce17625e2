"""Which variables of a kernel each work-item of a group has for itself, and which have one value for the whole group."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.groups.places import meets
from hotloop.rewrite.shape import RefusedError

Parted = Callable[[t.Node], bool]
"""Tells the statements within which the places of a group do something one after another, not all of it each."""
PLACES = ("place", "place_1", "place_2")
"""Names of a place's number within its group, by dimension."""
_LEFT = re.compile(r"^(?:break|continue)\s*;$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CHEAP = re.compile(r"^(?:min|max|clamp|abs|mul24|mad24|mul_hi|select|get_group_id|get_num_groups|(?:convert|as)_\w+)$")
"""Functions of numbers that cost little enough to be asked for again."""
_CALCULATES = re.compile(
    rf"{_CHEAP.pattern[:-1]}|^(?:native_|half_)?(?:exp|log|sqrt|rsqrt|pow|sin|cos|tan|powr|recip|divide)\w*$|^f[a-z]+$|^(?:dot|mad|fma|mix|step|sign)$"
)
"""Functions whose value follows from their arguments."""
_SHORT = 9
"""Nodes of an expression of real numbers up to which it is rather calculated again than kept."""


def single(body: t.Body) -> Iterator[t.Node]:
    """Yield statements, declarations of several names as one for each."""
    for node in body:
        if isinstance(node, t.Declare) and len(node.names) > 1:
            yield from (replace(node, names=(variable,)) for variable in node.names)
        else:
            yield node


def is_local(node: t.Node) -> bool:
    """Tell a declaration of memory that a group shares."""
    shared = isinstance(node, t.Declare) and bool({"local", "__local"} & set(node.type.split()))
    return shared and isinstance(node, t.Declare) and not any(variable.pointer for variable in node.names)


def leveled(body: t.Body, parted: Parted = meets) -> Iterator[t.Node]:
    """Yield the statements between which the places are parted: those of the body, and of loops and branches in which they are."""
    for node in single(body):
        yield node
        match node:
            case t.For(body=inner) | t.Block(body=inner) if parted(node):
                yield from leveled(inner, parted)
            case t.If(yes=yes, no=no) if parted(node):
                yield from leveled(yes, parted)
                yield from leveled(no, parted)


def alike(body: t.Body) -> set[t.Node]:
    """Return the loops whose rounds are the same for all places, though these do not meet in them."""
    own = owned(body)
    found = set[t.Node]()
    for node in leveled(body):
        loops = [] if meets(node) else [one for one in t.walk(node) if isinstance(one, t.For) and not _leaves(one)]
        if loops:
            differing = _differing(node, own)
            found |= {loop for loop in loops if not t.names_in(*head(loop)) & differing}
    return found


def _differing(node: t.Node, own: set[str]) -> set[str]:
    """Return the variables that may differ between places within a statement: also what loops that differ write, and what is counted."""
    loops = [inner for inner in t.walk(node) if isinstance(inner, t.For)]
    counted = t.written_in(
        *(inner for inner in t.walk(node) if isinstance(inner, t.Do | t.Index | t.Declared) and _counts(inner))
    )
    found = own | counted
    while True:
        before = len(found)
        found = _spread(list(t.assignments(node)), found)
        for loop in loops:
            if t.names_in(*head(loop)) & found:
                found |= t.written_in(*loop.body, *head(loop)) | t.declared_in(*head(loop))
        if len(found) == before:
            return found


def _counts(node: t.Node) -> bool:
    """Tell a part of a statement, no loop's step, that counts a variable."""
    return any(
        isinstance(one, t.Postfix) or (isinstance(one, t.Unary) and one.op in ("++", "--")) for one in t.walk(node)
    )


def _spread(given: list[tuple[str, t.Node]], own: set[str]) -> set[str]:
    """Return names with those whose values follow from them."""
    found = set(own)
    while more := {name for name, value in given if t.names_in(value) & found} - found:
        found |= more
    return found


def _leaves(node: t.Node) -> bool:
    return any(isinstance(inner, t.Text) and not inner.comment for inner in t.walk(node))


def head(node: t.Node) -> t.Body:
    """Return the expressions in the head of a loop or branch: start, condition and step."""
    if isinstance(node, t.For):
        return tuple(one for one in (node.first, node.condition, node.step) if one is not None)
    return (node.condition,) if isinstance(node, t.If) else ()


def owned(body: t.Body, parted: Parted = meets) -> set[str]:
    """Return the variables that differ between places, or that only a place's own statements change. Raises RefusedError."""
    nodes = list(leveled(body, parted))
    plain = [node for node in nodes if not parted(node)]
    outer = {name for node in nodes if isinstance(node, t.Declare) for name in t.declared_in(node)}
    given = [pair for node in nodes for pair in _given(node, outer, parted=parted(node))]
    found = set(PLACES)
    while True:
        before = len(found)
        found = _spread(given, found)
        for node in plain:
            if not once(node, found):
                found |= (t.written_in(node) | _elements(node) | t.declared_in(node)) - _inner(node, outer)
        if len(found) == before:
            return found


def _given(node: t.Node, outer: set[str], *, parted: bool) -> list[tuple[str, t.Node]]:
    """Return what decides the values of variables that others may see, of a statement in which places are parted only of its head."""
    pairs = t.assignments(*(head(node) if parted else (node,)))
    return [(name, value) for name, value in pairs if name not in _inner(node, outer)]


def _inner(node: t.Node, outer: set[str]) -> set[str]:
    """Return the variables that a statement has for itself."""
    return set() if isinstance(node, t.Declare) else t.declared_in(node) - outer


def _elements(node: t.Node) -> set[str]:
    """Return the arrays whose elements a statement writes."""
    targets = [inner.target for inner in t.walk(node) if isinstance(inner, t.Assign)]
    targets += [inner.value for inner in t.walk(node) if isinstance(inner, t.Postfix)]
    return {name for target in targets if not isinstance(t.written_whole(target), t.Name) for name in _base(target)}


def _base(node: t.Node) -> set[str]:
    """Return the array of an element, or all names of what is no plain element."""
    while isinstance(node, t.Index | t.Member):
        node = node.base
    return t.names_in(node)


def once(node: t.Node, own: set[str]) -> bool:
    """Tell a statement that does the same for all places and changes nothing but variables: it may be done once."""
    if isinstance(node, t.Text):
        return node.comment
    if (t.names_in(node) | t.declared_in(node)) & own or _elements(node):
        return False
    if isinstance(node, t.Declare) and (is_local(node) or any(variable.extents for variable in node.names)):
        return is_local(node)
    return not any(isinstance(inner, t.Text) or _acts(inner) for inner in t.walk(node))


def _acts(node: t.Node) -> bool:
    """Tell a call that may do more than to calculate, or a pointer that is followed."""
    called = isinstance(node, t.Call) and not _CALCULATES.match(node.function)
    return called or (isinstance(node, t.Unary) and node.op in ("&", "*"))


def again(node: t.Declare, lasting: set[str]) -> bool:
    """Tell a declaration whose value is calculated of what never changes, so that it may be made again wherever it is needed."""
    (one,) = node.names
    if one.value is None or one.extents or not t.names_in(one.value) <= lasting:
        return False
    kind = " ".join(word for word in node.type.split() if word != "const")
    short = one.pointer or kind == "bool" or algebra.is_whole(kind) or sum(1 for _ in t.walk(one.value)) <= _SHORT
    strange = (t.Text, t.Assign, t.Postfix, t.Table)
    return bool(short) and not any(_loads(part) or isinstance(part, strange) for part in _read(one.value))


def _read(node: t.Node) -> Iterator[t.Node]:
    """Yield the parts of an expression, of an element whose address is taken only where it stands."""
    if isinstance(node, t.Unary) and node.op == "&" and isinstance(node.value, t.Index):
        yield from _read(node.value.index)
        if not isinstance(node.value.base, t.Name):
            yield from _read(t.Unary("&", node.value.base))
        return
    yield node
    for inner in t.children(node):
        yield from _read(inner)


def _loads(node: t.Node) -> bool:
    called = isinstance(node, t.Call) and not _CHEAP.match(node.function)
    return called or isinstance(node, t.Index) or (isinstance(node, t.Unary) and node.op in ("++", "--", "*", "&"))


def understood(nodes: t.Body, names: set[str], *, inside: bool = False) -> None:
    """Refuse statements that leave the kernel, and those kept as text that have to do with a place's variables."""
    for node in nodes:
        if isinstance(node, t.Text) and not node.comment:
            left = _LEFT.match(node.text.strip())
            if (left and not inside) or (
                not left and set(_WORD.findall(node.text)) & {*names, "return", "goto", *PLACES}
            ):
                raise RefusedError(f"what line {node.line} does is not understood")
        deeper = inside or isinstance(node, t.For)
        understood(tuple(t.children(node)), names, inside=deeper)
