"""Measuring a program's calls before they count: `warm`, in the foreground or beside the program."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from hotloop.dispatch import pace, remembered, warming, watching
from hotloop.dispatch.warming import Warmed
from hotloop.errors import BadArrayError, HotloopError, UnknownNameError
from hotloop.ops import functions
from hotloop.ops.apart import Apart
from hotloop.ops.intercepted import Used

Form = tuple[Any, Any]
"""An operator and a call of it."""


class Warming:
    """Measurements under way; `results` waits for them."""

    def __init__(self, forms: list[Form], *, background: bool) -> None:
        self._forms, self._made, self._failed = forms, list[Warmed](), list[HotloopError]()
        self._thread = threading.Thread(target=self._beside, daemon=True) if background else None
        if self._thread is None:
            self._measure()
        else:
            self._thread.start()

    @property
    def results(self) -> list[Warmed]:
        """Return what became of each call. Raises the error that ended the measurements, if one did."""
        if self._thread is not None:
            self._thread.join()
        if self._failed:
            raise self._failed[0]
        return self._made

    def __str__(self) -> str:
        return "\n".join(map(str, self.results)) or "nothing that hotloop knows was called"

    def _measure(self) -> None:
        apart = Apart()
        try:
            for operator, call in self._forms:
                with torch.no_grad():
                    first = apart if call[0].is_cuda else None  # a processor's kernels are interpreted
                    self._made.append(warming.warm(operator, call, pace.of(call[0]), first))
        finally:
            apart.close()

    def _beside(self) -> None:
        """Measure on a stream of its own, after what the program has submitted so far."""
        try:
            cuda = next((call[0].device for _, call in self._forms if call[0].is_cuda), None)
            if cuda is None:
                self._measure()
                return
            with torch.cuda.device(cuda), torch.cuda.stream(torch.cuda.Stream(cuda)):
                self._measure()
        except HotloopError as error:
            self._failed.append(error)


def warm(what: Any, inputs: tuple[Any, ...], named: dict[str, Any], *, background: bool) -> Warming:  # noqa: ANN401
    """Measure calls; see `hotloop.ops.warm`."""
    forms = _named(what, inputs, named) if isinstance(what, str) else _called(what, inputs, named)
    if background and forms and forms[0][1][0].is_cuda:
        torch.cuda.synchronize()  # the operands are there for another stream
    return Warming(forms, background=background)


def _named(name: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> list[Form]:
    brought = functions.explained()
    if name not in brought:
        raise UnknownNameError("operation on tensors", name, tuple(brought))
    return [brought[name].call(name, inputs, named)]


def _called(what: Any, inputs: tuple[Any, ...], named: dict[str, Any]) -> list[Form]:  # noqa: ANN401
    """Return the first call of each form that a model, or a function, makes."""
    if not callable(what):
        raise BadArrayError(
            f"{type(what).__name__} cannot be called; give a module, a function, or the name of an operation."
        )
    met: list[Form] = []
    remembered.forget()  # each form is new again
    with torch.no_grad(), Used(), _told(lambda operator, call: met.append((operator, call))):
        what(*inputs, **named)
    return met


@contextmanager
def _told(listener: Callable[[Any, Any], None]) -> Iterator[None]:
    watching.FORMS.append(listener)
    try:
        yield
    finally:
        watching.FORMS.remove(listener)
