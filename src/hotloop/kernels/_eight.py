"""Arrays of 8-bit floats from and to NumPy's types, by tables and on all cores: ``ml_dtypes`` takes them number by number on one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hotloop.model.dtype import dtype_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def narrowed(values: NDArray[np.float32], name: str) -> NDArray[np.generic]:
    """Return numbers in an 8-bit type, rounded to 16 bits before: as good as any where they are drawn at random.

    >>> import numpy as np
    >>> [float(x) for x in narrowed(np.float32([0.1, -3.0, 448.0]), "float8_e4m3fn")]
    [0.1015625, -3.0, 448.0]
    """
    import numpy as np

    from hotloop.verify import spread  # it needs NumPy, which most commands do not

    table, flat = _of_halves(name), np.ascontiguousarray(values).reshape(-1)
    made = np.empty(flat.size, np.uint8)

    def fill(part: slice) -> None:
        with np.errstate(over="ignore"):
            made[part] = table[flat[part].astype(np.float16).view(np.uint16)]

    spread.each(flat.size, fill)
    return made.view(dtype_of(name)).reshape(values.shape)


def widened(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return the numbers of an array of any type in float64, exactly.

    >>> import numpy as np
    >>> widened(narrowed(np.float32([[0.25], [-2.0]]), "float8_e4m3fn")).tolist()
    [[0.25], [-2.0]]
    """
    import numpy as np

    from hotloop.verify import spread

    if values.dtype.itemsize > 1 or values.dtype.kind != "V":
        return values.astype(np.float64)
    table, flat = _wide(values.dtype.name), np.ascontiguousarray(values).view(np.uint8).reshape(-1)
    made = np.empty(flat.size, np.float64)

    def fill(part: slice) -> None:
        made[part] = table[flat[part]]

    spread.each(flat.size, fill)
    return made.reshape(values.shape)


@cache
def _of_halves(name: str) -> NDArray[np.uint8]:
    """Return the 8 bits for each of the 65,536 numbers of 16 bits."""
    import numpy as np

    halves = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        return halves.astype(np.float32).astype(dtype_of(name)).view(np.uint8)


@cache
def _wide(name: str) -> NDArray[np.float64]:
    """Return the 256 numbers of a type."""
    import numpy as np

    return np.arange(256, dtype=np.uint16).astype(np.uint8).view(dtype_of(name)).astype(np.float64)
