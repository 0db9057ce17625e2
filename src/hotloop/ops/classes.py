"""Classes of tensors that do with PyTorch's functions what they like: parts on several devices, packed numbers, masks that are none."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from hotloop.dispatch.arguments import PLAIN

REASON = "an operand is of a class that decides itself what is done with it"
_PASSING = torch.Tensor.__torch_function__.__func__, torch.nn.Parameter.__torch_function__
"""How classes look at calls of PyTorch's functions that leave all of them to PyTorch."""
_TRACERS = "torch._subclasses"
"""Where the classes are of which PyTorch's compilers and tracers make tensors: they take every operator that has fake tensors."""


def deciding(tensors: Iterable[torch.Tensor]) -> bool:
    """Tell whether one of some tensors is of a class that decides what is done with it, or sees PyTorch's functions by itself."""
    if torch.compiler.is_compiling():  # its classes of tensors are not compared
        return any(is_traceable_wrapper_subclass(x) for x in tensors)
    return any(type(x) not in PLAIN and _decides(type(x)) for x in tensors)


def intercepting(given: Iterable[object]) -> bool:
    """Tell whether an argument is of a class that wants to see which of PyTorch's functions is called, and may ask for it by name."""
    return any(type(x) not in PLAIN and isinstance(x, torch.Tensor) and _intercepts(type(x)) for x in given)


def _decides(kind: type) -> bool:
    traced = kind.__module__.startswith(_TRACERS)
    own = kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__  # type: ignore[attr-defined]
    return not traced and (own or _intercepts(kind))


def _intercepts(kind: type) -> bool:
    function = kind.__torch_function__  # type: ignore[attr-defined]
    return getattr(function, "__func__", function) not in _PASSING
