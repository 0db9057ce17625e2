"""What a model calls, how long that takes, and what hotloop would run for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from hotloop.dispatch.observed import Seen, line
from hotloop.errors import BadArrayError, HotloopError

if TYPE_CHECKING:
    from hotloop.model.tally import Tally

import torch

from hotloop.dispatch.routing import RefusedError, routes
from hotloop.ops import functions, recording
from hotloop.ops.dispatched import Watch, plain


@dataclass(frozen=True, slots=True)
class Explained:
    """What a model calls, and what hotloop would run for it; printed, a table."""

    tally: Tally
    choices: dict[tuple[str, str], str]
    """Kernels that would run, and why, by call and operands."""

    def __str__(self) -> str:
        from hotloop.report.workload import text

        return text(self.tally, self.choices)


class _Asking(recording.Recording):
    """A recording that asks, at the first call of each form, what hotloop would run."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: dict[tuple[str, str], str] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        assert isinstance(self._torch, Watch)
        self._torch.choose = self._ask
        return self

    def _ask(self, name: str, given: tuple[Any, ...]) -> None:
        seen = Seen(name, tuple(map(plain, given)))
        key = name, line(seen, None, None).operands
        if key not in self.choices:
            self.choices[key] = _choice(name, given)


def _choice(name: str, given: tuple[Any, ...]) -> str:
    """Return in one line what hotloop would run for a call, and why."""
    route = routes().get(name)
    if route is None:
        return "hotloop's own" if name.startswith("hotloop::") else ""
    try:
        routed = route.call(*given)
        brought = functions.explained()[routed.name]
        choice = brought.explain(routed.name, routed.operands, routed.options)
    except (RefusedError, HotloopError) as error:
        return f"PyTorch: {error}".rstrip(".")
    return f"{choice.implementation} {choice.config}".strip() + f": {choice.reason}"


def explain(model: Any, /, *inputs: Any, **named: Any) -> Explained:  # noqa: ANN401 - a module or function, its arguments
    """Return what a model calls; see `hotloop.ops.explain`."""
    if not callable(model):
        raise BadArrayError(f"{type(model).__name__} cannot be called; give a module or a function, and its inputs.")
    run = _Asking()
    with torch.no_grad(), run:
        model(*inputs, **named)
    return Explained(run.tally, run.choices)
