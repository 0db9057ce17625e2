"""PyTorch's functions computed by hotloop where it can, inside a context: the model's code stays as it is.

What hotloop has no kernel for goes to PyTorch unchanged, and `Used.said` tells why. Under `torch.compile` the context leaves
nothing behind but the operators.
"""

from __future__ import annotations

from collections import Counter
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from hotloop.dispatch import remembered, routing
from hotloop.dispatch.arguments import NO_GRADIENT
from hotloop.dispatch.routing import RefusedError, Route, Routed
from hotloop.errors import UsageError
from hotloop.ops import classes, functions, patched, shortcuts

KINDS = ["cuda"]
"""Devices whose tensors are taken: elsewhere every call would be PyTorch's in the end."""
TRANSFORMED = "torch.func transforms the call, and the kernels have no rules for that"
AUTOCAST = "autocast would convert its operands on every call: convert the model once, model.to(torch.bfloat16), or run under float32"
_compiling = torch.compiler.is_compiling
_transformed = torch._C._functorch.peek_interpreter_stack  # noqa: SLF001 - PyTorch has no public name for it


class Used(TorchFunctionMode):  # type: ignore[misc] # PyTorch is untyped here
    """Computes with hotloop what it can; `said` counts what was done with each function, and why."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Counter[tuple[str, str]] = Counter()
        """How often a function (by name) was replaced (empty text), or why it was not."""
        self.anew: Counter[str] = Counter()
        """How often a function's call was not known again from an earlier one: decided and prepared anew, which takes the host longer."""
        self._routes = {
            func: (mine, route)
            for mine, route in routing.functions().items()
            for func in (mine, patched.wrappers()[mine])
        }
        """Routes by function; a PyTorch function that is written in Python looks itself up by name and finds its replacement."""
        self._soon = {
            func: (remembered.HINTS.setdefault(mine, {}), route.weight) for func, (mine, route) in self._routes.items()
        }
        """Looked up first: the forms of each function's last calls, and the argument that tells them apart."""
        self._mine = {func: (func, route) for func, route in routing.functions().items()}
        self._numbered = [(_traceable(func), route) for func, route in routing.functions().items()]
        self._ours = functions.public()

    def __torch_function__(
        self,
        func: Any,  # noqa: ANN401 - one of PyTorch's functions
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - PyTorch's signature
        if _compiling():  # what stands in a function's place comes to `traced` by itself
            taken = self._mine.get(func)
            return func(*args, **(kwargs or {})) if taken is None else self._routed(*taken, args, kwargs or {}, ())
        soon = self._soon.get(func)
        if soon is None:
            return func(*args, **(kwargs or {}))
        hints, weight = soon
        given = (*args, *kwargs.values()) if kwargs else args
        hint = hints.get(shortcuts.which(weight, args, kwargs))
        if hint is not None:
            made = hint[0](given)
            if made is not None:
                self.said[hint[1]] += 1
                return made
        return self.decided(func, args, kwargs or {})

    def traced(self, number: int, args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401 - PyTorch's
        """Return what PyTorch's compiler traces for a call of the function of a number in `routing.functions`."""
        func, route = self._numbered[number]
        return self._routed(func, route, args, named, ())

    def decided(self, func: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return the result of a call of one of PyTorch's functions that hotloop may take, by whatever computes it.

        It is for callers in whose context PyTorch's functions are PyTorch's, and who have looked at the forms of the last calls.
        """
        func, route = self._routes[func]
        if why := passing((*args, *named.values())):
            self.said[func.__name__, why] += 1
            return func(*args, **named)
        given = (*args, *named.values()) if named else args
        cheap = shortcuts.key(func, args, named)
        form = shortcuts.find(cheap, given)
        made = None if form is None else form.whole(given)
        if form is None or made is None:
            return self._routed(func, route, args, named, cheap)
        reason = func.__name__, form.why
        remembered.HINTS.setdefault(func, {})[shortcuts.which(route.weight, args, named)] = form.whole, reason
        self.said[reason] += 1
        return made

    def _routed(
        self,
        func: Any,  # noqa: ANN401 - one of PyTorch's functions
        route: Route,
        args: tuple[Any, ...],
        named: dict[str, Any],
        cheap: tuple[Any, ...],
    ) -> Any:  # noqa: ANN401
        """Return the result of a call that was not met before, and remember under `cheap` what it needs; nothing where that is empty."""
        refused, routed = refusal(route, args, named), None
        if not refused:
            try:
                routed = route.call(*args, **named)
            except RefusedError as error:
                refused = error.args[0]  # PyTorch's compiler does not follow `str` of it before 2.12
        if cheap:
            self.said[func.__name__, refused] += 1
            self.anew[func.__name__] += 1
        if routed is None:
            made = func(*args, **named)
        else:
            try:
                made = computed(self._ours, routed)
            except UsageError:
                return func(*args, **named)  # which says in PyTorch's words and type what is wrong
        if cheap:
            given, own = (*args, *named.values()), _by_name(func, len(args), tuple(named))
            if routed is None:
                shortcuts.refuse(cheap, given, refused, own, spread=not named)
            else:
                again = self._again(func, route, len(args), tuple(named))
                shortcuts.learn(cheap, given, routed, own, again, spread=not named)
        return made

    def _again(self, func: Any, route: Route, count: int, names: tuple[str, ...]) -> Any:  # noqa: ANN401
        """Return what computes a call of a function by the form that is kept for it, or routes it the first time."""

        def again(given: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a tensor, or several
            args, named = given[:count], dict(zip(names, given[count:], strict=True))
            cheap = shortcuts.key(func, args, named)
            form = shortcuts.find(cheap, given)
            made = None if form is None else form.whole(given)
            return self._routed(func, route, args, named, cheap) if made is None else made

        return again


def _traceable(func: Any) -> Any:  # noqa: ANN401 - one of PyTorch's functions
    """Return the function that does what a tensor's method does: a method in hand PyTorch's compiler neither finds again nor calls."""
    method = isinstance(func, MethodDescriptorType | WrapperDescriptorType)
    return getattr(torch, func.__name__.strip("_"), func) if method else func


def _by_name(func: Any, count: int, names: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return a function of PyTorch's for arguments as one tuple of which all behind `count` have names; itself without names."""
    return (lambda given: func(*given[:count], **dict(zip(names, given[count:], strict=True)))) if names else func


def passing(given: tuple[Any, ...]) -> str:
    """Return why calls stay with PyTorch at the moment, whatever their form; empty otherwise. It is called often, and cheap."""
    if torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in given):
        return NO_GRADIENT
    if _transformed() is not None:
        return TRANSFORMED
    return ""


def computed(ours: Any, routed: Routed) -> Any:  # noqa: ANN401 - functions by name; a tensor
    """Return what one of our functions makes of a routed call, in the shape of PyTorch's result."""
    made = ours[routed.name](*routed.operands, **routed.options)
    return made if routed.shape is None else made.view(routed.shape)


def refusal(route: Route, args: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Return a reason to leave a call to PyTorch that needs no look at each argument; empty where there is none."""
    tensors = [x for x in (*args, *named.values()) if isinstance(x, torch.Tensor)]
    if not isinstance(args[0] if args else next(iter(named.values()), None), torch.Tensor):
        return "its first argument is no tensor"
    if classes.deciding(tensors):
        return classes.REASON
    kind = tensors[0].device.type
    if kind not in KINDS:
        return f"the tensors are on {kind}"
    if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
        return NO_GRADIENT
    alike = tensors[0].dtype, torch.bool  # a mask is the route's to judge
    if any(x.dtype not in alike or x.device != tensors[0].device for x in tensors):
        return "its tensors differ in type or device"
    if any(name not in route.accepted for name in named):
        return "it has an argument that the kernels have not"
    return _casts(route, kind, tensors[0].dtype)


def _casts(route: Route, kind: str, dtype: torch.dtype) -> str:
    """Return why a call stays PyTorch's under autocast: its operands would be converted first."""
    if not torch.is_autocast_enabled(kind):
        return ""
    wanted = torch.float32 if route.widens else torch.get_autocast_dtype(kind)
    return "" if dtype == wanted else AUTOCAST
