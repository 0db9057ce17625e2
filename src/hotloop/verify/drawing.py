"""Random numbers for large arrays, drawn on all cores: one core needs a second for a hundred million bytes of inputs."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.verify import spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Size = int | Sequence[int] | None

LARGE = 1 << 20
"""Number of elements from which an array is drawn in blocks, so that small ones are what NumPy's generator draws."""
_BLOCK = 1 << 18
"""Elements of a block: a thousandth of a block's time goes into its generator, and an array has blocks for all cores."""


def generator(seed: int) -> np.random.Generator:
    """Return a generator whose large arrays are the same for the same seed, however many cores draw them.

    >>> bool((generator(3).random(8) == np.random.default_rng(3).random(8)).all())
    True
    """
    return _Spread(np.random.PCG64(seed))


def asked_ends(rng: np.random.Generator, inputs: Mapping[str, object]) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest integer that an array could have been drawn with, by name.

    Only of arrays that a generator of this module drew and nobody has changed since: of all others the ends say nothing.

    >>> rng = generator(3)
    >>> x, y = rng.integers(0, 1000, 5), rng.integers(-4, 4, 5, endpoint=True)
    >>> asked_ends(rng, dict(x=x, y=y, z=x | 1, n=5))
    {'x': (0, 999), 'y': (-4, 4)}
    """
    drawn = rng.drawn if isinstance(rng, _Spread) else []
    found = {
        name: (low, high, crc) for name, value in inputs.items() for made, low, high, crc in drawn if made is value
    }
    return {name: (low, high) for name, (low, high, crc) in found.items() if _digest(inputs[name]) == crc}


def _digest(value: Any) -> int:  # noqa: ANN401 - an array
    return zlib.crc32(np.ascontiguousarray(value).view(np.uint8).data) if value.size else 0


class _Spread(np.random.Generator):
    """NumPy's generator; blocks of what is large come from generators of their own, seeded by numbers of this one."""

    def __init__(self, bits: np.random.BitGenerator) -> None:
        super().__init__(bits)
        self.drawn: list[tuple[NDArray[Any], int, int, int]] = []
        """Integers that were drawn, their least and greatest, and a digest; not of large arrays, which nothing here shall keep."""

    def standard_normal(self, size: Size = None, dtype: Any = np.float64, out: Any = None) -> Any:  # type: ignore[override]  # noqa: ANN401 - NumPy's
        if out is not None or not _large(size):
            return super().standard_normal(size, dtype, out)
        return self._filled(size, dtype, lambda rng, part: rng.standard_normal(dtype=part.dtype, out=part))

    def random(self, size: Size = None, dtype: Any = np.float64, out: Any = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        if out is not None or not _large(size):
            return super().random(size, dtype, out)
        return self._filled(size, dtype, lambda rng, part: rng.random(dtype=part.dtype, out=part))

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        if not (_large(size) and _single(loc, scale)):
            return super().normal(loc, scale, size)
        return self._assigned(size, np.float64, lambda rng, count: rng.normal(loc, scale, count))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Size = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        if not (_large(size) and _single(low, high)):
            return super().uniform(low, high, size)
        return self._assigned(size, np.float64, lambda rng, count: rng.uniform(low, high, count))

    def integers(  # type: ignore[override]
        self, low: Any, high: Any = None, size: Size = None, dtype: Any = np.int64, endpoint: bool = False  # noqa: ANN401, FBT001, FBT002
    ) -> Any:  # noqa: ANN401 # fmt: skip
        if not (_large(size) and _single(low, high)):
            made = super().integers(low, high, size, dtype, endpoint)
            if isinstance(made, np.ndarray) and made.size < LARGE and _whole(low, high):
                least, beyond = (0, int(low)) if high is None else (int(low), int(high))
                self.drawn.append((made, least, beyond if endpoint else beyond - 1, _digest(made)))
            return made
        return self._assigned(size, dtype, lambda rng, count: rng.integers(low, high, count, dtype, endpoint))

    def _assigned(self, size: Size, dtype: Any, draw: Callable[[np.random.Generator, int], Any]) -> NDArray[Any]:  # noqa: ANN401
        def fill(rng: np.random.Generator, part: NDArray[Any]) -> None:
            part[:] = draw(rng, part.size)

        return self._filled(size, dtype, fill)

    def _filled(
        self, size: Size, dtype: Any, fill: Callable[[np.random.Generator, NDArray[Any]], object]  # noqa: ANN401
    ) -> NDArray[Any]:  # fmt: skip
        """Return an array whose blocks were filled in parallel; two arrays of one generator differ."""
        made = np.empty(size, dtype)  # type: ignore[arg-type]
        flat, words = made.reshape(-1), [int(word) for word in super().integers(0, 2**63, 2)]

        def work(part: slice) -> None:
            fill(np.random.Generator(np.random.PCG64([*words, part.start])), flat[part])

        spread.each(flat.size, work, _BLOCK)
        return made


def _single(*values: object) -> bool:
    return all(value is None or np.isscalar(value) for value in values)


def _large(size: Size) -> bool:
    return size is not None and prod((size,) if isinstance(size, int | np.integer) else size) >= LARGE


def _whole(low: object, high: object) -> bool:
    """Tell whether bounds are single integers."""
    return isinstance(low, int | np.integer) and (high is None or isinstance(high, int | np.integer))
