"""How long the functions of a user's kernel file may take: they run in this process, and may never return, or end it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from hotloop.errors import KernelFileError
from hotloop.host import deadline, guardian
from hotloop.model.space import Config, Constraint, Space

if TYPE_CHECKING:
    from hotloop.model.kernel import Implementation, Kernel, Tolerance

LIMIT_S = 60.0
"""Default of ``--limit`` in seconds."""
_SLOW_S = 1e-3
"""Mean time of a constraint from which it is blamed for what all its calls took: searches ask tens of thousands of times."""
P = ParamSpec("P")
R = TypeVar("R")


class LateError(KernelFileError):
    """A function of a kernel file did not end in time."""


def bounded(kernel: Kernel, limit_s: float) -> Kernel:
    """Return the kernel with functions that raise KernelFileError when one call takes longer than `limit_s` seconds."""
    where = f"of kernel {kernel.family}" + (f" ({kernel.origin})" if kernel.origin else "")
    return replace(
        kernel,
        inputs=_staying(f"inputs {where}", kernel.inputs, limit_s),
        reference=_staying(f"reference {where}", kernel.reference, limit_s),
        work=_staying(f"work {where}", kernel.work, limit_s),
        magnitude=_staying(f"magnitude {where}", kernel.magnitude, limit_s) if kernel.magnitude else None,
        awkward=_staying(f"awkward {where}", kernel.awkward, limit_s),
        tolerance=_judging(kernel.tolerance, where, limit_s),
        implementations=tuple(_planning(implementation, where, limit_s) for implementation in kernel.implementations),
    )


def timely(what: str, function: Callable[P, R], limit_s: float) -> Callable[P, R]:
    """Return a function that ends within a limit, or with KernelFileError; `what` is the subject of the sentence."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return deadline.ask(function, limit_s, *args, **kwargs)
        except deadline.OverdueError:
            raise _overdue(what, limit_s) from None

    return asked


def told(what: str, function: Callable[P, R], limit_s: float) -> Callable[P, R]:
    """Return a timely function that the guardian, if there is one, can name when this process ends in it."""
    within, subject, page = timely(what, function, limit_s), guardian.subject(what), guardian.page

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        if not deadline.heard_here():  # the page has room for one thread's functions
            return within(*args, **kwargs)
        outer, page[0] = page[0], subject
        before_s = guardian.due(limit_s)
        try:
            return within(*args, **kwargs)
        finally:
            page[0] = outer
            guardian.restore(before_s)

    return asked


def _overdue(what: str, limit_s: float) -> LateError:
    return LateError(
        f"{what} did not end within {limit_s:g} s: mend it, choose a smaller shape, or give more time with --limit."
    )


def _planning(implementation: Implementation, where: str, limit_s: float) -> Implementation:
    name = f"{implementation.name} {where}"
    space = implementation.space
    tally = _Tally(f"a constraint of {name}", limit_s)
    return replace(
        implementation,
        space=Space(space.parameters, tuple(replace(c, holds=tally.counted(c)) for c in space.constraints)),
        plan=_staying(f"planning {name}, which may call inputs,", implementation.plan, limit_s),
        traits=_staying(f"traits of {name}", implementation.traits, limit_s),
    )


def _judging(tolerance: Tolerance, where: str, limit_s: float) -> Tolerance:
    if tolerance.unsaid:  # nothing of the user's is in it
        return tolerance
    computed = tolerance.eps_dtype
    if callable(computed):
        computed = _staying(f"eps_dtype of the tolerance {where}", computed, limit_s)
    return replace(
        tolerance, terms=_staying(f"terms of the tolerance {where}", tolerance.terms, limit_s), eps_dtype=computed
    )


def _staying(what: str, function: Callable[P, R], limit_s: float) -> Callable[P, R]:
    """Return a timely function that cannot end hotloop either, whose exit code would pass for an answer."""
    within = told(what, function, limit_s)

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return within(*args, **kwargs)
        except BaseException as leave:
            if awaited(leave):
                raise
            raise _leaving(what, leave) from leave

    return asked


def awaited(error: BaseException) -> bool:
    """Tell whether somebody waits for what a user's code raised: an error, Ctrl-C, or the end of its time or the run's; not what pytest's `skip` raises."""
    return isinstance(error, Exception | KeyboardInterrupt | deadline.OverdueError | deadline.EndedError)


def _leaving(what: str, leave: BaseException) -> KernelFileError:
    return KernelFileError(f"{what} raises {type(leave).__name__}; it must return.")


class _Tally:
    """What the constraints of one space took together: each call is short, and a search makes very many of them."""

    def __init__(self, what: str, limit_s: float) -> None:
        self._what = what
        self._subject = guardian.subject(what)
        self._limit_s = limit_s
        self._spent_s = 0.0
        self._calls = 0

    def counted(self, constraint: Constraint) -> Callable[[Config], bool]:
        """Return a constraint's function that ends in time, like the others of a file but at a cost of microseconds."""
        holds, page, limit_s, subject = constraint.holds, guardian.page, self._limit_s, self._subject
        elsewhere = timely(self._what, holds, limit_s)
        now_s, ask = time.monotonic, deadline.ask

        def asked(config: Config) -> bool:
            if not deadline.heard_here():
                return elsewhere(config)
            outer, page[0], began_s = page[0], subject, now_s()
            try:
                answer = ask(holds, limit_s, config)
            except deadline.OverdueError:
                raise _overdue(self._what, limit_s) from None
            except BaseException as leave:
                if awaited(leave):
                    raise
                raise _leaving(self._what, leave) from leave
            finally:
                page[0] = outer
            self._calls += 1
            self._spent_s += now_s() - began_s
            if self._spent_s > limit_s:
                self._judge()
            return answer

        return asked

    def _judge(self) -> None:
        """Raise KernelFileError unless the constraints took long only because they were asked so often."""
        if self._spent_s > _SLOW_S * self._calls:
            raise KernelFileError(
                f"{self._what} takes {1e3 * self._spent_s / self._calls:.3g} ms on average, {self._spent_s:.3g} s for "
                f"{self._calls} configurations: make it faster, or give more time with --limit."
            )
