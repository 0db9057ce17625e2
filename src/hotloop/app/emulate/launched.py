"""Launches that the command line describes: what `emulate` and `predict` both take of a listing or a source file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotloop.app.emulate import arguments, compiled
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import reading
from hotloop.emulate.launch import visible
from hotloop.errors import UsageError
from hotloop.units import counted

if TYPE_CHECKING:
    import numpy as np

    from hotloop.compilers.offer import Compiled
    from hotloop.emulate.program import Program

LISTINGS = frozenset({".s", ".amdgcn", ".asm"})
SOURCES = frozenset({".hip", ".cl", ".cpp", ".ttir", ".ttgir"})
_EXAMPLE = "--grid 16 --workgroup 256 --arg x=f32:4096 --arg y=f32:4096:fresh --arg n=i32:=4096"


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A kernel and how it is launched."""

    text: str
    kernel: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    folders: Sequence[str] = ()
    macros: Sequence[str] = ()
    """Options for a C source: folders of included files, and macros as ``NAME=TEXT``."""
    shape: str = ""
    given: Sequence[str] = ()
    """Arguments as `arguments.parse` reads them."""
    grid: tuple[int, int, int] = (1, 1, 1)
    workgroup: tuple[int, int, int] | None = None
    shared_bytes: int = 0
    seed: int = 1

    @property
    def path(self) -> Path:
        """The file that the text names, if it names one."""
        return Path(self.text.partition(":")[0])

    def refuse_launch(self, *others: str) -> None:
        """Refuse what says how code is launched, and the options `others`, where the kernel says it itself. Raises UsageError."""
        said = {
            "--arg": self.given, "--grid": self.grid != (1, 1, 1), "--workgroup": self.workgroup, "--lds": self.shared_bytes,
            "--kernel": self.kernel, "--shape": self.shape, "--param": self.parameters,
        }  # fmt: skip
        if idle := [
            option for option in ("--arg", "--grid", "--workgroup", "--lds", "--kernel", *others) if said[option]
        ]:
            raise UsageError(f"{self.text} says itself how it is launched: leave out {' and '.join(idle)}.")


def task(
    asked: Described, program: Program, listing: str, rng: np.random.Generator, code: Compiled | None = None
) -> Task:
    """Return the launch of one kernel with given arguments, contents drawn from `rng`; `code` where it was compiled here.

    Raises:
        UsageError: an argument is missing or not understood.
    """
    given = arguments.parse(asked.given, rng)
    constant = code.folded if code else ()
    left = [value for place, value in enumerate(given.values) if place not in constant]
    wanted = visible(program)
    if any(not argument.pointer for argument in wanted[len(left) :]):
        kinds = ", ".join(argument.name or argument.kind for argument in wanted)
        raise UsageError(
            f"{program.name} takes {counted(len(wanted), 'argument')} ({kinds}), {len(left)} were given; e.g. {_EXAMPLE}."
        )
    values, shared = arguments.laid(left, program)
    step = Step(
        program=program,
        listing=listing,
        arguments=values,
        grid=asked.grid,
        workgroup=asked.workgroup or program.descriptor.workgroup or (program.descriptor.workgroup_max or 256, 1, 1),
        shared_bytes=asked.shared_bytes or shared or (compiled.launched_bytes(code, program) if code else 0),
    )
    label = f"{asked.text}:{program.name}"
    return Task(
        label=label, target=program.target.name, steps=(step,), arrays=given.arrays, fresh=given.fresh, outputs=given.outputs,
        inputs=frozenset(given.arrays) - given.fresh, sizes=_sizes(asked.parameters),
    )  # fmt: skip


def _sizes(parameters: Mapping[str, Any]) -> frozenset[int]:
    """Return the numbers that a kernel was compiled for, but not blocks, which are powers of two in Triton."""
    numbers = (value for value in parameters.values() if isinstance(value, int))
    return frozenset(value for value in numbers if value > 1 and value & (value - 1))


def text(path: Path) -> str:
    """Return the text of a file. Raises UsageError."""
    try:
        return reading.text(path, "replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give an existing file.") from None
