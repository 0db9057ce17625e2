"""A call like one before it, without deriving anything: memory for the result, addresses of the operands, the launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hotloop.dispatch import arguments
from hotloop.dispatch.arguments import torch


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
        return _single(straight, inputs, name, made)
    return _several(straight, inputs, tuple(outputs.items()), results, single=isinstance(made, torch.Tensor))


def _single(
    straight: Callable[[dict[str, int]], bool], inputs: tuple[tuple[str, int], ...], name: str, like: torch.Tensor
) -> Callable[[Any], Any]:
    size, stride = tuple(like.shape), like.stride()

    def swift(call: Any) -> Any:  # noqa: ANN401
        made = call[0].new_empty_strided(size, stride)
        addresses = {name: made.data_ptr()}
        for array, index in inputs:
            addresses[array] = call[index].data_ptr()
        return made if straight(addresses) else None

    return swift


def _several(
    straight: Callable[[dict[str, int]], bool],
    inputs: tuple[tuple[str, int], ...],
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
