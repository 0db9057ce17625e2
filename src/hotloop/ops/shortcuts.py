"""Calls of PyTorch's functions like one before, told from PyTorch's own arguments: nothing is routed, viewed or described again.

Where PyTorch's function was chosen, it gets the arguments as they came. Where a kernel was, it is launched by their addresses, and
its result is made in the shape that PyTorch's has. All forms are forgotten with the answers that they were learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import torch

from hotloop.dispatch import arguments, guarded, remembered, straight
from hotloop.dispatch.guarded import Known, Never
from hotloop.dispatch.routing import Routed
from hotloop.dispatch.select import PEER
from hotloop.dispatch.swift import Swift
from hotloop.ops import functions

MISSED = object()
"""What `again` returns for a call that is not known."""


class Shortcut:
    """A form of call of one of PyTorch's functions."""

    __slots__ = ("answer", "fits", "run")

    def __init__(self, known: Known | Never, launch: Swift | None) -> None:
        self.answer, self.fits, self.run = known.answer, known.fits, launch and launch.compiled()


def key(function: Hashable, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return what is cheap to ask of a call; it may have no hash. Raises RuntimeError for a nested tensor."""
    if named:
        return (function, *named, *[getattr(x, "shape", x) for x in (*args, *named.values())])
    return (function, *[getattr(x, "shape", x) for x in args])


def again(cheap: tuple[Any, ...], given: tuple[Any, ...], own: Callable[[], Any]) -> Any:  # noqa: ANN401 - a tensor, or MISSED
    """Return the result of a call like one before, else MISSED.

    Args:
        cheap: its key.
        given: its arguments, those by name last.
        own: computes it in PyTorch.
    """
    try:
        forms = remembered.FORMS.get(cheap)
        if not forms:
            return MISSED
        for form in forms:
            if form.fits(given) and isinstance(form, Shortcut):
                break
        else:
            return MISSED
    except TypeError:  # an argument without a hash, or of another type than before
        return MISSED
    if form.run is None:
        return own()
    try:
        made = form.run(given)
    except Exception:  # noqa: BLE001 - the same on the long way tells what is wrong, or does without the kernel
        return MISSED
    return MISSED if made is None else made


def learn(cheap: tuple[Any, ...], given: tuple[Any, ...], routed: Routed) -> None:
    """Keep the form of a call that was just routed and answered, if a look at its tensors is enough to know it again."""
    places = [i for i, x in enumerate(given) if isinstance(x, torch.Tensor)]
    tensors = tuple(given[i] for i in places)
    family = functions.explained().get(routed.name)
    if family is None or not straight.ASKED or not arguments.unwatched(tensors, len(tensors)):
        return
    if any(map(arguments.uneven, tensors)) or len(remembered.FORMS.get(cheap, ())) >= guarded.MOST_FORMS:
        return
    operator, call = family.call(routed.name, routed.operands, routed.options)
    answer = remembered.known(operator.key(call))
    if answer is None:
        return
    launch = None
    if answer.choice.implementation != PEER:
        launch = _moved(answer.straight, call, given, places, routed.shape)
        if launch is None:
            return
    remembered.learn(cheap, Shortcut(guarded.known(given, places, answer, flagged=operator.flagged), launch))


def _moved(
    swift: object, call: tuple[Any, ...], given: tuple[Any, ...], places: list[int], shape: tuple[int, ...] | None
) -> Swift | None:
    """Return what launches by PyTorch's arguments; None where an operand is not the memory of one of them alone."""
    if not isinstance(swift, Swift):
        return None
    begins = {given[i].data_ptr(): i for i in places}
    if len(begins) < len({id(given[i]) for i in places}):
        return None
    operands = {index: begins.get(call[index].data_ptr()) for index in swift.indices}
    moved = {index: place for index, place in operands.items() if place is not None}
    if len(moved) < len(operands):
        return None
    return swift.moved(moved, shape)
