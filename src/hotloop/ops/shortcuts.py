"""Calls of PyTorch's functions like one before, told from PyTorch's own arguments: nothing is routed, viewed or described again.

Where PyTorch's function was chosen, it gets the arguments as they came. Where a kernel was, it is launched by their addresses, and
its result is made in the shape that PyTorch's has. All forms are forgotten with the answers that they were learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import torch

from hotloop.dispatch import arguments, guarded, remembered, straight
from hotloop.dispatch.guarded import Known
from hotloop.dispatch.routing import Routed
from hotloop.dispatch.select import PEER
from hotloop.dispatch.swift import Swift
from hotloop.ops import functions


class Shortcut:
    """A form of call of one of PyTorch's functions."""

    __slots__ = ("answer", "fits", "run", "whole", "why")

    def __init__(
        self, known: Known, launch: Swift | None, own: Callable[..., Any], *, spread: bool, why: str = ""
    ) -> None:
        """Keep a form.

        Args:
            known: tells it.
            launch: computes it by a kernel; None where PyTorch does.
            own: computes it in PyTorch.
            spread: whether `own` takes the arguments one by one.
            why: why PyTorch does, where hotloop did not choose.
        """
        self.answer, self.fits, self.why = known.answer, known.fits, why
        self.run = launch.compiled() if launch is not None else None
        self.whole = known.completed(own, spread=spread) if self.run is None else known.completed(self.run)


def which(weight: int | None, args: tuple[Any, ...], named: dict[str, Any] | None) -> object:
    """Return what tells in no time which form a call may be of: its weight, else that it is the last one's."""
    if named:
        return tuple(named)
    return 0 if weight is None or len(args) <= weight else id(args[weight])


def key(function: Hashable, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return what is cheap to ask of a call; it may have no hash. Raises RuntimeError for a nested tensor."""
    if named:
        return (function, *named, *[getattr(x, "shape", x) for x in (*args, *named.values())])
    return (function, *[getattr(x, "shape", x) for x in args])


def find(cheap: tuple[Any, ...], given: tuple[Any, ...]) -> Shortcut | None:
    """Return the form of a call like one before, if it is kept.

    Args:
        cheap: its key.
        given: its arguments, those by name last.
    """
    try:
        for form in remembered.FORMS.get(cheap, ()):
            if form.fits(given) and isinstance(form, Shortcut):
                return form
    except TypeError:  # an argument without a hash, or of another type than before
        pass
    return None


def learn(
    cheap: tuple[Any, ...],
    given: tuple[Any, ...],
    routed: Routed,
    own: Callable[..., Any],
    again: Callable[[tuple[Any, ...]], Any],
    *,
    spread: bool,
) -> None:
    """Keep the form of a call that was just routed and answered, if a look at its tensors is enough to know it again.

    A view that had to be copied to be an operand is copied first, and the call is one of the copies: PyTorch copies it, too. Judged
    anew each time, such a call would take tens of microseconds more.

    Args:
        cheap: its key.
        given: its arguments, those by name last.
        routed: the call of hotloop's.
        own: computes it in PyTorch.
        again: computes a call of copies, or returns None.
        spread: whether `own` takes the arguments one by one.
    """
    places = [i for i, x in enumerate(given) if isinstance(x, torch.Tensor)]
    if not _learnable(cheap, given, places):
        return
    form = _known(given, places, routed, own, spread=spread) or _copied(given, places, routed, again)
    if form is not None:
        remembered.learn(cheap, form)


def _known(
    given: tuple[Any, ...], places: list[int], routed: Routed, own: Callable[..., Any], *, spread: bool
) -> remembered.Form | None:
    """Return the form of a call whose operands lie where its arguments do; None where an answer is not sure, or there are copies."""
    family = functions.explained().get(routed.name)
    if family is None:
        return None
    operator, call = family.call(routed.name, routed.operands, routed.options)
    answer = remembered.known(operator.key(call))
    if answer is None or answer.choice.unsure:
        return None
    own_function = answer.choice.implementation == PEER
    launch = None if own_function else _moved(answer.straight, call, given, places, routed.shape)
    copied = operator.evens and any(arguments.uneven(given[i]) for i in places)
    if copied if own_function else launch is None:
        return None
    recognizer = guarded.known(given, places, answer, flagged=operator.flagged)
    return Shortcut(recognizer, launch, own, spread=spread) if isinstance(recognizer, Known) else recognizer


def _copied(
    given: tuple[Any, ...], places: list[int], routed: Routed, again: Callable[[tuple[Any, ...]], Any]
) -> remembered.Form | None:
    """Return the form of a call of which some arguments are views without an operand in their memory; None where there are none."""
    begins = {x.data_ptr() for x in (*routed.operands, *routed.options.values()) if isinstance(x, torch.Tensor)}
    apart = [i for i in places if not given[i].is_contiguous() and given[i].data_ptr() not in begins]

    def copied(call: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a tensor, or several
        return again(tuple([x.contiguous() if i in apart else x for i, x in enumerate(call)]))

    recognizer = guarded.known(given, places, None, flagged=False) if apart else None
    return Shortcut(recognizer, None, copied, spread=False) if isinstance(recognizer, Known) else None


def refuse(cheap: tuple[Any, ...], given: tuple[Any, ...], why: str, own: Callable[..., Any], *, spread: bool) -> None:
    """Keep the form of a call that was just left to PyTorch, so that it is not asked again why."""
    places = [i for i, x in enumerate(given) if isinstance(x, torch.Tensor)]
    if _learnable(cheap, given, places):
        recognizer = guarded.known(given, places, None, flagged=False)
        remembered.learn(
            cheap,
            Shortcut(recognizer, None, own, spread=spread, why=why) if isinstance(recognizer, Known) else recognizer,
        )


def _learnable(cheap: tuple[Any, ...], given: tuple[Any, ...], places: list[int]) -> bool:
    tensors = tuple(given[i] for i in places)
    try:
        full = len(remembered.FORMS.get(cheap, ())) >= guarded.MOST_FORMS
    except TypeError:  # an argument without a hash
        return False
    return not full and straight.ASKED and arguments.unwatched(tensors, len(tensors))


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
