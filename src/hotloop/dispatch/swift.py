"""A call like one before it, without deriving anything: memory for the result, addresses of the operands, the launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Self

from hotloop.dispatch import arguments
from hotloop.dispatch.arguments import torch

Straight = Callable[[dict[str, int]], bool]
"""Launches by the addresses of arrays by name; False where it cannot."""
Inputs = tuple[tuple[str, int], ...]
"""Names of arrays, and the argument in whose memory each begins."""


class Swift:
    """Makes the result of calls of one form: a tensor of the type and on the device of the first argument."""

    __slots__ = ("_inputs", "_like", "_name", "_size", "_straight", "_stride")

    def __init__(
        self, launch: Straight, inputs: Inputs, name: str, size: tuple[int, ...], stride: tuple[int, ...]
    ) -> None:
        self._straight, self._inputs, self._name = launch, inputs, name
        self._size, self._stride, self._like = size, stride, 0

    def __call__(self, call: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a tensor
        """Return the result, or None where it cannot be made in this way."""
        made = call[self._like].new_empty_strided(self._size, self._stride)
        addresses = {self._name: made.data_ptr()}
        for array, index in self._inputs:
            addresses[array] = call[index].data_ptr()
        return made if self._straight(addresses) else None

    @property
    def indices(self) -> set[int]:
        """The arguments that it looks at."""
        return {0, *(index for _, index in self._inputs)}

    def moved(self, places: Mapping[int, int], shape: tuple[int, ...] | None) -> Self | None:
        """Return the same for arguments at other places, and a result of another shape if it has no gaps."""
        size, stride = self._size, self._stride
        if shape is not None:
            if prod(shape) != prod(size) or stride != _dense(size):
                return None
            size, stride = tuple(shape), _dense(tuple(shape))
        inputs = tuple((name, places[index]) for name, index in self._inputs)
        made = type(self)(self._straight, inputs, self._name, size, stride)
        made._like = places[0]  # noqa: SLF001 - its own kind
        return made


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor without gaps."""
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))


def straightened(
    launches: Any,  # noqa: ANN401 - what `launch.prepared` returns, or a test's
    made: object,
    lying: Mapping[str, str],
    arrays: Mapping[str, torch.Tensor],
    call: Any,  # noqa: ANN401 - an operator's named tuple
) -> Callable[[Any], Any] | None:
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
    outputs = {name: place.get(x.data_ptr(), -1) for name, x in arrays.items() if name not in lying}
    if -1 in outputs.values() or len(place) < len(results):
        return None
    if any(arrays[name].data_ptr() != getattr(call, field).data_ptr() for name, field in lying.items()):
        return None
    if any(x.data_ptr() % arguments.ALIGNED_BYTES for x in results):
        return None
    inputs = tuple((name, call._fields.index(field)) for name, field in lying.items())
    if isinstance(made, torch.Tensor) and made.dtype == call[0].dtype:
        (name,) = outputs
        return Swift(straight, inputs, name, tuple(made.shape), made.stride())
    return _several(straight, inputs, tuple(outputs.items()), results, single=isinstance(made, torch.Tensor))


def _several(
    straight: Straight,
    inputs: Inputs,
    outputs: tuple[tuple[str, int], ...],
    like: tuple[torch.Tensor, ...],
    *,
    single: bool,
) -> Callable[[Any], Any]:
    forms = [(tuple(x.shape), x.stride(), x.dtype, x.device) for x in like]

    def swift(call: Any) -> Any:  # noqa: ANN401
        made = tuple(
            torch.empty_strided(size, stride, dtype=dtype, device=device) for size, stride, dtype, device in forms
        )
        addresses = {name: made[number].data_ptr() for name, number in outputs}
        for array, index in inputs:
            addresses[array] = call[index].data_ptr()
        return (made[0] if single else made) if straight(addresses) else None

    return swift
