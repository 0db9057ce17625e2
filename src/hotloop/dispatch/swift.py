"""A call like one before it, without deriving anything: memory for the results, addresses of the operands, the launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from hotloop.dispatch import arguments, native
from hotloop.dispatch.arguments import torch

Straight = Callable[[dict[str, int]], bool]
"""Launches by the addresses of arrays by name; False where it cannot."""
Inputs = tuple[tuple[str, int], ...]
"""Names of arrays, and the argument in whose memory each begins."""
_EMPTY: Callable[..., torch.Tensor] | None = getattr(
    getattr(torch._C._dynamo, "guards", None), "_empty_strided_cuda", None  # noqa: SLF001
)  # fmt: skip
"""Function with which PyTorch's compiled programs allocate memory on the current device: it takes a third of the time of the public functions."""


@dataclass(frozen=True, slots=True)
class Output:
    """A result, and how an empty one is made: a function and its arguments."""

    name: str
    """Array that it is."""
    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    device: torch.device

    @property
    def made(self) -> tuple[Callable[..., torch.Tensor], tuple[object, ...]]:
        """A function that makes it on the device if that is the current one, and its arguments."""
        if self.device.type == "cuda" and _EMPTY is not None:
            return _EMPTY, (self.size, self.stride, self.dtype)
        return partial(torch.empty_strided, dtype=self.dtype, device=self.device), (self.size, self.stride)


class Swift:
    """Makes the results of calls of one form."""

    __slots__ = ("_inputs", "_makers", "_outputs", "_single", "_straight")

    def __init__(self, launch: Straight, inputs: Inputs, outputs: tuple[Output, ...], *, single: bool) -> None:
        self._straight, self._inputs, self._outputs, self._single = launch, inputs, outputs, single
        self._makers = tuple((output.name, *output.made) for output in outputs)

    def __call__(self, call: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a tensor, or several
        """Return the result, or None where it cannot be made in this way."""
        made, addresses = [], {}
        for name, make, given in self._makers:
            result = make(*given)
            addresses[name] = result.data_ptr()
            made.append(result)
        for array, index in self._inputs:
            addresses[array] = call[index].data_ptr()
        if not self._straight(addresses):
            return None
        return made[0] if self._single else tuple(made)

    @property
    def indices(self) -> set[int]:
        """The arguments that it looks at."""
        return {index for _, index in self._inputs}

    def moved(self, places: Mapping[int, int], shape: tuple[int, ...] | None) -> Swift | None:
        """Return the same for arguments at other places, and a result of another shape if it has no gaps."""
        outputs = self._outputs
        if shape is not None:
            (output,) = outputs
            if prod(shape) != prod(output.size) or output.stride != _dense(output.size):
                return None
            outputs = (Output(output.name, tuple(shape), _dense(tuple(shape)), output.dtype, output.device),)
        inputs = tuple((name, places[index]) for name, index in self._inputs)
        return Swift(self._straight, inputs, outputs, single=self._single)

    def compiled(self) -> Callable[[tuple[Any, ...]], Any]:
        """Return the same as one function in C where that can be, else this; after a first call by tensors."""
        form = getattr(getattr(self._straight, "__self__", None), "form", None)
        spec = form(self._outputs, self._inputs, single=self._single) if form is not None else None
        return self if spec is None else native.form(spec) or self


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor without gaps."""
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))


def straightened(
    launches: Any,  # noqa: ANN401 - what `launch.prepared` returns, or a test's
    made: object,
    lying: Mapping[str, str],
    arrays: Mapping[str, torch.Tensor],
    call: Any,  # noqa: ANN401 - an operator's named tuple
) -> Swift | None:
    """Return what makes the results of calls like this one; None where something has to be derived for each.

    Args:
        launches: the program's.
        made: the results of this call: a tensor, or several.
        lying: the argument in whose memory each array begins.
        arrays: this call's arrays by name.
        call: the call.
    """
    straight = getattr(launches, "straight", None)
    results = (made,) if isinstance(made, torch.Tensor) else made
    if straight is None or not lying or not isinstance(results, tuple):
        return None
    place = {x.data_ptr(): number for number, x in enumerate(results)}
    written = {name: place.get(x.data_ptr(), -1) for name, x in arrays.items() if name not in lying}
    if -1 in written.values() or len(place) < len(results) or len(written) != len(results):
        return None
    if any(arrays[name].data_ptr() != getattr(call, field).data_ptr() for name, field in lying.items()):
        return None
    if any(x.data_ptr() % arguments.ALIGNED_BYTES for x in results):
        return None
    inputs = tuple((name, call._fields.index(field)) for name, field in lying.items())
    named = sorted((number, name) for name, number in written.items())
    outputs = tuple(
        Output(name, tuple(x.shape), x.stride(), x.dtype, x.device) for (_, name), x in zip(named, results, strict=True)
    )
    return Swift(straight, inputs, outputs, single=isinstance(made, torch.Tensor))
