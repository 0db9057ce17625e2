"""Names for types that a checker cannot follow."""

from __future__ import annotations

from typing import Any, TypeAlias

Array: TypeAlias = Any
"""A NumPy array; its element type depends on an instruction's text, which no annotation can say."""
World: TypeAlias = Any
"""What the waves of a cohort run in: `hotloop.emulate.machine.Batch`, which stands above everything that needs it."""
