"""What compilers make of a rung for an NVIDIA card: registers, memory, and instructions of the listing."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

from hotloop.app import userfile
from hotloop.app.code.offline import device_for
from hotloop.app.ladder import data
from hotloop.app.ladder.subjects import problem_of, subject_of
from hotloop.compilers.offer import Compiled, Request
from hotloop.compilers.process import Told, ask
from hotloop.errors import MissingExtraError
from hotloop.frontends.cuda import COMPILER
from hotloop.host import disassemble, toolchain
from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.occupancy import ask as occupancy
from hotloop.model.codec import encode
from hotloop.model.device import Device
from hotloop.model.ladder import Bounds, Ladder, Rung
from hotloop.model.outcome import Artifact, describe
from hotloop.model.program import Program
from hotloop.ports import Engine
from hotloop.targets.machine import multiprocessors
from hotloop.targets.target import Target

LIMIT_S = 180.0
MULTIPROCESSORS = multiprocessors("sm_90")
"""Multiprocessors of the cards that the ladders are for; they set the number of programs of a persistent launch."""
_MNEMONICS = {
    "hgmma": ("HGMMA", "QGMMA", "IGMMA"),
    "hmma": ("HMMA", "QMMA", "IMMA"),
    "fma": ("FFMA", "HFMA2"),
    "special": ("MUFU",),
    "global_loads": ("LDG.", "LDG "),
    "async_copies": ("LDGSTS",),
    "bulk_copies": ("UTMALDG", "UTMASTG", "UBLKCP"),
    "shared_loads": ("LDS", "LDSM"),
    "shared_stores": ("STS", "STSM"),
    "shuffles": ("SHFL",),
    "barriers": ("BAR.", "BAR "),
}


@dataclass(frozen=True, slots=True)
class Code:
    """A rung's code, or why there is none."""

    facts: Mapping[str, float] = field(default_factory=dict)
    compiler: str = ""
    failure: str = ""
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The code of one launch."""

    symbol: str
    cubin: bytes
    shared_bytes: int
    threads: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Kernel:
        """Return what a child process tells in JSON."""
        return cls(row["symbol"], base64.b64decode(row["cubin"]), row["shared_bytes"], row["threads"])


def of_program(engine: Engine, program: Program, built: Artifact, device: Device) -> Code:
    """Return the facts of a program's code from the very binaries that the worker has loaded."""
    shared = {entry: row.local_bytes or 0 for entry, row in built.resources}
    kernels = [
        Kernel(
            symbol=launch.entry,
            cubin=engine.binary(replace(program, launches=(launch,))),
            shared_bytes=shared.get(launch.entry, 0) + launch.local_bytes,
            threads=prod(launch.local_size or ()),
        )
        for launch in program.launches
        if launch.work_items
    ]
    return read([kernel for kernel in kernels if kernel.cubin], device.target, device.runtime)


def offline(ladder: Ladder, rung: Rung, target: str, folder: Path, multiprocessors: int = MULTIPROCESSORS) -> Code:
    """Compile the program that a card with so many multiprocessors would be given; `folder` takes Triton's cache."""
    kernel, aim = userfile.find(data.family_of(ladder.family)), Target.parse(target)
    device = card_for(aim, multiprocessors)
    try:
        problem = problem_of(kernel, ladder, rung)
        program = subject_of(kernel, ladder, rung, problem, device).plan(problem, device)
    except ValueError as reason:
        return Code(failure=str(reason))
    assert program is not None
    if program.language == "cuda":
        return _compiled(program, aim)
    message = {"program": encode(program), "capability": aim.capability}
    return _asked("hotloop.app.ladder.card.compiler", message, target, folder)


def card_for(target: Target, multiprocessors: int = MULTIPROCESSORS) -> Device:
    """Return a card that is not here; kernels may ask for all the shared memory that a block can have."""
    made = device_for(target)
    return replace(made, compute_units=multiprocessors, local_mem_bytes=target.number("shared_block"))


