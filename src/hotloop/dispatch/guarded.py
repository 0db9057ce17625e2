"""Calls like one before, told by one look of PyTorch's at all operands: type, state of its dispatcher, sizes and strides.

PyTorch's compiler guards its code by a check in C++: of each tensor's type, dispatch keys with those that autocast, transforms,
tracers and modes add, element type, device, sizes and strides. It takes 0.2 µs where asking for each takes 3. What it leaves out
is asked for here: tangents, whether gradients are recorded, and where memory begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hotloop.dispatch import arguments, native
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.swift import Swift

if TYPE_CHECKING:
    from hotloop.dispatch.remembered import Answer

MOST_FORMS = 4
"""Most forms that are kept of calls whose operands have the same shapes."""
_FORWARD = torch.autograd.forward_ad
"""Knows whether tangents may be attached to tensors, which no flag of a tensor tells."""
_GUARDS: Callable[..., Any] | None = getattr(getattr(torch._C._dynamo, "guards", None), "TensorGuards", None)  # noqa: SLF001
"""None with a PyTorch that guards in another way."""


class Known:
    """A form of call, and its answer."""

    __slots__ = ("_asked", "_in_c", "_whole", "answer", "fits", "run", "whole")

    def __init__(
        self,
        call: tuple[Any, ...],
        places: Sequence[int],
        answer: Answer | None,
        guards: Callable[..., Any],
        *,
        flagged: bool,
    ) -> None:
        self.answer = answer
        straight = answer.straight if answer is not None else None
        self.run = straight.compiled() if isinstance(straight, Swift) else straight
        """Makes the result of a call of this form, or returns None; None where it is not known how."""
        given = [i for i in places if call[i] is not None]
        first = {id(call[i]): i for i in reversed(given)}
        operands = sorted(first.values())
        same = [(i, first[id(call[i])]) for i in given if first[id(call[i])] != i]
        """PyTorch's guard is for operands of which none is another one."""
        check = guards(*[call[i] for i in operands], dynamic_dims_sizes=None, dynamic_dims_strides=None).check
        begins = {i: call[i].data_ptr() % arguments.ALIGNED_BYTES for i in operands}
        tests = ["not recording()"] * any(call[i].requires_grad for i in operands)
        tests += [f"fast32() is {arguments.fast32()}"] * (flagged and call[operands[0]].dtype is torch.float32)
        self.fits = _compiled(check, same, begins, tests, {})
        """Tells whether a call whose shapes and other arguments are the same is of this form, and nobody records or watches it."""
        asked = [(torch.is_grad_enabled, False)] * any(call[i].requires_grad for i in operands)
        asked += [(arguments.fast32, arguments.fast32())] * (flagged and call[operands[0]].dtype is torch.float32)
        rest = tuple((i, x) for i, x in enumerate(call) if i not in given)
        self._whole = partial(_compiled, check, same, begins, tests, dict(rest), len(call))
        self._in_c = call[operands[0]].is_cuda
        self._asked = (
            len(call),
            check,
            tuple(begins.items()),
            tuple(same),
            rest,
            tuple(asked),
            _FORWARD,
            "_current_level",
        )
        self.whole = None if self.run is None else self.completed(self.run)
        """Asks all of a call, its shapes and other arguments, too, and makes its result; returns None for another call."""

    def completed(self, run: native.Ready, *, spread: bool = False) -> native.Ready:
        """Return what asks all of a call and computes it by `run`, or returns None; in C where that can be.

        `run` takes the arguments as one tuple, and what it raises is not passed on, because the long way says it; with `spread`
        it takes them one by one, and raises what it likes.
        """
        compiled = native.known((*self._asked, run, int(spread))) if self._in_c else None
        return compiled or self._in_python(run, spread=spread)

    def _in_python(self, run: Callable[..., Any], *, spread: bool) -> native.Ready:
        fits = self._whole()

        def asked(given: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a tensor, or several
            try:
                return run(given) if fits(given) else None
            except Exception:  # noqa: BLE001 - the same on the long way tells what is wrong
                return None

        def asked_of_each(given: tuple[Any, ...]) -> Any:  # noqa: ANN401
            try:
                if not fits(given):
                    return None
            except Exception:  # noqa: BLE001
                return None
            return run(*given)

        return asked_of_each if spread else asked


def _alike(value: object, given: object) -> bool:
    return value is given or (type(value) is type(given) and bool(value == given))


def _compiled(
    check: Callable[..., bool],
    same: Sequence[tuple[int, int]],
    begins: Mapping[int, int],
    more: Sequence[str],
    rest: Mapping[int, object],
    length: int = 0,
) -> Callable[[tuple[Any, ...]], bool]:
    """Return one expression for all that is asked: loops over places would take as long as the guard itself.

    `rest` are the values of other arguments, nearly always the same objects as before; with a `length` that is asked first.
    """
    tests = [f"len(call) == {length}"] * bool(length)
    tests += [f"(call[{i}] is rest{i} or alike(rest{i}, call[{i}]))" for i in rest]
    tests += [
        f"not call[{i}].is_nested" for i in begins
    ]  # else the guard of PyTorch 2.13 asks strides, which ends the process
    tests += [f"forward._current_level < 0 and check({', '.join(f'call[{i}]' for i in begins)})"]
    tests += [f"call[{i}] is call[{other}]" for i, other in same]
    tests += [f"(p{i} := call[{i}].data_ptr())" for i in begins]  # 0 where memory was freed
    if any(begins.values()):
        tests += [f"p{i} % {arguments.ALIGNED_BYTES} == {begin}" for i, begin in begins.items()]
    else:
        tests.append(f"not ({' | '.join(f'p{i}' for i in begins)}) % {arguments.ALIGNED_BYTES}")
    names = {f"rest{i}": value for i, value in rest.items()} | {
        "alike": _alike,
        "check": check,
        "recording": torch.is_grad_enabled,
        "fast32": arguments.fast32,
        "forward": _FORWARD,
    }
    made: Callable[[tuple[Any, ...]], bool] = eval(f"lambda call: {' and '.join([*tests, *more])}", names)  # noqa: S307 - places only
    return made


class Never:
    """Stands for a form that cannot be guarded, so that nobody tries again."""

    __slots__ = ()
    answer: None = None
    run: None = None
    whole: None = None

    def fits(self, call: tuple[Any, ...]) -> bool:
        """Tell that no call is of this form."""
        del call
        return False


def known(call: tuple[Any, ...], places: Sequence[int], answer: Answer | None, *, flagged: bool) -> Known | Never:
    """Return the form of a call that was answered, or left to PyTorch, and that nobody records or watches; at `places` are tensors or None.

    `flagged` tells that PyTorch's flag for TF32 is part of the answer.
    """
    if _GUARDS is None or not places or call[places[0]] is None:
        return Never()
    try:
        made = Known(call, places, answer, _GUARDS, flagged=flagged)
        return made if made.fits(call) else Never()
    except (TypeError, RuntimeError, AttributeError):
        return Never()
