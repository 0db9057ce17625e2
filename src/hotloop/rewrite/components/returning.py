"""Work-items that leave early as branches around what is left, with what happens inside an image before what happens on its border.

``if (border) { y[i] = 0; return; } work`` becomes ``if (inside) { work } else { y[i] = 0; }``; ``if (a) return; if (b) return;`` one condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts, negated


def branched(body: t.Body, kinds: Mapping[str, str]) -> t.Body:
    """Return statements in which early returns of the outermost level are branches, and border branches stand last; `kinds` are variables' types."""
    real = tuple(statement for statement in body if not t.is_comment(statement))
    if len(real) > 1 and t.is_return(real[-1]):
        real = real[:-1]
    made = _from(real)
    return tuple(_inside_first(node, kinds) for node in (made if made != body else body))


def _from(body: t.Body) -> t.Body:
    for at, node in enumerate(body):
        if not isinstance(node, t.If):
            continue
        rest = body[at + 1 :]
        yes = tuple(one for one in node.yes if not t.is_comment(one))
        if len(yes) == 1 and t.is_return(yes[0]) and not node.no:
            following = rest[0] if rest else None
            if isinstance(following, t.If) and not following.no and _only_returns(following):
                both = replace(node, condition=t.Binary("||", node.condition, following.condition))
                return _from((*body[:at], both, *rest[1:]))
            continue
        if len(yes) > 1 and t.is_return(yes[-1]) and not any(map(t.is_return, t.walk(*yes[:-1], *node.no))):
            return (*body[:at], replace(node, yes=yes[:-1], no=_from((*node.no, *rest))))
    return body


def _inside_first(node: t.Node, kinds: Mapping[str, str]) -> t.Node:
    """Return a branch with what is done within bounds first, where its condition is that of a border."""
    if not isinstance(node, t.If) or not node.no or not _border(node.condition):
        return node
    opposite = negated(node.condition, kinds)
    if opposite is None or any(not isinstance(one, t.Binary) or one.op == "||" for one in conjuncts(opposite)):
        return node
    return replace(node, condition=opposite, yes=node.no, no=node.yes)


def _border(condition: t.Node) -> bool:
    """Tell a condition that holds if one of several comparisons does, or an equality."""
    return isinstance(condition, t.Binary) and condition.op in ("||", "==")


def within(condition: t.Node) -> Iterator[t.Node]:
    """Yield comparisons that are met only where those of a condition are, without ``!=``: for blocks of neighbours above 0, or below an end."""
    for conjunct in conjuncts(condition):
        if isinstance(conjunct, t.Binary) and conjunct.op == "!=":
            low = isinstance(conjunct.right, t.Number)
            yield t.Binary(">" if low else "<", conjunct.left, conjunct.right)
        else:
            yield conjunct


def _only_returns(node: t.If) -> bool:
    yes = [one for one in node.yes if not t.is_comment(one)]
    return len(yes) == 1 and t.is_return(yes[0])
