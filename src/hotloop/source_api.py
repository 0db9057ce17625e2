"""``hl.source``: an OpenCL source as a kernel of a kernel file, with what only its author knows said in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotloop import api
from hotloop.errors import KernelFileError
from hotloop.languages.declaration import guarded

if TYPE_CHECKING:
    import numpy as np

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem


def source(
    file: str,
    *,
    entry: str = "",
    sizes: Mapping[str, int | float | str] | None = None,
    launches: str = "",
    global_size: str = "",
    local_size: str = "",
    options: tuple[str, ...] = (),
    inputs: Callable[..., Mapping[str, Any]] | None = None,
    reference: Callable[..., object] | None = None,
) -> Kernel:
    """Return a kernel whose space is rewrites of an OpenCL source; `hotloop init --from` writes such a call.

    Args:
        file: the source, relative to the kernel file.
        entry: its kernel function; empty: all of them in turn, or as `launches` says.
        sizes: numbers of its parameters, macros and arrays, as ``--size`` of the command line.
        launches: as ``--launches``: the order of its kernels, and loops of the host.
        global_size: as ``--global``; several ``KERNEL=N,M`` apart by spaces.
        local_size: as ``--local``, likewise.
        options: build options.
        inputs: ``inputs(p, rng)`` returns arrays by name in the place of those that would be drawn; others stay as they are.
        reference: computes outputs from the kernel's arrays and numbers of its parameters' names, real numbers as float64;
            without one, the source itself in double precision is what is right.

    Raises:
        KernelFileError: the source does not build, or sizes are missing.
    """
    from hotloop.app.bare import kernel as bare
    from hotloop.app.bare import reference as named
    from hotloop.app.bare.wish import wish
    from hotloop.app.patience import LIMIT_S

    caller = Path(inspect.stack()[1].filename)
    given = tuple(f"{name}={value}" for name, value in (sizes or {}).items())
    asked = wish(given, launches, tuple(global_size.split()), tuple(local_size.split()), options)
    made = replace(bare.load(caller.parent / file, entry, asked, LIMIT_S), origin=str(caller))
    if inputs is not None:
        made = replace(made, inputs=_drawn(made, inputs, caller))
    if reference is not None:
        made = named.judged(made, reference, f"reference of {caller.name}", LIMIT_S)
    api.DEFINED.append(made)
    return made


def _drawn(
    made: Kernel, inputs: Callable[..., Mapping[str, Any]], caller: Path
) -> Callable[[Problem, np.random.Generator], Inputs]:
    asked = guarded(f"inputs of {caller.name}", inputs)

    def drawn(problem: Problem, rng: np.random.Generator) -> Inputs:
        own = made.inputs(problem, rng)
        inputs: dict[str, Any] = dict(own)
        for name, value in asked(problem, rng).items():
            if name not in own:
                raise KernelFileError(f"inputs of {caller.name} give {name}; the kernel has {', '.join(own)}.")
            kept: Any = own[name]
            if value.size != kept.size:
                raise KernelFileError(
                    f"inputs of {caller.name} give {value.size} elements of {name}; it has {kept.size}."
                )
            inputs[name] = value.astype(kept.dtype).reshape(kept.shape)
        return inputs

    return drawn
