"""The beginning of a recorder in a program: what it listens to. What only launches need is loaded with the first of them."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hotloop.recorder import hooks
from hotloop.recorder.clocked import Took, clocks
from hotloop.recorder.journal import Journal

if TYPE_CHECKING:
    from hotloop.recorder.book import Book


def begin(given: Mapping[str, Any], began: Took | None = None) -> None:
    """Record what this process launches.

    Args:
        given: what `hotloop capture` wrote: folder and limits.
        began: when the recorder's own part of the start began; what it takes is no time of the program's.
    """
    began = began or clocks()
    journal = Journal(given)
    journal.write("begun", python=sys.version.split()[0], pid=os.getpid(), parent=os.getppid())
    atexit.register(journal.end)
    books: list[Book] = []

    def book() -> Book:
        if not books:
            from hotloop.recorder.book import Book

            books.append(Book(journal))
        return books[0]

    listeners: dict[str, hooks.Hook] = {
        "cupy": lambda module: _cupy(module, book),
        "pyopencl": lambda module: _opencl(module, book),
        "triton.runtime.jit": lambda module: _triton("compiled", module, book),
        "triton.compiler.compiler": lambda module: _triton("relaunched", module, book),
        "triton.runtime.interpreter": lambda module: _triton("interpreted", module, book),
        "triton.runtime.autotuner": lambda module: _triton("tuned", module, book),
        "triton.testing": lambda module: _triton("benched", module, book),
    }
    hooks.watch({name: _counted(hook, journal) for name, hook in listeners.items()})
    journal.spent(clocks().since(began))


def _counted(hook: hooks.Hook, journal: Journal) -> hooks.Hook:
    """Return a hook whose time is counted as the recorder's."""

    def counted(module: ModuleType) -> None:
        began = clocks()
        hook(module)
        journal.spent(clocks().since(began))

    return counted


def _cupy(module: ModuleType, book: Callable[[], Book]) -> None:
    from hotloop.recorder import cupy

    cupy.listen(module, book())


def _opencl(module: ModuleType, book: Callable[[], Book]) -> None:
    from hotloop.recorder import opencl

    opencl.listen(module, book())


def _triton(what: str, module: ModuleType, book: Callable[[], Book]) -> None:
    from hotloop.recorder import triton

    getattr(triton, what)(module, book())
