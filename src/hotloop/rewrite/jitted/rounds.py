"""How many rounds the loops of a launch do."""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.scene import Scene


def most(script: Script, scene: Scene) -> int | None:
    """Return the rounds of the longest innermost loop whose bounds are known for a launch; None where one is not known."""
    found = []
    for node in ast.walk(script.kernel):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and node.iter.args:
            if any(isinstance(one, ast.For | ast.While) for one in ast.walk(node) if one is not node):
                continue
            rounds = _rounds(node.iter.args, scene)
            if rounds is None:
                return None
            found.append(rounds)
    return max(found, default=None)


def _rounds(given: list[ast.expr], scene: Scene) -> int | None:
    texts = [ast.unparse(one) for one in given]
    start, stop, step = ["0", *texts, "1"] if len(texts) == 1 else [*texts, "1"][:3]
    first, last, by = (scene.number(one) for one in (start, stop, step))
    return None if first is None or last is None or not by else -(-(last - first) // by)
