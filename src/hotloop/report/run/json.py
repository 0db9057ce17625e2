"""The view as plain JSON data, for other programs."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.report.view import View

VERSION = 1
"""Raised when a field changes its meaning or goes away."""


def render(view: View) -> dict[str, Any]:
    """Return the view as dictionaries, lists, text and finite numbers; what is not known is null."""
    return {"format": "hotloop-report", "version": VERSION, **_plain(dataclasses.asdict(view))}


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON is dynamically typed
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no NaN and no infinity
    return str(value) if isinstance(value, str) else value
