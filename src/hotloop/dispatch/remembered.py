"""What calls were answered with, so that a call like an earlier one is neither judged nor prepared again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Protocol

from hotloop.dispatch import select
from hotloop.dispatch.choice import Choice, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MOST_CHOICES = 4096
"""Number of calls whose choice is kept; when there are more, all are forgotten, because a program with so many shapes repeats few of them.
As many of the latest kernels that could not be built, and of log messages, are kept."""

_lock = threading.RLock()
_answers: dict[Hashable, Answer] = {}
_decided: dict[Hashable, Choice] = {}
"""Choices where a kernel could not be built, or where the first call was measured; they are kept apart, because finding them again would
cost a compilation."""
_reported: dict[Hashable, None] = {}
FORMS: dict[Hashable, tuple[Form, ...]] = {}
"""Forms of calls by attributes that are cheap to read; forgotten together with the answers."""
HINTS: dict[Hashable, dict[Hashable, Any]] = {}
"""Data for recognizing a call quickly, by function and by attributes that are cheap to read: the function that computes it, and for one of
PyTorch's functions the reason. Forgotten together with the answers."""


class Form(Protocol):
    """Calls that are known again by one look at their operands."""

    @property
    def answer(self) -> Answer | None:
        """What runs for them."""

    @property
    def run(self) -> Callable[[tuple[Any, ...]], Any] | None:
        """Makes the result of one of them, or returns None; None where it is not known how."""

    @property
    def whole(self) -> Callable[[tuple[Any, ...]], Any] | None:
        """Asks all of a call and makes its result, or returns None; None where it is not known how."""

    def fits(self, call: tuple[Any, ...]) -> bool:
        """Tell whether a call is one of them."""


class Answer:
    """What runs for calls of one form, and the launches once they are prepared."""

    __slots__ = ("choice", "launches", "straight")

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.launches: Callable[[dict[str, Any]], None] | None = None
        """Takes the program's arrays by name; None before the first call."""
        self.straight: Callable[[Any], Any] | None = None
        """Makes the result of a call by addresses alone or by one function of PyTorch's, or returns None; None where that is not
        known to be right."""


def remembered(key: Hashable, make: Callable[[], Choice]) -> Answer:
    """Return the answer to a call, whose choice is made and reported at its first use."""
    answer = _answers.get(key)
    if answer is not None:
        return answer
    with _lock:
        answer = Answer(_decided.get(key) or make())
        if len(_answers) >= MOST_CHOICES:
            _forget()
        _answers[key] = answer
        _report(answer.choice)
        return answer


def known(key: Hashable) -> Answer | None:
    """Return the answer to a call that was made before, if it is still kept."""
    return _answers.get(key)


def learn(key: Hashable, form: Form) -> None:
    """Keep a form of calls."""
    with _lock:
        if len(FORMS) >= MOST_CHOICES:
            FORMS.clear()
        FORMS[key] = (*FORMS.get(key, ()), form)


def replace(key: Hashable, choice: Choice) -> Choice:
    """Note another choice for a call, after the first one could not be compiled or launched, or was measured.

    All others are forgotten: the call may be known by other keys too.
    """
    with _lock:
        _forget()
        _keep(_decided, key, choice)
        _report(choice)
        return choice


def forget() -> None:
    """Drop all answers. Compiled kernels stay."""
    with _lock:
        _forget()
        _decided.clear()
        _reported.clear()


def hint(key: Hashable, which: Hashable, whole: Callable[[tuple[Any, ...]], Any] | None) -> None:
    """Keep what asks and computes a function's calls of a form, in place of what was kept for the same `which`."""
    if whole is not None:
        kept = HINTS.setdefault(key, {})
        if len(kept) >= MOST_CHOICES:
            kept.clear()
        kept[which] = whole


def _forget() -> None:
    _answers.clear()
    FORMS.clear()
    for kept in HINTS.values():
        kept.clear()


def _report(choice: Choice) -> None:
    """Log a choice once for its shape; of calls outside the kernels' range once for each reason."""
    key = (choice.problem.family, choice.source if choice.origin is Origin.TORCH else choice.shape)
    if key not in _reported:
        _keep(_reported, key, None)
        select.report(choice)


def _keep(kept: dict[Hashable, Any], key: Hashable, value: object) -> None:
    """Add to what is kept, in place of the oldest where there is no room."""
    kept[key] = value
    if len(kept) > MOST_CHOICES:
        del kept[next(iter(kept))]
