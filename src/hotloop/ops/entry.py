"""What users call on PyTorch's models; PyTorch is imported when one of these is called, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.errors import MissingExtraError

if TYPE_CHECKING:
    from hotloop.ops.intercepted import Used
    from hotloop.ops.model import Explained
    from hotloop.ops.replaced import Usage
    from hotloop.ops.warmed import Warming


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


def warm(what: Any, /, *inputs: Any, background: bool = False, **named: Any) -> Warming:  # noqa: ANN401
    """Measure, once, what computes calls of these forms fastest, and remember it, in this process and the next.

    Where nothing that was measured on this device says that a kernel of hotloop's is as fast as PyTorch's function, PyTorch's runs.
    This compares them, on the very tensors: a kernel that is right (its errors no larger than PyTorch's, against higher precision)
    and FASTER in a paired comparison runs from now on. A call takes about a second, most of it for compilers.

    Args:
        what: name of a function on tensors (``"attention"``), or a module or function that is run once, without gradients.
        inputs: its arguments.
        background: measure in a thread, on a stream of its own; the calls keep their operands in memory until then. What the
            program does meanwhile disturbs the measurements, which says UNCLEAR, and PyTorch's function stays.
        named: its named arguments.

    >>> from hotloop import ops
    >>> print(ops.warm("attention", q, k, v, window=512, causal=True))  # doctest: +SKIP
    >>> print(ops.warm(model, x))  # doctest: +SKIP

    Raises:
        BadArrayError: `what` cannot be called.
        UnknownNameError: no such function on tensors.
        UsageError: the arguments are wrong.
        StoreError: the answers cannot be kept for other processes.
        MissingExtraError: PyTorch is not installed.
    """
    _needed()
    from hotloop.ops import warmed

    return warmed.warm(what, inputs, named, background=background)


def _needed() -> None:
    try:
        import torch  # noqa: F401 - asked for by name, so that its absence names the extra
    except ModuleNotFoundError as error:
        raise MissingExtraError("hotloop.ops on models", "torch") from error
