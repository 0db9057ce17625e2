"""Who is told of products of arrays, and of new forms of calls on tensors: nobody, as a rule, and then it costs one look at an empty list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hotloop.model.problem import Problem

WATCHERS: list[Callable[[Problem, float], None]] = []
"""Functions that are called with every problem and its time in ns."""

FORMS: list[Callable[[Any, Any], None]] = []
"""Functions that are called with an operator and its call, for every form of call that was not answered before."""
