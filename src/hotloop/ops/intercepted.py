"""PyTorch's functions computed by hotloop where it can, inside a context: the model's code stays as it is.

What hotloop has no kernel for goes to PyTorch unchanged, and `Used.said` tells why. Under `torch.compile` the context leaves
nothing behind but the operators.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from hotloop.dispatch import routing
from hotloop.dispatch.routing import RefusedError, Route, Routed
from hotloop.ops import functions, shortcuts

KINDS = ["cuda"]
"""Devices whose tensors are taken: elsewhere every call would be PyTorch's in the end."""
GRADIENT = "a gradient is wanted, and the kernels have no backward pass"
AUTOCAST = "autocast would convert its operands on every call: convert the model once, model.to(torch.bfloat16), or run under float32"


class Used(TorchFunctionMode):  # type: ignore[misc] # PyTorch is untyped here
    """Computes with hotloop what it can; `said` counts what was done with each function, and why."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Counter[tuple[str, str]] = Counter()
        """How often a function (by name) was replaced (empty text), or why it was not."""
        self.anew: Counter[str] = Counter()
        """How often a function's call was not known again from an earlier one: decided and prepared anew, which takes the host longer."""
        self._routes = routing.functions()
        self._ours = functions.public()

    def __torch_function__(
        self,
        func: Any,  # noqa: ANN401 - one of PyTorch's functions
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - PyTorch's signature
        route = self._routes.get(func)
        if route is None:
            return func(*args, **(kwargs or {}))
        named = kwargs or {}
        cheap: tuple[Any, ...] = ()
        given = (*args, *named.values()) if named else args
        if not torch.compiler.is_compiling():
            cheap = shortcuts.key(func, args, named)
            made = shortcuts.again(cheap, given, lambda: func(*args, **named))
            if made is not shortcuts.MISSED:
                self.said[func.__name__, ""] += 1
                return made
        refused, routed = refusal(route, args, named), None
        if not refused:
            try:
                routed = route.call(*args, **named)
            except RefusedError as error:
                refused = str(error)
        if not torch.compiler.is_compiling():
            self.said[func.__name__, refused] += 1
            self.anew[func.__name__] += 1
        if routed is None:
            return func(*args, **named)
        made = computed(self._ours, routed)
        if cheap:
            shortcuts.learn(cheap, given, routed)
        return made


def computed(ours: Any, routed: Routed) -> Any:  # noqa: ANN401 - functions by name; a tensor
    """Return what one of our functions makes of a routed call, in the shape of PyTorch's result."""
    made = ours[routed.name](*routed.operands, **routed.options)
    return made if routed.shape is None else made.view(routed.shape)


def refusal(route: Route, args: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Return why a call stays PyTorch's before its arguments are looked at one by one; empty where it need not."""
    tensors = [x for x in (*args, *named.values()) if isinstance(x, torch.Tensor)]
    if not isinstance(args[0] if args else next(iter(named.values()), None), torch.Tensor):
        return "its first argument is no tensor"
    kind = tensors[0].device.type
    if kind not in KINDS:
        return f"the tensors are on {kind}"
    if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
        return GRADIENT
    if any(x.dtype != tensors[0].dtype or x.device != tensors[0].device for x in tensors):
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
