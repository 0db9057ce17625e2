"""The ways in which users make a call: with gradients wanted or switched off, of classes of their own, under contexts, as compilers see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from hotloop import ops
from hotloop.dispatch import arguments

AGAIN = 2
"""Calls before the one whose result is compared."""


class Labelled(torch.Tensor):
    """A tensor of a user's own class."""


@contextmanager
def determined() -> Iterator[None]:
    """Let PyTorch use deterministic algorithms only."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


@contextmanager
def aside() -> Iterator[None]:
    """Let the device work on a stream of its own."""
    own = torch.cuda.Stream()
    own.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(own):
        yield
    torch.cuda.current_stream().wait_stream(own)


def asked(drawn, rng) -> tuple[str, Callable[[], Any]]:
    """Return how a user makes the call."""
    call, mood = getattr(ops, drawn.name), rng.random()
    floats = all(x.dtype in arguments.DTYPES for x in drawn.given if isinstance(x, torch.Tensor))
    device = drawn.given[0].device.type
    if "out" in drawn.options:
        return "plain", repeated(drawn, call, nullcontext, 1)
    if mood < 0.05 and floats and "return_lse" not in drawn.options:
        return "gradient", lambda: recorded(drawn, call)
    if mood < 0.20:
        return "inference", repeated(drawn, call, torch.inference_mode, AGAIN)
    if mood < 0.25 and floats:
        return "switched-off", repeated(drawn, call, torch.no_grad, AGAIN, torch.nn.Parameter)
    if mood < 0.30:
        return "of-a-class", repeated(drawn, call, torch.no_grad, AGAIN, lambda x: x.as_subclass(Labelled))
    if mood < 0.35:
        return "autocast", repeated(drawn, call, lambda: torch.autocast(device, torch.bfloat16), AGAIN)
    if mood < 0.40:
        return "determined", repeated(drawn, call, determined, AGAIN)
    if mood < 0.45:
        return "promised", lambda: promised(drawn, call)
    if mood < 0.50 and device == "cuda":
        return "aside", repeated(drawn, call, aside, AGAIN)
    if 0.50 <= mood < 0.52 and floats and "return_lse" not in drawn.options:
        return "transformed", lambda: transformed(drawn, call)
    return "plain", repeated(drawn, call, nullcontext, AGAIN)


def recorded(drawn: Any, call: Callable[..., Any]) -> Any:
    """Return the result of a call that is recorded, whose backward pass must go through, too."""
    wanting = drawn.given[0].detach().requires_grad_()
    made = call(wanting, *drawn.given[1:], **drawn.options)
    made.sum().backward()
    return made.detach()


def transformed(drawn: Any, call: Callable[..., Any]) -> Any:
    """Return the result of a call whose first operand a function like `torch.func.grad` wraps, and compute a gradient."""
    made, back = torch.func.vjp(lambda x: call(x, *drawn.given[1:], **drawn.options), drawn.given[0])
    back(torch.ones_like(made))
    return made.detach()


def repeated(
    drawn: Any,
    call: Callable[..., Any],
    context: Callable[[], AbstractContextManager[Any]],
    again: int,
    wrap: Callable[[torch.Tensor], torch.Tensor] = lambda x: x,
) -> Callable[[], Any]:
    """Return what calls several times in a context: known again, calls are launched in other ways; `out` is written once."""
    again = 0 if "out" in drawn.options else again

    def run() -> Any:
        with context():
            given = [wrap(x) if isinstance(x, torch.Tensor) else x for x in drawn.given]
            for _ in range(again):
                call(*given, **drawn.options)
            return plain(call(*given, **drawn.options))

    return run


def plain(made: Any) -> Any:
    """Return results as tensors of PyTorch's class."""
    if isinstance(made, tuple):
        return tuple(map(plain, made))
    return made.as_subclass(torch.Tensor) if type(made) is not torch.Tensor else made


def promised(drawn: Any, call: Callable[..., Any]) -> Any:
    """Return the result, whose form must be what a compiler was told of it. Raises AssertionError."""
    from torch._subclasses import FakeTensorMode

    made = call(*drawn.given, **drawn.options)
    with FakeTensorMode() as mode:
        faked = [mode.from_tensor(x) if isinstance(x, torch.Tensor) else x for x in drawn.given]
        named = {name: mode.from_tensor(x) if isinstance(x, torch.Tensor) else x for name, x in drawn.options.items()}
        said = call(*faked, **named)
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (made, said)), strict=True):
        if form(one) != form(other):
            raise AssertionError(f"promised {form(other)}, made {form(one)}")
    return made


def form(x: torch.Tensor) -> tuple[object, ...]:
    """Return type, shape, and the strides that matter."""
    steps = tuple(step for step, size in zip(x.stride(), x.shape, strict=True) if size > 1) if x.numel() else ()
    return x.dtype, tuple(x.shape), steps
