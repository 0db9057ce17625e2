"""Every call that passes PyTorch's dispatcher, with its time: shapes and strides, no elements."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from hotloop.dispatch import observed
from hotloop.dispatch.observed import TRANSPARENT, Given, Operand, Seen

Span = Callable[[], float]
"""Returns how many ns a call took; asked once all calls are done."""


@dataclass(slots=True)
class Call:
    """One call as it was met."""

    seen: Seen
    span: Span
    result: tuple[int, int] | None
    """Address and number of elements of its result: they tell whether a later activation is one of this result."""


class Watch(TorchDispatchMode):  # type: ignore[misc] # PyTorch is untyped here
    """Notes what is called while it is entered."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[Call] = []
        self.device = "cpu"
        self.choose: Callable[[str, tuple[Any, ...]], None] | None = None
        """Is told name and arguments of each call that a family knows."""

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401 - one of PyTorch's functions
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - PyTorch's signature
        given = arguments(func, args, kwargs or {})
        name = func.name().partition(".")[0]
        if self.choose is not None and name in observed.readers():
            self.choose(name, given)
        tensors = [x for x in given if isinstance(x, torch.Tensor)]
        seen = Seen(name, tuple(map(plain, given)))
        stop = self._started(tensors)
        made = func(*args, **(kwargs or {}))
        span = stop()
        self._note(seen, span, tensors, made)
        return made

    def calls(self) -> list[tuple[Seen, float | None]]:
        """Return all calls with their times in ns; waits for the GPU."""
        if self.device != "cpu":
            torch.cuda.synchronize()
        return [(call.seen, call.span()) for call in self.met]

    def _started(self, tensors: Sequence[torch.Tensor]) -> Callable[[], Span]:
        """Begin to time a call; what is returned ends it."""
        if any(x.is_cuda for x in tensors):
            self.device = torch.cuda.get_device_name(next(x for x in tensors if x.is_cuda).device)
            first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            first.record()
            return lambda: (last.record(), lambda: 1e6 * first.elapsed_time(last))[1]
        began = time.perf_counter_ns()

        def stop() -> Span:
            took = float(time.perf_counter_ns() - began)
            return lambda: took

        return stop

    def _note(self, seen: Seen, span: Span, tensors: Sequence[torch.Tensor], made: object) -> None:
        """Add a call; an activation of the product before belongs to that product."""
        function = observed.activation(seen)
        before = next((call for call in reversed(self.met) if call.seen.name not in TRANSPARENT), None)
        if function and before and tensors and before.result == _place(tensors[0]) and not before.seen.after:
            first = before.span
            before.seen, before.span = replace(before.seen, after=function), lambda: first() + span()
            return
        reader = observed.readers().get(seen.name)
        fuses = reader is not None and reader.made is not None and isinstance(made, torch.Tensor)
        self.met.append(Call(seen, span, _place(made) if fuses else None))


def _place(x: Any) -> tuple[int, int] | None:  # noqa: ANN401
    """Return where a tensor lies; None for one without memory of its own."""
    try:
        return x.data_ptr(), x.numel()
    except RuntimeError:
        return None


def arguments(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:  # noqa: ANN401
    """Return a call's arguments in the order of the operator's schema, with its defaults."""
    declared = func._schema.arguments[len(args) :]  # noqa: SLF001 - PyTorch has no public name for it
    return *args, *(
        kwargs.get(argument.name, argument.default_value if argument.has_default_value() else None)
        for argument in declared
    )


def plain(value: Any) -> Given:  # noqa: ANN401
    """Return an argument without its elements."""
    if isinstance(value, torch.Tensor):
        if value.layout is not torch.strided:
            return None
        return Operand(tuple(value.shape), tuple(value.stride()), str(value.dtype).removeprefix("torch."))
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, list | tuple) and all(type(item) is int for item in value):
        return tuple(value)
    return None
