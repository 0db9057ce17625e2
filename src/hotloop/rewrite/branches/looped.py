"""Loops that end at another round for each work-item: their statements, as a loop over all lanes of a vector needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.skips import without_continue


def stops(node: t.Node) -> bool:
    """Tell a branch that ends with leaving its loop."""
    return isinstance(node, t.If) and bool(real := _real(node.yes)) and _leaves(real[-1])


def opened(body: t.Body) -> t.Body:
    """Return a round's statements in which nothing goes on from amid them, and what stands beside leaving the loop stands behind it."""
    made: list[t.Node] = []
    for node in without_continue(body, None):
        if isinstance(node, t.If) and stops(node) and node.no:
            made += [replace(node, no=()), *opened(node.no)]
        else:
            made.append(node)
    return tuple(made)


def leaving(loop: t.For) -> Iterator[t.Node]:
    """Yield the conditions under which a loop is left amid a round."""
    return (node.condition for node in opened(loop.body) if isinstance(node, t.If) and stops(node))


def before_leaving(node: t.If) -> t.Body:
    """Return what is done before the loop is left."""
    return tuple(_real(node.yes)[:-1])


def outliving(loop: t.For) -> set[str]:
    """Return the variables that a loop changes and that live on behind it."""
    return t.written_in(loop) - t.declared_in(loop)


def left(body: t.Body, varies: dict[str, frozenset[str]], depends: Callable[..., frozenset[str]]) -> None:
    """Let what a loop changes for good depend on what says when each work-item leaves it."""
    for loop in (node for node in t.walk(*body) if isinstance(node, t.For)):
        head = [] if loop.condition is None else [loop.condition]
        if differing := depends(*head, *leaving(loop)):
            for name in outliving(loop):
                varies[name] = varies.get(name, frozenset()) | differing


def begun(loop: t.For) -> t.Body:
    """Return what a loop does first, as statements."""
    first = loop.first
    return () if first is None else (first,) if isinstance(first, t.Declare) else (t.Do(first, loop.line),)


def stepped(loop: t.For) -> t.Body:
    """Return what a loop does behind each round, as statements: ``k++`` is ``k += 1``."""
    match loop.step:
        case None:
            return ()
        case t.Postfix(op=op, value=name) | t.Unary(op="++" | "--" as op, value=name):
            return (t.Do(t.Assign(f"{op[0]}=", name, t.Number("1")), loop.line),)
    return (t.Do(loop.step, loop.line),)


def _real(body: t.Body) -> list[t.Node]:
    return [statement for statement in body if not t.is_comment(statement)]


def _leaves(node: t.Node) -> bool:
    return isinstance(node, t.Text) and node.text.replace(" ", "") == "break;"
