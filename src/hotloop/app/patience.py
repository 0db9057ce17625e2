"""How long the functions of a user's kernel file may take: they run in this process, and may never return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from hotloop.errors import KernelFileError
from hotloop.host import deadline

if TYPE_CHECKING:
    from hotloop.model.kernel import Implementation, Kernel

LIMIT_S = 60.0
"""Where nobody chose another: what ``--limit`` is by default."""
P = ParamSpec("P")
R = TypeVar("R")


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
        implementations=tuple(_planning(one, where, limit_s) for one in kernel.implementations),
    )


def timely(what: str, function: Callable[P, R], limit_s: float) -> Callable[P, R]:
    """Return a function that ends within a limit, or with KernelFileError; `what` is the subject of the sentence."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with deadline.within(limit_s):
                return function(*args, **kwargs)
        except deadline.OverdueError:
            raise KernelFileError(
                f"{what} did not end within {limit_s:g} s: mend it, choose a smaller shape, or give more time with --limit."
            ) from None

    return asked


def _planning(implementation: Implementation, where: str, limit_s: float) -> Implementation:
    what = f"planning {implementation.name} {where}, which may call inputs,"
    return replace(implementation, plan=_staying(what, implementation.plan, limit_s))


def _staying(what: str, function: Callable[P, R], limit_s: float) -> Callable[P, R]:
    """Return a timely function that cannot end hotloop either, whose exit code would pass for an answer."""
    within = timely(what, function, limit_s)

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return within(*args, **kwargs)
        except (SystemExit, GeneratorExit) as leave:
            raise KernelFileError(f"{what} raises {type(leave).__name__}; it must return.") from leave

    return asked
