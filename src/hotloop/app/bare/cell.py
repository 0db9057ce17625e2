"""What one element of an array, or one value, is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A NumPy type, and how many of it: a short vector has several."""

    dtype: str
    lanes: int = 1
