"""The sizes of packed attention as numbers."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.attention import problem as dense


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Sequences that lie one after the other in arrays of so many rows."""

    sequences: int
    heads: int
    kv_heads: int
    longest_q: int
    """No sequence has more queries."""
    longest_k: int
    rows_q: int
    """Queries of all sequences."""
    rows_k: int
    size: int
    dtype: str
    causal: bool
    lse: bool = False
    scale: float = 0.0
    """Factor of the scores; 0 stands for 1/sqrt(size)."""

    @property
    def bound(self) -> dense.Shape:
        """The attention of as many sequences that are all as long as the longest."""
        lengths = self.longest_q, self.longest_k
        sizes = (self.sequences, self.heads, self.kv_heads, *lengths, self.size)
        return dense.Shape(*sizes, self.dtype, self.causal, self.lse, 0, self.scale)
