"""Rounds that leave out one work-item, such as its own in a sum over all others, in the form of choices.

``if (j == i) continue;`` and ``if (j != i) { ... }`` say the same. Of neighbouring work-items such a condition leaves out one at most: what
the others read in that round may be read for all, and only what is kept of it is chosen.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import divides, negated
from hotloop.rewrite.form import Posed
from hotloop.rewrite.unordered import kinds_of, unordered


def kinds(posed: Posed) -> dict[str, str]:
    """Return the types of variables and parameters by name, with brackets behind it of elements; empty where there are several."""
    return kinds_of(posed.function, posed.types)


def chosen(body: t.Body, items: Container[str], types: Mapping[str, str]) -> t.Body:
    """Return statements in which what such a condition allows is calculated for all, and kept for those that are meant.

    `items` are the work-items' numbers, `types` those of variables.
    """
    made: list[t.Node] = []
    for number, node in enumerate(body):
        if isinstance(node, t.For):
            made.append(replace(node, body=chosen(without_continue(node.body, types), items, types)))
        elif isinstance(node, t.Block):
            made.append(replace(node, body=chosen(node.body, items, types)))
        elif isinstance(node, t.If) and _one_left_out(node, items) and (kept := _kept(node, types)) is not None:
            made.append(t.Block(kept, node.line))
        elif isinstance(node, t.If):
            made.append(replace(node, yes=chosen(node.yes, items, types), no=chosen(node.no, items, types)))
        else:
            made.append(body[number])
    return tuple(made)


def without_continue(body: t.Body, types: Mapping[str, str] | None) -> t.Body:
    """Return a round's statements without going on from amid them, where that is a branch among the outermost.

    Args:
        body: the statements of a round.
        types: those of variables, None where they are not known: a condition that may compare NaN is not turned round.
    """
    for number, node in enumerate(body):
        if not isinstance(node, t.If):
            continue
        rest = body[number + 1 :]
        if _goes_on(node.no):  # only where the condition holds does the round go further
            rest = without_continue(rest, types)
            return (*body[:number], t.If(node.condition, (*node.yes, *rest), (), node.line))
        if not node.no and _goes_on(node.yes) and (opposite := negated(node.condition, types or {})) is not None:
            rest = without_continue(rest, types)
            if types is None or unordered(node.condition, types):
                return (*body[:number], t.If(node.condition, (), rest, node.line)) if rest else body[:number]
            return (*body[:number], t.If(opposite, rest, (), node.line)) if rest else body[:number]
    return body


def _goes_on(body: t.Body) -> bool:
    """Tell a branch that only goes on to the next round."""
    real = [statement for statement in body if not t.is_comment(statement)]
    return len(real) == 1 and isinstance(real[0], t.Text) and real[0].text.replace(" ", "") == "continue;"


def _one_left_out(node: t.If, items: Container[str]) -> bool:
    """Tell a branch for all work-items whose number is not another number."""
    match node.condition:
        case t.Binary(op="!=", left=t.Name(text=left), right=t.Name(text=right)):
            return not node.no and (left in items) != (right in items)
    return False


def _kept(node: t.If, types: Mapping[str, str]) -> t.Body | None:
    """Return the statements with a condition around each that changes what was there before; None where there is more to them."""
    own: set[str] = set()
    made: list[t.Node] = []
    for one in node.yes:
        match one:
            case t.Text(comment=True):
                made.append(one)
            case t.Declare(names=names) if not any(each.pointer or each.extents for each in names):
                own |= t.declared_in(one)
                made.append(one)
            case t.Do(value=t.Assign(target=t.Name(text=text))):
                made.append(one if text in own else t.If(node.condition, (one,), (), one.line))
            case t.If(yes=yes, no=no) if t.written_in(*yes, *no) <= own and all(_gives(each) for each in (*yes, *no)):
                made.append(one)
            case _:
                return None
    acts = any(isinstance(n, t.Postfix | t.Call) and not _pure(n) for one in made for n in t.walk(one))
    whole = any(divides(n) and not _real(n, types) for one in made for n in t.walk(one))
    return None if acts or whole else _apart(tuple(made), types)


def _apart(body: t.Body, types: Mapping[str, str]) -> t.Body | None:
    """Return statements in which no branch reads memory: what it keeps is a variable before it; None where that has no type."""
    made: list[t.Node] = []
    for number, node in enumerate(body):
        match node:
            case t.If(yes=(t.Do(value=t.Assign(value=value) as assign) as only,)) if any(
                isinstance(n, t.Index) for n in t.walk(value)
            ):
                name, kind = f"kept_{number}", types.get(assign.target.text, "")  # type: ignore[attr-defined]
                if kind not in _REALS or name in types:
                    return None
                made.append(t.Declare(kind, (t.Declared(name, value),), node.line))
                made.append(replace(node, yes=(replace(only, value=replace(assign, value=t.Name(name))),)))
            case _:
                made.append(node)
    return tuple(made)


def _real(node: t.Node, types: Mapping[str, str]) -> bool:
    """Tell what is surely no whole number: a division of these by zero would end a program."""
    match node:
        case t.Assign(target=target):
            return _real(target, types)
        case t.Name(text=text):
            return types.get(text) in _REALS
        case t.Index(base=t.Name(text=text)):
            return types.get(f"{text}[]") in _REALS
        case t.Number(text=text):
            return "." in text
        case t.Cast(type=kind):
            return kind in _REALS
        case t.Binary(op="+" | "-" | "*" | "/", left=left, right=right):
            return _real(left, types) or _real(right, types)
    return False


_REALS = ("float", "double")


def _gives(node: t.Node) -> bool:
    return isinstance(node, t.Do) and isinstance(node.value, t.Assign) and isinstance(node.value.target, t.Name)


def _pure(node: t.Node) -> bool:
    return isinstance(node, t.Call) and not node.function.startswith(("atom", "vstore", "barrier", "printf"))
