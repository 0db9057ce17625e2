"""Numbers that one loop alone moves on begin in its head: ``q = b; for (p = a; p < n; p += 16) {... q += 16; }`` as one declaration.

Such a loop is one over rounds, whatever spelling its text has: several counters in a head, counters declared before, ``while`` loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import acts

_WORD = re.compile(r"\w+")


def in_heads(body: t.Body) -> t.Body:
    """Return statements in which loops declare the numbers that only they use, or that each of them begins anew."""
    return _taken_in(each_in_its_head(body))


def each_in_its_head(body: t.Body) -> t.Body:
    """Return statements in which several loops declare a number that each of them begins anew."""
    whole = [node for node in body if isinstance(node, t.Declare) and algebra.is_whole(node.type)]
    for node in whole:
        for one in node.names:
            if one.value is None and not one.pointer and not one.extents:
                body = _anew(body, one.name, node.type)
    return body


def _anew(body: t.Body, name: str, kind: str) -> t.Body:
    """Return statements in which several loops declare a number that each of them begins; the same where one is used elsewhere."""
    loops = list(_beginning(body, name))
    inside = sum(_uses(name, (loop,)) for loop in loops)
    names = [inner.name for inner in t.walk(*body) if isinstance(inner, t.Declared)]
    if not loops or inside != _uses(name, body) or names.count(name) > 1:
        return body
    if any(len(list(_beginning(loop.body, name))) for loop in loops):
        return body

    def change(node: t.Node) -> t.Node | None:
        if any(node is loop for loop in loops) and isinstance(node, t.For) and isinstance(node.first, t.Assign):
            return replace(node, first=t.Declare(kind, (t.Declared(name, node.first.value),), node.line))
        return None

    made = tuple(t.changed(node, change) for node in body)
    rest = (_without(node, name) for node in made)
    return tuple(node for node in rest if node is not None)


def _beginning(body: t.Body, name: str) -> Iterator[t.For]:
    """Yield the outermost loops that begin with a number's first value."""
    for node in body:
        match node:
            case t.For(first=t.Assign(op="=", target=t.Name(text=own), value=value)) if own == name:
                if name not in t.names_in(value):
                    yield node
            case t.For(body=inner) | t.Block(body=inner):
                yield from _beginning(inner, name)
            case t.If(yes=yes, no=no):
                yield from _beginning((*yes, *no), name)


def _without(node: t.Node, name: str) -> t.Node | None:
    if not isinstance(node, t.Declare):
        return node
    kept = tuple(one for one in node.names if one.name != name)
    return replace(node, names=kept) if kept else None


def _taken_in(body: t.Body) -> t.Body:
    """Return statements in which loops declare the numbers that only they use."""
    made = _spread(tuple(_inner(node) for node in body), body)
    for node in made:
        if isinstance(node, t.For):
            made = _begun(made, node)
    return made


def _inner(node: t.Node) -> t.Node:
    match node:
        case t.For() | t.Block():
            return replace(node, body=_taken_in(node.body))
        case t.If():
            return replace(node, yes=_taken_in(node.yes), no=_taken_in(node.no))
    return node


def _spread(body: t.Body, every: t.Body) -> t.Body:
    """Return statements in which blocks that only set numbers before a loop are no blocks: so heads with several counters are read."""
    made: list[t.Node] = []
    for node in body:
        if not isinstance(node, t.Block) or not isinstance(node.body[-1] if node.body else None, t.For):
            made.append(node)
            continue
        before = node.body[:-1]
        own = {name for one in before for name in t.declared_in(one)}
        names = [inner.name for one in every for inner in t.walk(one) if isinstance(inner, t.Declared)]
        if all(map(_sets, before)) and all(names.count(one) == 1 for one in own) and not _outside(own, node, every):
            made += node.body
        else:
            made.append(node)
    return tuple(made)


def _sets(node: t.Node) -> bool:
    assigned = isinstance(node, t.Do) and isinstance(node.value, t.Assign) and isinstance(node.value.target, t.Name)
    return assigned or isinstance(node, t.Declare)


def _outside(names: set[str], node: t.Node, every: t.Body) -> bool:
    """Tell whether other statements use one of these names."""
    return any(_uses(name, every) > _uses(name, (node,)) for name in names)


def _uses(name: str, body: t.Body) -> int:
    return sum(1 for inner in t.walk(*body) if inner == t.Name(name) or _says(inner, name))


