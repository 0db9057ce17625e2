"""A ladder compiled for a GPU that is not here: what each rung costs, which latency it hides, and what follows from that."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

from hotloop import registry
from hotloop.app import userfile
from hotloop.app.code import offline
from hotloop.app.events import Listener, Silent, Stage
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.judge import compare, decide, violations
from hotloop.app.ladder.subjects import config_of, problem_of
from hotloop.compilers.offer import Compiled, Compiler, Request, Result
from hotloop.errors import MissingExtraError, UsageError
from hotloop.isa.amdgcn.costs import cost
from hotloop.isa.banks.conflict import conflicts
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import MULTIPLY_ADD, Function, InstructionKind
from hotloop.isa.occupancy import ask as occupancy
from hotloop.isa.occupancy.result import Occupancy
from hotloop.isa.resources import KernelResources
from hotloop.isa.rungs import Collection
from hotloop.isa.summary.build import Source, report
from hotloop.isa.summary.unpacking import unpacking
from hotloop.model.ladder import Ladder, Limits, Rung, Unit
from hotloop.model.outcome import NotApplicable, describe
from hotloop.model.record import Scalar
from hotloop.report.ladder.view import Built, Conflict, Decision, Estimate, LadderView, RungView
from hotloop.targets.banks import model
from hotloop.targets.target import Target

_WORKGROUP = 256
_IDLE = ("s_nop", "v_nop")


def compiled(family: str, target: str, rungs: Sequence[str] = (), listener: Listener | None = None) -> LadderView:
    """Compile the rungs of a family's ladder for a target, each in a process of its own, and judge them.

    Args:
        family: kernel family.
        target: ``gfx942``, ``gfx1012`` ...
        rungs: names; those below them come along. Empty: all.
        listener: is told which rung is being compiled.

    Raises:
        UsageError: no such ladder or rung.
        MissingExtraError: a compiler is not installed; a rung of another series than the ladder's own is left out instead.
    """
    aim = Target.parse(target)
    ladder = ladder_data.ladder_for(family, aim.name)
    offered, bounds = ladder_data.collection(family), ladder_data.limits(family, aim.name)
    chosen, views = ladder.chosen(rungs, aim.name), dict[str, RungView]()
    for rung in chosen:
        (listener or Silent()).notify(Stage(f"compiling {rung.name} for {rung_target(rung, aim)}"))
        views[rung.name] = _view(ladder, rung, aim, offered, bounds.get(rung.name), views)
    return LadderView(ladder, aim.name, tuple(views.values()), ladder_data.forecast(family, aim.name))


def rung_target(rung: Rung, aim: Target) -> Target:
    """Return the target with the wave size of a rung."""
    return aim.with_wave(rung.wave) if rung.wave else aim


def _view(
    ladder: Ladder, rung: Rung, aim: Target, offered: Collection, bound: Limits | None, before: Mapping[str, RungView]
) -> RungView:
    try:
        made = compile_rung(ladder, rung, rung_target(rung, aim))
    except MissingExtraError as missing:
        if not rung.series:
            raise
        return RungView(rung=rung, built=None, decision=Decision.SKIP, reason=f"left out: {missing}")
    if not isinstance(made, Compiled):
        built, failure = None, describe(made)
    else:
        built, failure = _built(ladder, rung, rung_target(rung, aim), made, offered), ""
    numerics = offered.numerics(ladder, rung, aim.name) if offered.numerics else None
    below = before.get(rung.after)
    same = next((n for n, v in before.items() if built and v.built and _alike(built, v.built)), "")
    decision, reason = decide(
        built,
        below.built if below else None,
        numerics=numerics,
        failure=failure,
        same_code=same,
        launch=bool(rung.problem),
    )
    return RungView(
        rung=rung,
        built=built,
        failure=failure,
        numerics=numerics,
        decision=decision,
        reason=reason,
        same_code=same,
        violations=violations(built, bound) if bound else (),
        limited=bound is not None,
        claims=compare(rung, aim.name, built),
    )


def _alike(built: Built, other: Built) -> bool:
    """Tell whether two rungs are the same machine code with the same local memory, so that nothing can differ."""
    return built.code == other.code and built.lds_bytes == other.lds_bytes


# -- compiling --------------------------------------------------------------------------------------------------------


def compile_rung(
    ladder: Ladder, rung: Rung, target: Target, sizes: Mapping[str, Scalar] | None = None
) -> Result | NotApplicable:
    """Compile one rung, for the ladder's problem with other `sizes` where given."""
    if unit := unit_of(ladder, rung, target.name, sizes):
        return _front_end(unit.language).compile(
            Request(source=Path(unit.name), text=unit.text, target=target, kernel=unit.entry, options=unit.options)
        )
    if ladder.source:
        values = ladder.changes(rung, target.name)
        return offline.compile_offline(
            f"{source_of(ladder)}:{rung.kernel}_{target.name}", str(target), parameters=values
        )
    kernel = userfile.find(ladder.family)
    problem, config = problem_of(kernel, ladder, rung), config_of(kernel, ladder, rung, target.name)
    try:
        chosen = kernel.implementation(ladder.implementation(rung))
        program = chosen.plan(problem, config, offline.device_for(target))
    except ValueError as reason:
        return NotApplicable(str(reason))
    request = Request(
        source=Path(program.source_name or "kernel.cl"),
        text=program.source,
        target=target,
        kernel=(program.main or program.launches[-1]).entry,
        options=(*program.options, *rung.options),
    )
    return _front_end(program.language).compile(request)


def _front_end(language: str) -> Compiler:
    compiler: Compiler = registry.load(offline.COMPILERS, language, "COMPILER")
    return compiler


