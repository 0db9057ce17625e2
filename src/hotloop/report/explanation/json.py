"""An explanation as JSON; other programs read it, so keys are the fields of `page`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.explain.page import Explanation


def render(page: Explanation) -> dict[str, Any]:
    """Return plain data; ``next`` repeats the rule and the technique to try first."""
    found = page.next
    step = {"rule": found[0].rule, **asdict(found[1])} if found else None
    return {"format": 1, **asdict(page), "next": step}
