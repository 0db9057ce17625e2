"""Labels, which C allows once in a function: rewrites that repeat statements must not repeat them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hotloop.rewrite import tree as t

_GOES = re.compile(r"\bgoto\s+(\w+)")


def doubled(before: t.Body, after: t.Body) -> str:
    """Return a label to which statements go that stands more often afterwards than once; empty where none does.

    >>> from hotloop.rewrite.tree import Text
    >>> jump = (Text("if (x) goto out;"), Text("out: ;"))
    >>> doubled(jump, jump), doubled(jump, (*jump, *jump))
    ('', 'out')
    """
    goals = {name for text in _texts(before) for name in _GOES.findall(text)}
    if not goals:
        return ""
    stands = re.compile(rf"(?<![?\w])\b({'|'.join(sorted(goals))})\s*:(?!:)")
    counts = Counter(name for text in _texts(after) for name in stands.findall(text))
    return next((name for name in sorted(goals) if counts[name] > 1), "")


def _texts(body: t.Body) -> Iterator[str]:
    return (node.text for node in t.walk(*body) if isinstance(node, t.Text) and not node.comment)
