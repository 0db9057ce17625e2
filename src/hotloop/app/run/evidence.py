"""Everything that is known about a variant on a problem, gathered from all collectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hotloop.isa.static import static_evidence
from hotloop.metrics.device import device_facts
from hotloop.metrics.fact import evidence as facts
from hotloop.metrics.fact import fact
from hotloop.metrics.launch import launch, launch_share
from hotloop.metrics.roofline import roofline
from hotloop.metrics.source import source_facts
from hotloop.metrics.timing import timing
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence, Provenance
from hotloop.model.language import language
from hotloop.model.outcome import Measured, Outcome

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.device import Ceilings
    from hotloop.model.kernel import Variant
    from hotloop.model.program import Launch, Program


def collect(
    desk: Desk,
    workload: Workload,
    variant: Variant,
    outcome: Outcome,
    phases: Mapping[str, float],
    ceilings: Ceilings | None,
) -> Evidence:
    """Return facts about machine code, launches, times, roofline, device and configuration, recorded in the journal."""
    key = workload.subject(variant).key("evidence")
    return desk.remember(key, Evidence, lambda: _collect(desk, workload, variant, outcome, phases, ceilings))


def _collect(
    desk: Desk,
    workload: Workload,
    variant: Variant,
    outcome: Outcome,
    phases: Mapping[str, float],
    ceilings: Ceilings | None,
) -> Evidence:
    program = workload.program(variant)
    gathered = device_facts(desk.device).merged(launch(program, desk.device)).merged(_config(desk, workload, variant))
    call_ns, launch_ns = None, ceilings.launch_ns if ceilings else None
    if isinstance(outcome, Measured):
        call_ns = outcome.call_ns
        gathered = gathered.merged(timing(outcome, phases, launch_ns, desk.device.compute_units))
    gathered = gathered.merged(launch_share(program, launch_ns, call_ns))
    if ceilings:
        gathered = gathered.merged(roofline(workload.kernel.work(workload.problem), ceilings, call_ns))
    main = program.main
    if main is not None:
        gathered = gathered.merged(_code(desk, program, main))
        declared = source_facts(program, main)  # facts that the author declared take precedence
        gathered = gathered.merged(Evidence(tuple(f for f in declared.facts if f.name not in gathered)))
    return gathered


def _code(desk: Desk, program: Program, main: Launch) -> Evidence:
    """Return facts from the machine code, read with different tools on GPUs and CPUs."""
    binary = desk.engine.binary(program)
    if not language(desk.device.backend).code_objects:
        return static_evidence(binary, main)
    from hotloop.app.run import gpu  # imported late: a hundred modules about code objects, which a CPU has none of

    return gpu.machine_evidence(binary, main)


def _config(desk: Desk, workload: Workload, variant: Variant) -> Evidence:
    traits = variant.implementation.traits(workload.problem, variant.config, desk.device)
    source = f"configuration of {variant.implementation.name}"
    named = {name: value for name, value in traits.items() if name in BY_NAME}
    return facts(fact(name, value, Provenance.DERIVED, source) for name, value in named.items())
