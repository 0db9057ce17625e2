"""What a run found, with all that an export says of it: program, arrays, provenance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app import userfile
from hotloop.app.run.kept import record as records
from hotloop.app.session import open_store
from hotloop.errors import UsageError
from hotloop.model.energy import WORDS, Objective
from hotloop.model.kernel import Empty, Variant
from hotloop.model.outcome import Measured
from hotloop.model.program import Array, Program
from hotloop.model.record import digest
from hotloop.version import VERSION

if TYPE_CHECKING:
    from hotloop.app.session import Options
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem

LICENCE = "Apache-2.0"
"""Licence of the kernels that hotloop ships; a user's own file keeps its owner's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One array that the launches take."""

    name: str
    dtype: str
    elements: int
    shape: tuple[int, ...]
    written: bool
    """True for a result that is not read before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A winner of the store, with everything that an export writes of it."""

    kernel: Kernel
    problem: Problem
    device: Device
    variant: Variant
    program: Program
    slots: tuple[Slot, ...]
    run: str
    finished: str
    call_ns: float
    verdict: str
    """How it compared, one line; empty where nothing was compared."""

    @property
    def name(self) -> str:
        """Name of the exported function and module: the family and a few digits that tell this winner from others."""
        return f"{_plain(self.kernel.family)}_{digest([self.problem.key, self.program.fingerprint])[:8]}"

    @property
    def licence(self) -> str:
        """SPDX identifier, or what is said of a file that is not hotloop's."""
        return LICENCE if self.kernel.origin.startswith("hotloop.") else ""

    @property
    def provenance(self) -> Mapping[str, str]:
        """Where it comes from, as text by name."""
        record = {
            "problem": self.problem.key,
            "implementation": f"{self.variant.implementation.name} {self.variant.config}".strip(),
            "device": self.device.name,
            "target": self.device.target or "unknown",
            "driver": f"{self.device.runtime} {self.device.fingerprint[:12]}",
            "measured": f"{self.call_ns / 1e3:.4g} us a call" + (f"; {self.verdict}" if self.verdict else ""),
            "run": f"{self.run} of {self.finished or 'unknown date'}",
            "hotloop": VERSION,
            "source": digest([self.program.source])[:16],
        }
        return record | ({} if self.licence else {"origin": self.kernel.origin})


def _plain(text: str) -> str:
    made = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in text).strip("_").casefold()
    return made if made[:1].isalpha() else f"kernel_{made}"


def found(run: str, options: Options) -> Found:
    """Return the winner of a run.

    Raises:
        UsageError: no such run, nothing of it works, or its kernel is not there any more, or is another one by now.
        StoreError: the store cannot be read.
    """
    with open_store(options, read_only=True) as store:
        info, record = store.run(run), records.read(store, run)
        trials = store.trials(run=info.id)
    winner = next((step for step in record.steps if step.index == record.winner), None)
    if winner is None or not isinstance(winner.outcome, Measured):
        raise UsageError(f"run {info.id[:8]} found nothing that works, so there is nothing to export.")
    spec = str(json.loads(info.request).get("spec", ""))
    kernel = userfile.find(spec, options.limit_s)
    problem = _problem(kernel, record.problem)
    variant = Variant(kernel.implementation(winner.implementation), winner.config)
    try:
        program = variant.program(problem, record.device)
    except ValueError as error:
        raise UsageError(
            f"run {info.id[:8]} cannot be exported: its kernel takes {record.problem} no more ({error})."
        ) from None
    known = {
        row.fingerprint for row in trials if (row.implementation, row.config) == (winner.implementation, winner.config)
    }
    if known and program.on(record.device) not in known:
        raise UsageError(
            f"run {info.id[:8]} cannot be exported: {spec} was changed since, and what it is now was neither verified nor timed there; "
            "tune it again, and share that run."
        )
    overall = record.overall
    better = "" if record.objective is Objective.TIME else f" by {WORDS[record.objective].quantity}"
    verdict = f"{overall.speedup:.2f} x the baseline ({overall.low:.2f}-{overall.high:.2f}){better}" if overall else ""
    return Found(
        kernel=kernel,
        problem=problem,
        device=record.device,
        variant=variant,
        program=program,
        slots=_slots(kernel, problem, program),
        run=info.id,
        finished=record.finished,
        call_ns=winner.outcome.call_ns,
        verdict=verdict,
    )


def _problem(kernel: Kernel, key: str) -> Problem:
    """Return the problem that a key names: ``gemm[m=64 n=64 ...]``."""
    sizes = key.partition("[")[2].rpartition("]")[0]
    return userfile.problem_of(kernel, ",".join(sizes.split()))


def _slots(kernel: Kernel, problem: Problem, program: Program) -> tuple[Slot, ...]:
    """Return the arrays of the launches in the order of the kernel's inputs."""
    import numpy as np

    inputs = kernel.inputs(problem, np.random.default_rng(1))
    scratch = {area.name for area in program.scratch}
    used = {
        argument.name for launch in program.launches for argument in launch.arguments if isinstance(argument, Array)
    } - scratch
    return tuple(_slot(name, inputs) for name in inputs if name in used)


def _slot(name: str, inputs: Inputs) -> Slot:
    value = inputs[name]
    if isinstance(value, Empty):
        size = 1
        for extent in value.shape:
            size *= extent
        return Slot(name=name, dtype=str(value.dtype), elements=size, shape=tuple(value.shape), written=True)
    shape = tuple(getattr(value, "shape", ()))
    return Slot(
        name=name, dtype=str(getattr(value, "dtype", "float32")), elements=int(getattr(value, "size", 1)), shape=shape, written=False
    )  # fmt: skip
