"""Asking what dispatch would do, without doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.dispatch.family import find
from hotloop.errors import BadShapeError, UnknownNameError
from hotloop.ops import functions, place

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice
    from hotloop.model.record import Scalar


def explain_choice(family: str, /, *operands: Any, device: str = "", **sizes: Any) -> Choice:  # noqa: ANN401 - tensors
    """Return the configuration that `hotloop.ops` uses for a problem, where it comes from, and how near it is.

    Nothing is compiled or run, but the device is opened. With PyTorch tensors this takes the arguments of the function
    itself: ``explain_choice("gemm", a, b, activation="relu")`` says what ``gemm(a, b, activation="relu")`` would do.

    Args:
        family: kernel family, e.g. ``gemm``; with tensors the function's name, e.g. ``depthwise_conv3d``.
        operands: tensors, as the function takes them; none for the sizes of arrays.
        device: part of a device's name or runtime; default: HOTLOOP_DEVICE, else the best that works.
        sizes: sizes of the problem by name (``m=512, n=64, k=4096, dtype="float64", op="nt"``); the family's
            default stands for names that are left out.

    Raises:
        UnknownNameError: no such family.
        BadShapeError: a size that the family does not have, or a value without meaning.
        UsageError: the device cannot compute the problem.
        NoDeviceError: no OpenCL device works; see ``hotloop doctor``.
        MissingExtraError: tensors without PyTorch.
    """
    if operands:
        return _of_tensors(family, operands, sizes)
    return _of_sizes(family, device, sizes)


def _of_tensors(name: str, operands: tuple[Any, ...], options: dict[str, Any]) -> Choice:
    explained = functions.explained()
    if name not in explained:
        raise UnknownNameError("operation on tensors", name, tuple(explained))
    return explained[name].explain(name, operands, options)


def _of_sizes(family: str, device: str, sizes: dict[str, Scalar]) -> Choice:
    brought = find(family)
    default = brought.kernel.problem
    if unknown := sorted(set(sizes) - set(default.sizes)):
        raise BadShapeError(f"{family} has no {', '.join(unknown)}; its sizes: {', '.join(default.sizes)}.")
    problem = default.replace(**sizes)
    try:
        brought.shape(problem)
    except (ValueError, TypeError, KeyError) as error:
        raise BadShapeError(f"{problem.key} has no meaning: {error}.") from None
    return place.session(device).choice(brought, problem)
