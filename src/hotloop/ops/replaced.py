"""A model changed in place so that hotloop computes what it can: classes of modules are exchanged, parameters stay where they are.

While the root's forward runs, those of PyTorch's functions that hotloop has kernels for are other ones (`patched`; under
``torch.compile`` it runs in the context of `hotloop.ops.used`), and in an ``nn.Sequential`` a linear layer and the activation after
it become one kernel. State dictionaries, hooks, parameter views and `isinstance` go on working, and `Usage.remove` takes all
back.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Self

import torch
from torch import nn

from hotloop.dispatch import remembered
from hotloop.dispatch.activation import ACTIVATIONS as _NAMES
from hotloop.dispatch.finish import activated
from hotloop.dispatch.routing import RefusedError
from hotloop.errors import BadArrayError, UsageError
from hotloop.kernels.gemm import routes as linear
from hotloop.kernels.gemm.operator import gemm
from hotloop.ops import patched, shortcuts
from hotloop.ops.intercepted import Used, computed, passing, refusal
from hotloop.ops.patched import Patch, entered, tracing

_FUSED = {nn.ReLU: "relu", nn.SiLU: "silu"}
"""Activations as modules, by hotloop's name."""
_LINEAR = next(route for route in linear.ROUTES if route.call is linear.linear)
_PLAIN = patched.original(nn.functional.linear)
_MODE = "_hotloop_mode"
"""Attribute of a root in use that holds what its forward runs with."""
_SUPPORTED = {nn.Linear: "linear", nn.Softmax: "softmax"}


@dataclass(frozen=True, slots=True)
class Row:
    """What was found of one module."""

    name: str
    """Path of the module in the model."""
    kind: str
    taken: str
    """What hotloop computes in its place; empty for nothing."""
    why_not: str = ""


@dataclass(slots=True)
class Usage:
    """What `use` did: rows for the modules that hold work of hotloop's kinds; a context that takes all back at its end."""

    rows: tuple[Row, ...]
    mode: Used
    _kept: list[tuple[nn.Module, type]] = field(default_factory=list)
    _hung: list[tuple[nn.Module, Callable[..., Any], Callable[..., Any]]] = field(default_factory=list)
    """Modules with a forward of their own, such as hooks of other packages hang there: what stands there now, and what did."""
    _patch: Patch | None = None

    def remove(self) -> None:
        """Give every module its own class back."""
        for module, mine, theirs in self._hung:
            if module.__dict__.get("forward") is mine:  # else somebody has put another one there since
                module.__dict__["forward"] = theirs
        self._hung.clear()
        for module, kind in reversed(self._kept):
            module.__class__ = kind
            module.__dict__.pop(_MODE, None)
        self._kept.clear()
        if self._patch is not None:
            self._patch.remove()
            self._patch = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.remove()

    def __str__(self) -> str:
        rows = [
            f"{row.name or '(root)':32} {row.kind:20} {row.taken or 'PyTorch: ' + row.why_not}" for row in self.rows
        ]
        lines = [
            f"{name:32} {count:>6} calls        {f'PyTorch: {why}' if why else 'hotloop'}"
            for (name, why), count in sorted(self.mode.said.items())
        ]
        lines += [f"{name:32} {count:>6} of these were decided anew" for name, count in sorted(self.mode.anew.items())]
        return "\n".join(rows + (["", *lines] if lines else []))


def use(model: nn.Module) -> Usage:
    """Let hotloop compute what it can in a model; see `hotloop.ops.use`."""
    if not isinstance(model, nn.Module):
        raise BadArrayError(f"{type(model).__name__} is no torch.nn.Module; for functions there is `with ops.used():`.")
    if isinstance(model, _Entered):
        raise BadArrayError("the model is in use already: call remove() of what the first use() returned.")
    usage = Usage(tuple(_row(name, module) for name, module in model.named_modules() if _known(module)), Used())
    for module in model.modules():
        if type(module) is nn.Sequential and _pairs(module):
            _exchange(usage, module, _Fused)
    _exchange(usage, model, _Entered)
    object.__setattr__(model, _MODE, usage.mode)
    usage._patch = Patch(model.modules())  # noqa: SLF001 - its own record
    weakref.finalize(model, usage._patch.remove)  # noqa: SLF001 - a model that is dropped in use
    return usage


def _exchange(usage: Usage, module: nn.Module, mixin: type) -> None:
    kind = type(module)
    usage._kept.append((module, kind))  # noqa: SLF001 - its own record
    own = {"__module__": kind.__module__} | ({"forward": _entering(kind.forward)} if mixin is _Entered else {})
    module.__class__ = type(kind.__name__, (mixin, kind), own)
    hung = module.__dict__.get("forward")
    if mixin is _Entered and hung is not None:
        mine = _hanging(module, hung)
        usage._hung.append((module, mine, hung))  # noqa: SLF001
        module.__dict__["forward"] = mine


class _Entered:
    """Marks the class of a root in use."""


