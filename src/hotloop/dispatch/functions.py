"""What a kernel family brings to `hotloop.ops`: functions that users call, told without importing PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice


@dataclass(frozen=True, slots=True)
class Functions:
    """A family's ``OPERATOR``, found by the registry in its module ``operator``."""

    functions: tuple[Callable[..., Any], ...]
    """Functions that compute with one of several kernels each, and whose choice can be explained."""
    tensors: str
    """Module that imports PyTorch. For each function it has one of the same name and arguments, which returns the operator and
    the operator's arguments."""
    helpers: tuple[Callable[..., Any], ...] = ()
    """Functions that users call besides the operators, to pack weights for example."""

    def explain(self, name: str, operands: tuple[Any, ...], options: dict[str, Any]) -> Choice:
        """Return what a function would run for these arguments, and why."""
        operator, call = self.call(name, operands, options)
        choice: Choice = operator.explain(call)
        return choice

    def call(self, name: str, operands: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, Any]:
        """Return the operator of a function, and the call of it that these arguments are."""
        operator, call = getattr(importlib.import_module(self.tensors), name)(*operands, **options)
        return operator, call
