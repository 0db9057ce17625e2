"""Calls like one before, told by one look of PyTorch's at all operands: type, state of its dispatcher, sizes and strides.

PyTorch's compiler guards its code by a check in C++: of each tensor's type, dispatch keys with those that autocast, transforms,
tracers and modes add, element type, device, sizes and strides. It takes 0.2 µs where asking for each takes 3. What it leaves out
is asked for here: tangents, whether gradients are recorded, and where memory begins.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from hotloop.dispatch import arguments
from hotloop.dispatch.arguments import torch

if TYPE_CHECKING:
    from hotloop.dispatch.remembered import Answer

MOST_FORMS = 4
"""Most forms that are kept of calls whose operands have the same shapes."""
_FORWARD = torch.autograd.forward_ad
_GUARDS: Callable[..., Any] | None = getattr(getattr(torch._C._dynamo, "guards", None), "TensorGuards", None)  # noqa: SLF001
"""None with a PyTorch that guards in another way."""


class Known:
    """A form of call, and its answer."""

    __slots__ = ("_begins", "_check", "_pick", "_places", "_recordable", "_same", "answer")

    def __init__(self, call: tuple[Any, ...], count: int, answer: Answer, guards: Callable[..., Any]) -> None:
        self.answer = answer
        first = {id(call[i]): i for i in reversed(range(count)) if call[i] is not None}
        self._places = tuple(sorted(first.values()))
        given = [i for i in range(count) if call[i] is not None]
        self._same = tuple((i, first[id(call[i])]) for i in given if first[id(call[i])] != i)
        """PyTorch's guard is for operands of which none is another one."""
        self._pick = itemgetter(*self._places) if len(self._places) > 1 else lambda call: (call[0],)
        operands = self._pick(call)
        self._check = guards(*operands, dynamic_dims_sizes=None, dynamic_dims_strides=None).check
        self._begins = tuple((i, call[i].data_ptr() % arguments.ALIGNED_BYTES) for i in self._places)
        self._recordable = any(x.requires_grad for x in operands)

    def fits(self, call: tuple[Any, ...]) -> bool:
        """Tell whether a call whose shapes and other arguments are the same is of this form, and nobody records or watches it."""
        if not self._check(*self._pick(call)):
            return False
        if self._same:
            for i, other in self._same:
                if call[i] is not call[other]:
                    return False
        for i, begin in self._begins:
            if call[i].data_ptr() % 16 != begin:  # ALIGNED_BYTES
                return False
        return not (self._recordable and torch.is_grad_enabled())


class Never:
    """Stands for a form that cannot be guarded, so that nobody tries again."""

    __slots__ = ()
    answer: None = None

    def fits(self, call: tuple[Any, ...]) -> bool:
        """Tell that no call is of this form."""
        del call
        return False


def known(call: tuple[Any, ...], count: int, answer: Answer) -> Known | Never:
    """Return the form of a call that was answered, and that nobody records or watches."""
    if _GUARDS is None or call[0] is None:
        return Never()
    try:
        made = Known(call, count, answer, _GUARDS)
        return made if made.fits(call) else Never()
    except (TypeError, RuntimeError):
        return Never()


def forward() -> bool:
    """Tell whether tangents may be attached to tensors, which no guard sees."""
    try:
        return bool(_FORWARD._current_level >= 0)  # noqa: SLF001 - tangents, which no flag of a tensor tells
    except AttributeError:
        return True