def _says(node: t.Node, name: str) -> bool:
    """Tell source that is kept as it is and names a variable."""
    return isinstance(node, t.Text) and not node.comment and name in _WORD.findall(node.text)


def _begun(body: t.Body, loop: t.For) -> t.Body:
    """Return statements in which a loop declares its numbers; the same where it cannot."""
    own = loop.condition.left if isinstance(loop.condition, t.Binary) else None
    if not isinstance(own, t.Name) or isinstance(loop.first, t.Declare):
        names = _moved(loop) - t.declared_in(loop)
    else:
        names = _moved(loop)
    if isinstance(loop.first, t.Declare):
        first = {one.name: (loop.first.type, one.value) for one in loop.first.names}
    else:
        first = {}
    if not isinstance(own, t.Name) or (own.text not in names and own.text not in first):
        return body
    rest = body
    begins: dict[str, tuple[str, t.Node | None]] = dict(first)
    ordered = sorted(names - set(first), key=lambda name: (name != own.text, name))
    for name in ordered:
        if (taken := _taken(rest, loop, name)) is None:
            continue
        rest, kind, value = taken
        begins[name] = (kind, value)
    if own.text not in begins or begins.keys() == first.keys():
        return body
    kind = begins[own.text][0]
    values = [value for _, value in begins.values() if value is not None]
    if any(other != kind for other, _ in begins.values()) or t.names_in(*values) & set(begins):
        return body
    declared = tuple(t.Declared(name, value) for name, (_, value) in begins.items())
    new = replace(loop, first=t.Declare(kind, declared, loop.line))
    return tuple(new if node is loop else node for node in rest)


def _moved(loop: t.For) -> set[str]:
    """Return the variables that a loop's step and its last statements move on by something."""
    ends = [loop.step] if loop.step is not None else []
    for node in reversed(loop.body):
        if not isinstance(node, t.Do) or not isinstance(node.value, t.Assign | t.Postfix | t.Unary):
            break
        ends.append(node.value)
    found = set[str]()
    for end in ends:
        match end:
            case t.Assign(op="+=", target=t.Name(text=name)) | t.Postfix(op="++", value=t.Name(text=name)):
                found.add(name)
            case t.Unary(op="++", value=t.Name(text=name)):
                found.add(name)
            case _:
                break
    return found


def _taken(body: t.Body, loop: t.For, name: str) -> tuple[t.Body, str, t.Node] | None:
    """Return statements without those that declare a number and give it its first value, its type and that value; None where others use it."""
    at = next(number for number, node in enumerate(body) if node is loop)
    made: list[t.Node] = []
    kind, value, since = "", None, 0
    if isinstance(loop.first, t.Assign) and loop.first.op == "=" and loop.first.target == t.Name(name):
        value, since = loop.first.value, at
    for number, node in enumerate(body):
        match node:
            case t.Declare(names=declared) if number < at and any(one.name == name for one in declared):
                (one,) = (each for each in declared if each.name == name)
                if kind or one.pointer or one.extents or not algebra.is_whole(node.type):
                    return None
                kind = " ".join(word for word in node.type.split() if word != "const")
                if one.value is not None:
                    if value is not None:
                        return None
                    value, since = one.value, number
                if kept := tuple(each for each in declared if each.name != name):
                    made.append(replace(node, names=kept))
            case t.Do(value=t.Assign(op="=", target=t.Name(text=target), value=given)) if (
                target == name and number < at and kind and value is None
            ):
                value, since = given, number
            case _:
                made.append(node)
    if not kind or value is None or name in t.names_in(value) or _used(name, made, loop):
        return None
    if t.names_in(value) & t.written_in(*body[since:at]) or not _kept(value, body[since + 1 : at]):
        return None
    return tuple(made), kind, value


def _kept(value: t.Node, between: t.Body) -> bool:
    """Tell whether a value is still the same behind other statements: it reads no memory, or they change none."""
    read = any(
        isinstance(one, t.Index | t.Call | t.Member) or (isinstance(one, t.Unary) and one.op == "*")
        for one in t.walk(value)
    )
    return not read or not any(
        isinstance(one, t.Call) or acts(one) for one in t.walk(*between) if not t.is_comment(one)
    )


def _used(name: str, body: list[t.Node], loop: t.For) -> bool:
    """Tell whether statements beside a loop use a name, or declare it again."""
    return any(name in t.declared_in(node) or _uses(name, (node,)) for node in body if node is not loop)
