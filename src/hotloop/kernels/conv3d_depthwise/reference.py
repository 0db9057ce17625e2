"""Inputs and the float64 reference: shifted copies of the padded input, added up tap by tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.conv3d_depthwise.shape import Shape
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``x``, ``weights`` and, where the problem has one, ``bias``; ``y`` is a pure output."""
    from hotloop.model.dtype import dtype_of

    shape = shape_of(problem)
    taps, dtype = (shape.c * shape.multiplier, *shape.kernel), dtype_of(shape.dtype)
    drawn = {
        "x": rng.standard_normal(_order(shape, shape.c, shape.size)).astype(dtype),
        "weights": rng.standard_normal(taps).astype(dtype),
    }
    if shape.bias:
        drawn["bias"] = rng.standard_normal(shape.c * shape.multiplier).astype(dtype)
    return {**drawn, "y": Empty(_order(shape, shape.c * shape.multiplier, shape.output), shape.dtype)}


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return y in float64."""
    return {"y": _convolve(shape_of(problem), arrays, absolute=False)}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the sum of the products' absolute values: the scale of rounding errors."""
    return {"y": _convolve(shape_of(problem), arrays, absolute=True)}


def _order(shape: Shape, channels: int, size: tuple[int, int, int]) -> tuple[int, ...]:
    return (shape.n, *size, channels) if shape.channels_last else (shape.n, channels, *size)


def _convolve(shape: Shape, arrays: Inputs, *, absolute: bool) -> Float:
    import numpy as np

    x, taps = (arrays[name].astype(np.float64) for name in ("x", "weights"))  # type: ignore[union-attr]
    x, taps = (np.abs(x), np.abs(taps)) if absolute else (x, taps)
    x = np.moveaxis(x, -1, 1) if shape.channels_last else x
    x = np.pad(x, ((0, 0), (0, 0), *((pad, pad) for pad in shape.padding)))
    x = np.repeat(x, shape.multiplier, axis=1)
    # Arrays of the witness's are summed whole: there each operation is a message.
    total = _by_channels(shape, x, taps) if isinstance(x, np.ndarray) else _summed(shape, x, taps)
    if shape.bias:
        added = arrays["bias"].astype(np.float64)[None, :, None, None, None]  # type: ignore[union-attr]
        with np.errstate(all="ignore"):
            total += np.abs(added) if absolute else added
    return np.moveaxis(total, 1, -1).copy() if shape.channels_last else total


def _by_channels(shape: Shape, x: Float, taps: Float) -> Float:
    """Return the sums of a few channels at a time, which stay in a core's caches, on all cores."""
    import numpy as np

    from hotloop.verify import spread

    total = np.empty((shape.n, shape.c * shape.multiplier, *shape.output))

    def fill(part: slice) -> None:
        total[:, part] = _summed(shape, x[:, part], taps[part])

    spread.each(len(taps), fill, max(1, spread.BLOCK // max(1, total[:, 0].size)))
    return total


def _summed(shape: Shape, x: Float, taps: Float) -> Float:
    """Return the sums over all taps, in their order, of some channels of the padded input."""
    import numpy as np

    total = np.zeros_like(x, shape=(shape.n, len(taps), *shape.output))
    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        for at in np.ndindex(shape.kernel):
            window = tuple(
                slice(i * far, i * far + step * (out - 1) + 1, step)
                for i, far, step, out in zip(at, shape.dilation, shape.stride, shape.output, strict=True)
            )
            total += x[(slice(None), slice(None), *window)] * taps[(slice(None), *at)][None, :, None, None, None]
    return total


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the output type's epsilon; sums are float32 in every type."""
    from hotloop.model.dtype import dtype_of, limits

    shape = shape_of(problem)
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    return 1.0 + taps * limits(dtype_of("float32")).eps / limits(dtype_of(shape.dtype)).eps
