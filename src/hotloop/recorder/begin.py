"""The beginning of a recorder in a program: what it listens to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotloop.recorder import hooks, opencl, triton
from hotloop.recorder.book import Book
from hotloop.recorder.journal import Journal


def begin(given: Mapping[str, Any]) -> None:
    """Record what this process launches. `given` is what `hotloop capture` wrote: folder, limits, where hotloop is."""
    book = Book(Journal(given))
    hooks.watch(
        {
            "pyopencl": lambda module: opencl.listen(module, book),
            "triton.runtime.jit": lambda module: triton.compiled(module, book),
            "triton.runtime.interpreter": lambda module: triton.interpreted(module, book),
            "triton.runtime.autotuner": lambda module: triton.tuned(module, book),
        }
    )