def _compiled(program: Program, target: Target) -> Code:
    """Compile the main launch of a program in CUDA C++."""
    launch = program.main
    assert launch is not None
    request = Request(
        source=Path("kernel.cu"), text=program.source, target=target, kernel=launch.entry, options=program.options
    )
    try:
        made = COMPILER.compile(request)
    except MissingExtraError as missing:
        return Code(absent=str(missing))
    if not isinstance(made, Compiled):
        return Code(failure=describe(made))
    used = next(k for k in made.resources if k.name == launch.entry)
    spilled, shared = int(used.scratch_bytes or 0), int(used.lds_bytes or 0) + launch.local_bytes
    threads = prod(launch.local_size or ())
    facts = _facts(made.listing, launch.entry, int(used.vgprs or 0), spilled, shared, threads, target.name)
    return Code({"kernels": 1, **facts}, made.compiler)


def _asked(process: str, message: Mapping[str, Any], target: str, folder: Path) -> Code:
    """Return what a process with Triton's compiler answers."""
    if toolchain.package("triton") is None:
        return Code(absent="Triton is not installed: pip install 'hotloop[triton]'")
    environment = toolchain.environment(TRITON_DEFAULT_FP_FUSION="1", TRITON_CACHE_DIR=str(folder / "triton"))
    answered = ask(process, environment, message, LIMIT_S)
    if not isinstance(answered, Told):
        return Code(failure=describe(answered))
    answer = answered.answer
    if "failed" in answer:
        return Code(failure=str(answer["failed"]))
    return read(list(map(Kernel.of, answer["code"])), target, f"triton {answer['triton']}")


def read(kernels: Sequence[Kernel], target: str, compiler: str) -> Code:
    """Return the facts of a call's kernels: the most of registers and memory, all instructions together."""
    if not kernels:
        return Code({}, compiler)
    rows: list[dict[str, float]] = []
    try:
        for kernel in kernels:
            usage = next(u for u in disassemble.usage(kernel.cubin) if u.name == kernel.symbol)
            spilled, listing = usage.stack_bytes + usage.local_bytes, disassemble.sass(kernel.cubin)
            facts = _facts(listing, usage.name, usage.registers, spilled, kernel.shared_bytes, kernel.threads, target)
            rows.append(facts)
    except (MissingExtraError, ValueError) as reason:
        return Code({"kernels": len(kernels)}, f"{compiler}; its code was not read: {reason}")
    together = {name: sum(row.get(name, 0) for row in rows) for name in _MNEMONICS}
    most = {name: max(row[name] for row in rows) for name in ("registers", "spilled_bytes", "shared_bytes")}
    fewest = {"resident_blocks": min(row["resident_blocks"] for row in rows)}
    return Code({"kernels": len(rows), **most, **fewest, **together}, compiler)


def _facts(
    listing: str, symbol: str, registers: int, spilled_bytes: int, shared_bytes: int, threads: int, target: str
) -> dict[str, float]:
    functions = [function for function in DIALECT.parse(listing) if function.name == symbol]
    mnemonics = [f"{i.mnemonic} " for function in functions for i in function.instructions]
    tally = {name: sum(m.startswith(starts) for m in mnemonics) for name, starts in _MNEMONICS.items()}
    question = occupancy.Question(target=target, vgprs=registers, lds_bytes=shared_bytes, workgroup=threads)
    groups = occupancy.ask(question).occupancy.groups
    sizes = {
        "registers": registers,
        "spilled_bytes": spilled_bytes,
        "shared_bytes": shared_bytes,
        "resident_blocks": groups,
    }
    return {**sizes, **tally}


def violations(code: Code, bounds: Bounds) -> tuple[str, ...]:
    """Return the bounds that a rung's code breaks, each as a sentence."""
    rows = (
        ("registers", bounds.registers, "registers of a thread"),
        ("spilled_bytes", bounds.spilled_bytes, "bytes of local memory of a thread"),
        ("shared_bytes", bounds.shared_bytes, "bytes of shared memory of a block"),
    )
    return tuple(
        f"{code.facts[name]:.0f} {words}, the limit is {bound}"
        for name, bound, words in rows
        if bound is not None and name in code.facts and code.facts[name] > bound
    )