def unit_of(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar] | None = None) -> Unit | None:
    """Return the source and the launch of a rung; None where it is a Python file's or the family's own plan."""
    make = ladder_data.collection(ladder.family).unit
    return make(ladder, rung, target, sizes or {}) if make and ladder.source else None


def source_of(ladder: Ladder) -> Path:
    """Return the file with a ladder's kernels."""
    folder = resources.files(ladder_data.collection(ladder.family).package)
    return Path(str(folder / ladder.source))


# -- what was built ---------------------------------------------------------------------------------------------------


def _built(ladder: Ladder, rung: Rung, target: Target, made: Compiled, offered: Collection) -> Built:
    function, used = _kernel(made)
    if unit := unit_of(ladder, rung, target.name):
        used = replace(used, lds_bytes=(used.lds_bytes or 0) + unit.shared_bytes)
    room = _room(target, rung, used)
    reported = report(function, Source(dialect="amdgcn", origin=rung.name))
    loop = reported.hot
    works, cycles = loop.units, loop.cycles
    stalls, arithmetic = sum(h.stall_cycles for h in loop.hiding), _arithmetic(function)
    spent = None
    if cycles is not None and works and loop.unit != "FMA":
        spent = _estimate(cycles, stalls, arithmetic, room.resident_waves, works)
    wave = used.wave_size or target.wave_size
    halves = unpacking(hot_loop(function).instructions, function.instructions)
    return Built(
        compiler=made.compiler,
        vgprs=used.vgprs,
        agprs=used.agprs,
        total_vgprs=used.total_vgprs if used.total_vgprs is not None else used.vgprs,
        sgprs=used.sgprs,
        spills=used.vgpr_spills,
        lds_bytes=used.lds_bytes or 0,
        waves=room.waves,
        max_waves=room.max_waves,
        wave=wave,
        groups=room.groups,
        resident_waves=room.resident_waves,
        unit=room.unit,
        limits=tuple((limit.resource, limit.waves) for limit in room.limits),
        work=loop.unit,
        works=works,
        instructions=loop.instructions,
        hiding=loop.hiding,
        waits=tuple(sorted(Counter(wait.counter for wait in loop.waits).items())),
        cycles=cycles,
        stall_cycles=stalls,
        arithmetic_cycles=arithmetic,
        estimate=spent,
        conflicts=_conflicts(ladder, rung, target, wave, offered),
        hazards=reported.hazards,
        code=_digest(function),
        local_reads=tuple((w.bits, w.count) for w in loop.widths if w.what == "LDS read"),
        conversions=halves,
        idle=sum(i.mnemonic in _IDLE for i in hot_loop(function).instructions),
        multiplies=sum(i.kind in MULTIPLY_ADD or i.kind is InstructionKind.MATRIX for i in function.instructions),
        gates=offered.gates(ladder, rung, function) if offered.gates else (),
        scratch_bytes=used.scratch_bytes,
        macs=loop.macs,
    )


def _kernel(made: Compiled) -> tuple[Function, KernelResources]:
    used = next((k for k in made.resources if k.name == made.kernel), made.resources[0])
    function = next(f for f in DIALECT.parse(made.listing) if f.name == used.name)
    return replace(function, resources=used), used


def _room(target: Target, rung: Rung, resources: KernelResources) -> Occupancy:
    agprs = resources.agprs or 0
    vgprs = resources.vgprs if resources.vgprs is not None else (resources.total_vgprs or 0) - agprs
    question = occupancy.Question(
        target=target.name,
        vgprs=vgprs,
        agprs=agprs,
        sgprs=resources.sgprs,
        lds_bytes=resources.lds_bytes or 0,
        workgroup=resources.workgroup_max or _WORKGROUP,
        wave=resources.wave_size,
        mode=rung.mode,
    )
    return occupancy.ask(question).occupancy


def _arithmetic(function: Function) -> int:
    """Return the cycles of one iteration in which the matrix unit, or without it the vector unit, is busy."""
    code = hot_loop(function).instructions
    matrix = sum(cost(i, function.target).matrix_cycles for i in code if i.kind is InstructionKind.MATRIX)
    return matrix or sum(cost(i, function.target).issue_cycles for i in code if i.kind in MULTIPLY_ADD)


def _estimate(cycles: int, stalls: int, arithmetic: int, waves: float, works: int) -> Estimate:
    """Return cycles of a SIMD per matrix instruction when `waves` share it.

    A round of all resident waves takes at least one wave's own time, and at least what they must do one after the other:
    the matrix instructions alone (low), or everything but the stalls (high). Kernels without matrix instructions get none:
    whether staging is part of their hot loop depends on what the compiler unrolls, so two rungs would not be comparable.
    """
    alone, busy = cycles / max(waves, 1.0), cycles - stalls
    return Estimate(max(arithmetic, alone) / works, max(busy, alone) / works)


def _conflicts(ladder: Ladder, rung: Rung, target: Target, wave: int, offered: Collection) -> tuple[Conflict, ...]:
    rows = []
    for access in offered.accesses(ladder, rung, wave) if offered.accesses else ():
        try:
            banks = model(target.name, access.op, access.bits, wave)
        except UsageError:  # nothing is published about this width: no figure is better than a guessed one
            continue
        if len(access.addresses_bytes) == banks.lanes:
            cost_ = conflicts(banks, access.addresses_bytes)
            rows.append(Conflict(access.what, cost_.cycles, cost_.ideal_cycles))
    return tuple(rows)


def _digest(function: Function) -> str:
    text = "\n".join(f"{i.mnemonic} {i.operands}" for i in function.instructions)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
