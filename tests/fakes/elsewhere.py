"""A witness on a device that is none: NumPy in a process of its own, with PyTorch's rules where they differ from NumPy's.

Started as `python -m elsewhere`; the device's name says what is wrong with it: ``lies`` computes wrong sums, ``dies``
ends at the first product, ``none`` does not start.
"""

from __future__ import annotations

import os
from functools import partial

import numpy as np
from numpy.lib.stride_tricks import as_strided

from hotloop.engine.witness import process
from hotloop.engine.witness.torched import OTHERS, SAME
from hotloop.model.dtype import dtype_of


def put(x, index, value):
    x[index] = value
    return x


def reduced(name, x, axes, kept):
    return np.asarray(getattr(np, name)(x, axis=tuple(axes), keepdims=kept))


def wrong(x, axes, kept):
    made = reduced("sum", x, axes, kept)
    made.flat[-1] *= 1 + 1e-6
    return made


def dead(*_):
    os._exit(3)


def table(device):
    found = {name: getattr(np, name) for name in (*SAME, *OTHERS)}
    found |= {
        name: partial(reduced, name) for name in ("sum", "prod", "mean", "max", "min", "any", "all", "var", "std")
    }
    found |= {
        name: getattr(np, name)
        for name in ("einsum", "tril", "triu", "repeat", "cumsum", "flip", "sort", "broadcast_to")
    }
    found |= {
        "copy": np.copy,
        "assign": lambda target, x: put(target, ..., x),
        "getitem": lambda x, index: np.asarray(x[index]),
        "setitem": put,
        "reshape": np.reshape,
        "strided": lambda x, shape, steps, offset: as_strided(x[offset:], shape, [x.itemsize * one for one in steps]),
        "transpose": np.transpose,
        "where": lambda chosen, one, other, dtype: np.where(chosen, one, other).astype(dtype),
        "full": lambda shape, value, dtype: np.full(shape, value, dtype),
        "expand_dims": np.expand_dims,
        "concatenate": np.concatenate,
        "stack": np.stack,
    }
    return found | ({"sum": wrong} if device == "lies" else {"matmul": dead} if device == "dies" else {})


class Numbers:
    """Implements `Tensors`."""

    version = "NumPy elsewhere"

    def __init__(self, device):
        if device == "none":
            raise RuntimeError("no such device")
        self.table = table(device)

    def load(self, payload, dtype, shape):
        return np.array(payload).view(self.kind(dtype)).reshape(shape)

    def cast(self, x, dtype):
        return x.astype(self.kind(dtype), copy=False)

    def kind(self, dtype):
        return dtype_of(dtype)

    def bytes(self, x):
        return np.ascontiguousarray(x).reshape(-1).view(np.uint8)

    def told(self, x):
        return x.dtype.name, list(x.shape)

    def tidy(self):
        pass

    def pin(self, array):
        pass

    def unpin(self, array):
        pass

    def within(self, actual, reference, magnitude, bound):
        value, due = actual.astype(np.float64), reference.astype(np.float64)
        relative, absolute, rounding = bound
        scale = np.abs(due) if magnitude is None else magnitude
        error = np.abs(value - due)
        ratio = error / (relative * scale + rounding * np.abs(due) + absolute)
        if not (np.isfinite(value) & (ratio <= 1)).all():
            return None
        squares = [float((a * b).sum()) for a, b in ((error, error), (due, due), (value, value), (value, due))]
        return [float(error.max()), float(ratio.max()), *squares]


if __name__ == "__main__":
    process.serve(Numbers)
