"""Predicted times of the configurations that a search is about to try, with whether their order is to be followed from the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotloop.model.space import Config


@dataclass(frozen=True, slots=True)
class Foretold:
    """What was predicted for this kernel, device and problem.

    >>> bool(Foretold()), bool(Foretold({Config(A=1): 5.0}))
    (False, True)
    """

    times_ns: Mapping[Config, float] = field(default_factory=dict)
    doubted: bool = False
    """Whether the predictions are no opinion on which is faster: a search then believes them only once its own results agree with them."""

    def __bool__(self) -> bool:
        return bool(self.times_ns)

    @property
    def best(self) -> tuple[Config, ...]:
        """What to try before anything is measured: the configuration predicted fastest; nothing where the order is doubted."""
        return () if self.doubted else tuple(sorted(self.times_ns, key=self.times_ns.__getitem__)[:1])
