"""Conditions taken apart and put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hotloop.rewrite import tree as t
from hotloop.rewrite.unordered import unordered


def conjuncts(node: t.Node) -> Iterator[t.Node]:
    """Yield the parts of ``a && b && c``."""
    if isinstance(node, t.Binary) and node.op == "&&":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    else:
        yield node


def joined(parts: list[t.Node]) -> t.Node | None:
    """Return parts joined by ``&&``; None of none."""
    made: t.Node | None = None
    for part in parts:
        made = part if made is None else t.Binary("&&", made, part)
    return made


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def negated(node: t.Node, kinds: Mapping[str, str]) -> t.Node | None:
    """Return the opposite of a condition, None where it is no conjunction or disjunction of comparisons.

    `kinds` are the types of variables (`kinds_of`): where one of two numbers may be NaN, the opposite of ``a < b`` is ``!(a < b)``.
    """
    if isinstance(node, t.Binary):
        if node.op in _OPPOSITE:
            turned = t.Binary(_OPPOSITE[node.op], node.left, node.right)
            return t.Unary("!", node) if unordered(node, kinds) else turned
        if node.op in ("||", "&&"):
            left, right = negated(node.left, kinds), negated(node.right, kinds)
            if left is not None and right is not None:
                return t.Binary("&&" if node.op == "||" else "||", left, right)
    return None


BOTH = {"&&": "&", "||": "|"}
"""Operators that join conditions, and those that join them lane by lane."""
_COMPARED = frozenset(["<", "<=", ">", ">=", "==", "!="])


def asks(node: t.Node) -> bool:
    """Tell a comparison, or several of which it does not matter whether all are made."""
    if isinstance(node, t.Unary) and node.op == "!":
        return asks(node.value)
    if not isinstance(node, t.Binary) or any(map(acts, t.walk(node))):
        return False
    if node.op not in BOTH:
        return node.op in _COMPARED
    read = [inner for inner in t.walk(node.left) if isinstance(inner, t.Index)]
    guarded = any((isinstance(inner, t.Index) and inner not in read) or divides(inner) for inner in t.walk(node.right))
    return not guarded and asks(node.left) and asks(node.right)


def spelled(node: t.Node) -> t.Node:
    """Return a condition in which a number that is asked whether it is something stands as a comparison with zero.

    >>> spelled(t.Binary("&&", t.Name("alive"), t.Unary("!", t.Name("old"))))  # doctest: +ELLIPSIS
    Binary(op='&&', left=Binary(op='!=', ... right=Number(text='0')), right=Binary(op='==', ... right=Number(text='0')))
    """
    match node:
        case t.Binary(op=op, left=left, right=right) if op in BOTH:
            return t.Binary(op, spelled(left), spelled(right))
        case t.Unary(op="!", value=value) if not (isinstance(value, t.Binary) and value.op in {*BOTH, *_COMPARED}):
            return t.Binary("==", value, t.Number("0"))
        case t.Cast(type="int", value=t.Choice(condition=inner, yes=t.Number("1"), no=t.Number("0"))):
            return spelled(inner)  # what a `bool` holds
        case t.Name() | t.Index() | t.Binary(op="&" | "|" | "^" | "%"):
            return t.Binary("!=", node, t.Number("0"))
    return node


def acts(node: t.Node) -> bool:
    """Tell what changes something, or is not understood."""
    return isinstance(node, t.Assign | t.Postfix | t.Text) or (isinstance(node, t.Unary) and node.op in ("++", "--"))


def divides(node: t.Node) -> bool:
    """Tell a division: of whole numbers by zero it ends a program."""
    return isinstance(node, t.Binary | t.Assign) and node.op[0] in "/%"


def assigned(body: t.Body) -> list[t.Assign] | None:
    """Return the assignments of statements that are nothing else; None of others."""
    real = [statement for statement in body if not t.is_comment(statement)]
    assignments = [one.value for one in real if isinstance(one, t.Do) and isinstance(one.value, t.Assign)]
    inner = any(acts(part) for assignment in assignments for part in t.walk(assignment.value))
    return None if inner or len(assignments) < len(real) else assignments


def fresh(name: str, node: t.Node) -> str:
    """Return a name that a node does not have."""
    return name if name not in t.names_in(node) else fresh(f"{name}_", node)