def _entering(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return a forward in the place of a class's own, of the same signature, which programs ask for.

    It runs with functions exchanged, or where it is compiled in the context. Somebody may keep it beyond `Usage.remove`: then it
    is the class's own.
    """

    @wraps(plain)
    def forward(self: nn.Module, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the model takes
        mode = self.__dict__.get(_MODE)
        if mode is None:
            return plain(self, *inputs, **named)
        kept = tracing if torch.compiler.is_compiling() else entered
        before, kept.used = kept.used, mode
        try:
            if kept is entered:
                return plain(self, *inputs, **named)
            with mode:  # operators and methods, which PyTorch's compiler does not look up
                return plain(self, *inputs, **named)
        finally:
            kept.used = before

    return forward


def _hanging(module: nn.Module, hung: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same for a forward that stands on the module itself."""

    def plain(_self: nn.Module, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401
        return hung(*inputs, **named)

    return wraps(hung)(partial(_entering(plain), module))


class _Fused:
    """An ``nn.Sequential`` whose linear layers take the activation after them along."""

    def forward(self, input: Any) -> Any:  # noqa: A002, ANN401 - as nn.Sequential
        modules: list[Any] = list(self._modules.values())  # type: ignore[attr-defined]
        x, index = input, 0
        while index < len(modules):
            name = _fusible(modules, index)
            made = _together(modules[index], name, x) if name else None
            x = modules[index](x) if made is None else made
            index += 1 if made is None else 2
        return x


def _together(layer: nn.Linear, name: str, x: torch.Tensor) -> torch.Tensor | None:
    """Return a linear layer with its activation by one kernel; None where PyTorch has to compute it."""
    given = (x, layer.weight) if layer.bias is None else (x, layer.weight, layer.bias)
    if torch.compiler.is_compiling():
        return _anew(given, name, ())
    hints, kind = remembered.HINTS.setdefault(name, {}), id(given[1])
    hint = hints.get(kind)
    made: torch.Tensor | None = None if hint is None else hint(given)
    if made is not None:
        return made
    used, entered.used = entered.used, None  # what our operator leaves to PyTorch must not come back to it
    try:
        with _aside():
            if passing(given):
                return None
            cheap = shortcuts.key(name, given, {})
            form = shortcuts.find(cheap, given)
            if form is not None:
                hints[kind] = form.whole
                return form.whole(given)
            return _anew(given, name, cheap)
    finally:
        entered.used = used


def _anew(given: tuple[torch.Tensor, ...], name: str, cheap: tuple[Any, ...]) -> torch.Tensor | None:
    """Return what `_together` does for a call of which nothing is known, and keep it under `cheap`, unless that is empty."""
    with _aside():
        if refusal(_LINEAR, given, {}):
            return None
        try:
            routed = linear.linear(*given)
        except RefusedError:
            return None
        routed.options["activation"] = name
        try:
            made: torch.Tensor = computed({"gemm": gemm}, routed)
        except UsageError:
            return None  # the layer by itself says in PyTorch's words what is wrong
        if cheap:
            shortcuts.learn(cheap, given, routed, partial(_plainly, name), partial(_again, name), spread=False)
    return made


def _plainly(name: str, given: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """Return what PyTorch's two functions make of a linear layer's arguments."""
    made: torch.Tensor = activated(_PLAIN(*given), _NAMES[name])
    return made


def _again(name: str, given: tuple[torch.Tensor, ...]) -> torch.Tensor | None:
    """Return what `_together` does for copies of views, by the form that is kept for them."""
    cheap = shortcuts.key(name, given, {})
    form = shortcuts.find(cheap, given)
    made: torch.Tensor | None = None if form is None else form.whole(given)
    return _anew(given, name, cheap) if made is None else made


def _aside() -> AbstractContextManager[object]:
    """Return a context in which PyTorch's functions are PyTorch's: what our operator leaves to them must not come back to it.

    A compiled graph holds the operator as one node, and nothing inside it is traced.
    """
    aside: AbstractContextManager[object] = (
        nullcontext() if torch.compiler.is_compiling() else torch._C.DisableTorchFunction()  # noqa: SLF001
    )
    return aside


def _fusible(modules: list[nn.Module], index: int) -> str:
    """Return hotloop's name of the activation after a linear layer, or an empty text where they cannot be one kernel."""
    if index + 1 >= len(modules) or type(modules[index]) is not nn.Linear:
        return ""
    after = modules[index + 1]
    if _hooked(modules[index]) or _hooked(after):
        return ""
    if type(after) is nn.GELU:
        return "gelu-tanh" if after.approximate == "tanh" else "gelu"
    return _FUSED.get(type(after), "")


def _hooked(module: nn.Module) -> bool:
    """Tell whether somebody wants to see what goes into a module or comes out of it."""
    return bool(
        module._forward_hooks or module._forward_pre_hooks or module._backward_hooks or module._backward_pre_hooks  # noqa: SLF001
    )  # fmt: skip


def _pairs(module: nn.Sequential) -> list[int]:
    modules = list(module)
    return [index for index in range(len(modules)) if _fusible(modules, index)]


def _known(module: nn.Module) -> bool:
    kinds = (
        nn.Linear,
        nn.Conv1d,
        nn.Conv2d,
        nn.Conv3d,
        nn.Softmax,
        nn.MultiheadAttention,
        nn.LSTM,
        nn.GRU,
        nn.Bilinear,
    )
    return isinstance(module, kinds) or (type(module) is nn.Sequential and bool(_pairs(module)))


def _row(name: str, module: nn.Module) -> Row:
    """Return what becomes of a module, as far as that can be told before it is called."""
    kind = type(module).__name__
    if isinstance(module, nn.Sequential):
        return Row(name, kind, f"{len(_pairs(module))} linear layers take their activation along")
    if isinstance(module, nn.Conv3d):
        alone = module.groups == module.in_channels and module.weight.shape[1] == 1 and module.padding_mode == "zeros"
        return Row(
            name,
            kind,
            "depthwise_conv3d" if alone else "",
            "" if alone else "it mixes channels, or does not pad with zeros",
        )
    if type(module) in _SUPPORTED:
        return Row(name, kind, "gemm" if type(module) is nn.Linear else "softmax")
    return Row(name, kind, "", "hotloop has no kernel for it, or PyTorch runs it as one function of its own")
