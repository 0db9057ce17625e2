"""Whether all programs of a launch change one place in memory, one after the other."""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined


def meeting(script: Script) -> bool:
    r"""Tell whether each program has an atomic operation on the place that a parameter points to: fewer programs wait less for each other there.

    >>> text = "import triton.language as tl\ndef f(x, most):\n    at = tl.program_id(0)\n    tl.atomic_max(most{}, tl.load(x + at))"
    >>> meeting(Script(text.format(""), "f")), meeting(Script(text.format(" + at"), "f"))
    (True, False)
    """
    kernel = inlined(script).kernel
    given = {argument.arg for argument in kernel.args.args}
    calls = (node for node in ast.walk(kernel) if isinstance(node, ast.Call) and node.args)
    words = ((call, call.func.attr) for call in calls if isinstance(call.func, ast.Attribute))
    return any(
        word.startswith("atomic_") and isinstance(one.args[0], ast.Name) and one.args[0].id in given
        for one, word in words
    )


__all__ = ["meeting"]
