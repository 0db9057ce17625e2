"""The launch that a step of a task is, on given arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.emulate.launch import Launch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from hotloop.app.emulate.task import Step


def launch_of(
    step: Step, arrays: Mapping[str, NDArray[np.generic]], fresh: frozenset[str], inputs: frozenset[str] = frozenset()
) -> tuple[Launch, list[str]]:
    """Return the launch of a step on arrays, and the name of the array that each argument is, empty for none."""
    names = [item if isinstance(item, str) else "" for item in step.arguments]
    launch = Launch(
        arguments=[arrays[item] if isinstance(item, str) else item for item in step.arguments],
        grid=step.grid,
        workgroup=step.workgroup,
        dynamic_lds_bytes=step.shared_bytes,
        fresh=frozenset(n for n, name in enumerate(names) if name in fresh),
        inputs=frozenset(n for n, name in enumerate(names) if name in inputs),
        names=[name or f"argument {n}" for n, name in enumerate(names)],
    )
    return launch, names
