"""Asking what dispatch would do, without doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.errors import BadShapeError
from hotloop.ops.family import find
from hotloop.ops.session import session

if TYPE_CHECKING:
    from hotloop.model.record import Scalar
    from hotloop.ops.choice import Choice


def explain_choice(family: str, /, *, device: str = "", **sizes: Scalar) -> Choice:
    """Return the configuration that `hotloop.ops` uses for a problem, where it comes from, and how near it is.

    Nothing is compiled or run, but the device is opened.

    Args:
        family: kernel family, e.g. ``gemm``.
        device: part of a device's name or runtime; default: HOTLOOP_DEVICE, else the best that works.
        sizes: sizes of the problem by name (``m=512, n=64, k=4096, dtype="float64", op="nt"``); the family's
            default stands for names that are left out.

    Raises:
        UnknownNameError: no such family.
        BadShapeError: a size that the family does not have, or a value without meaning.
        UsageError: the device cannot compute the problem.
        NoDeviceError: no OpenCL device works; see ``hotloop doctor``.
    """
    found = find(family)
    default = found.kernel.problem
    if unknown := sorted(set(sizes) - set(default.sizes)):
        raise BadShapeError(f"{family} has no {', '.join(unknown)}; its sizes: {', '.join(default.sizes)}.")
    problem = default.replace(**sizes)
    try:
        found.shape(problem)
    except (ValueError, TypeError, KeyError) as error:
        raise BadShapeError(f"{problem.key} has no meaning: {error}.") from None
    return session(device).choice(found, problem)
