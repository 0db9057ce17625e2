"""What users call on PyTorch's models; PyTorch is imported when one of these is called, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.errors import MissingExtraError

if TYPE_CHECKING:
    from hotloop.ops.intercepted import Used
    from hotloop.ops.model import Explained
    from hotloop.ops.replaced import Usage


def explain(model: Any, /, *inputs: Any, **named: Any) -> Explained:  # noqa: ANN401 - a module or function, its arguments
    """Run a model once without gradients, and return what it called, how long that took, and what hotloop would run.

    The run is made under ``torch.no_grad()`` and counted as `ops.record` does; call the model a few times before, so that what
    happens only once is not counted.

    Args:
        model: module, or any function of tensors.
        inputs: its arguments.
        named: its named arguments.

    Raises:
        BadArrayError: `model` cannot be called.
        MissingExtraError: PyTorch is not installed.
    """
    _needed()
    from hotloop.ops import model as models

    return models.explain(model, *inputs, **named)


def use(model: Any) -> Usage:  # noqa: ANN401 - torch.nn.Module, which is not imported here
    """Let hotloop compute what it can in a model, in place, and say what and why not.

    Calls of linear layers, products, attention, depthwise convolutions and softmax inside the model's forward go to
    `hotloop.ops`; which kernel runs is decided for each shape, and PyTorch's own runs where it was measured to be faster. Calls
    that need a gradient, tensors that are not on an NVIDIA GPU, and modules that work in C++ as one (``nn.MultiheadAttention``,
    ``nn.LSTM``) stay PyTorch's.

    Args:
        model: any module; its parameters, buffers, hooks and state dictionary stay as they are.

    Raises:
        BadArrayError: `model` is no module, or is in use already.
        MissingExtraError: PyTorch is not installed.
    """
    _needed()
    from hotloop.ops import replaced

    return replaced.use(model)


def used() -> Used:
    """Return a context in which PyTorch's functions are computed by hotloop where it can.

    >>> from hotloop import ops
    >>> with ops.used() as what:  # doctest: +SKIP
    ...     y = model(x)
    >>> what.said  # doctest: +SKIP
    Counter({('linear', ''): 24, ('scaled_dot_product_attention', 'a mask is given; causal ones and none are known'): 12})

    Raises:
        MissingExtraError: PyTorch is not installed.
    """
    _needed()
    from hotloop.ops.intercepted import Used

    return Used()


def _needed() -> None:
    try:
        import torch  # noqa: F401 - asked for by name, so that its absence names the extra
    except ModuleNotFoundError as error:
        raise MissingExtraError("hotloop.ops on models", "torch") from error
