"""Statements without comments: these stand anywhere in published texts, also between statements that a rewrite looks for side by side."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t


def uncommented(body: t.Body) -> t.Body:
    """Return statements without comments; the same object where there are none."""
    if not any(map(t.is_comment, t.walk(*body))):
        return body
    made: list[t.Node] = []
    for node in body:
        match node:
            case t.For() | t.Block():
                made.append(replace(node, body=uncommented(node.body)))
            case t.If():
                made.append(replace(node, yes=uncommented(node.yes), no=uncommented(node.no)))
            case _:
                made += [] if t.is_comment(node) else [node]
    return tuple(made)
