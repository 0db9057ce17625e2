"""An explanation as JSON; other programs read it, so keys are the fields of `page`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.explain.page import Explanation


def render(page: Explanation) -> dict[str, Any]:
    """Return plain data; ``next`` repeats the rule and the technique to try first."""
    next_move = page.next
    step = {"rule": next_move[0].rule, **asdict(next_move[1])} if next_move else None
    return {"format": 1, **asdict(page), "next": step}
