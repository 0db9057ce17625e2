"""Masked loads of Triton that do not say what lanes get which the mask switches off: Triton leaves it undefined.

Its compiler for AMD makes it 0, so machine code has nothing undefined in it, and a sum over such lanes looks right. While a kernel is compiled
such loads are counted, and may be given a value, so that two builds with different ones show whether a result depends on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

FILLS: Final = ("zero", "pattern")
"""What such lanes can be given: nothing that shows, and a number that most sums, maxima and indices show."""
_VALUES: Final = {"zero": 0, "pattern": 77}
_LOCATION: Final = re.compile(r'"([^"]+)":(\d+):\d+')


@dataclass(slots=True)
class Loads:
    """The masked loads without a value for the other lanes that were compiled."""

    fill: str = ""
    """One of `FILLS`, which they are given; empty: they stay as they are."""
    places: list[tuple[str, int]] = field(default_factory=list)
    """File and line of each."""


def watch() -> Loads:
    """Watch Triton's compiler in this process, from now on."""
    from triton.language.semantic import TritonSemantic

    seen, usual = Loads(), TritonSemantic.load

    def load(self: Any, ptr: Any, mask: Any, other: Any, *rest: Any) -> Any:  # noqa: ANN401 - Triton is untyped
        if mask is not None and other is None:
            seen.places.append(_place(self.builder))
            other = _filling(self, ptr, seen.fill) if seen.fill else None
        return usual(self, ptr, mask, other, *rest)

    TritonSemantic.load = load
    return seen


def _filling(semantic: Any, ptr: Any, fill: str) -> Any:  # noqa: ANN401
    """Return a value in Triton's form; None where the elements are no numbers or the pointer is one to a block."""
    kind = getattr(ptr.type.scalar, "element_ty", None)
    if kind is None or kind.is_ptr() or kind.is_block():
        return None
    value = _VALUES[fill]
    return semantic.to_tensor(float(value) if kind.is_floating() else value)


def _place(builder: Any) -> tuple[str, int]:  # noqa: ANN401
    found = _LOCATION.search(str(builder.get_loc()))
    return (found[1], int(found[2])) if found else ("", 0)
