"""What compilers make of a rung for an NVIDIA card: registers, memory, and instructions of the listing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from hotloop.app.ladder import data
from hotloop.compilers.offer import Compiled, Request
from hotloop.errors import MissingExtraError
from hotloop.frontends.cuda import COMPILER
from hotloop.host import disassemble, toolchain
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.occupancy import ask as occupancy
from hotloop.model.ladder import Bounds, Ladder, Rung, Unit
from hotloop.model.outcome import describe
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

LIMIT_S = 180.0
MULTIPROCESSORS = 132
"""Of an H100 SXM and an H200, which the ladders are for; it sets the programs of a persistent launch."""
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


def in_cuda(ladder: Ladder) -> bool:
    """Tell whether a ladder's rungs are CUDA C++; else they are Triton and Gluon."""
    return hasattr(import_module(data.card_module(ladder)), "unit")


def offline(ladder: Ladder, rung: Rung, target: str, folder: Path, multiprocessors: int = MULTIPROCESSORS) -> Code:
    """Compile a rung without a card; `folder` takes binaries and Triton's cache."""
    sizes = ladder.varied(rung)
    if in_cuda(ladder):
        return binary(ladder, rung, target, sizes, folder)[0]
    if toolchain.package("triton") is None:
        return Code(absent="Triton is not installed: pip install 'hotloop[triton]'")
    child = Child(
        "hotloop.app.ladder.card.child",
        toolchain.environment(TRITON_DEFAULT_FP_FUSION="1", TRITON_CACHE_DIR=str(folder / "triton")),
    )
    message = {
        "ask": "compile", "card": data.card_module(ladder), "kernel": ladder.implementation(rung), "config": ladder.changes(rung),
        "sizes": sizes, "capability": Target.parse(target).capability, "multiprocessors": multiprocessors,
    }  # fmt: skip
    try:
        answer = child.ask(message, LIMIT_S)
    except ChildSilentError:
        return Code(failure=f"the compiler did not end within {LIMIT_S:.0f} s")
    except ChildDiedError as died:
        return Code(failure=f"the compiler died ({died.returncode})")
    finally:
        child.kill()
    if "failed" in answer:
        return Code(failure=str(answer["failed"]))
    return read(answer["code"], target, f"triton {answer['triton']}")


def binary(
    ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar], folder: Path
) -> tuple[Code, dict[str, Any] | None]:
    """Compile a rung in CUDA C++ to a file in `folder`; returns also what a launch needs."""
    module = import_module(data.card_module(ladder))
    try:
        unit: Unit = module.unit(ladder.implementation(rung), ladder.changes(rung), sizes)
    except ValueError as reason:
        return Code(failure=str(reason)), None
    try:
        made = COMPILER.compile(
            Request(
                source=Path(unit.name), text=unit.text, target=Target.parse(target), kernel=unit.entry,
                options=unit.options,
            )
        )  # fmt: skip
    except MissingExtraError as missing:
        return Code(absent=str(missing)), None
    if not isinstance(made, Compiled):
        return Code(failure=describe(made)), None
    name = hashlib.sha256(repr((unit.options, unit.entry)).encode()).hexdigest()[:16]
    path = folder / f"{name}.cubin"
    path.write_bytes(made.binary)
    launch = {
        "path": str(path), "entry": unit.entry, "grid": list(unit.grid), "threads": unit.threads,
        "shared_bytes": unit.shared_bytes,
    }  # fmt: skip
    kernel = next(k for k in made.resources if k.name == unit.entry)
    spilled, shared = int(kernel.scratch_bytes or 0), int(kernel.lds_bytes or 0) + unit.shared_bytes
    facts = _facts(made.listing, unit.entry, int(kernel.vgprs or 0), spilled, shared, unit.threads, target)
    return Code({"kernels": 1, **facts}, made.compiler), launch


def read(kernels: Sequence[Mapping[str, Any]], target: str, compiler: str) -> Code:
    """Return the facts of a call's kernels: the most of registers and memory, all instructions together."""
    found: list[dict[str, float]] = []
    try:
        for kernel in kernels:
            cubin = base64.b64decode(kernel["cubin"])
            usage = next(u for u in disassemble.usage(cubin) if u.name == kernel["symbol"])
            spilled, listing = usage.stack_bytes + usage.local_bytes, disassemble.sass(cubin)
            facts = _facts(
                listing, usage.name, usage.registers, spilled, kernel["shared_bytes"], kernel["threads"], target
            )
            found.append(facts)
    except (MissingExtraError, ValueError) as reason:
        return Code({"kernels": len(kernels)}, f"{compiler}; its code was not read: {reason}")
    together = {name: sum(one.get(name, 0) for one in found) for name in _MNEMONICS}
    most = {name: max(one[name] for one in found) for name in ("registers", "spilled_bytes", "shared_bytes")}
    fewest = {"resident_blocks": min(one["resident_blocks"] for one in found)}
    return Code({"kernels": len(found), **most, **fewest, **together}, compiler)


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


def violations(found: Code, bounds: Bounds) -> tuple[str, ...]:
    """Return the bounds that a rung's code breaks, each as a sentence."""
    rows = (
        ("registers", bounds.registers, "registers of a thread"),
        ("spilled_bytes", bounds.spilled_bytes, "bytes of local memory of a thread"),
        ("shared_bytes", bounds.shared_bytes, "bytes of shared memory of a block"),
    )
    return tuple(
        f"{found.facts[name]:.0f} {words}, the limit is {bound}"
        for name, bound, words in rows
        if bound is not None and name in found.facts and found.facts[name] > bound
    )
