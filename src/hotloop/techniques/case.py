"""Small situations with a known answer: illustrations in the documentation, and tests of the techniques."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hotloop.model.device import Device
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.finding import Finding
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space
from hotloop.techniques.situation import Situation


def avx512() -> Device:
    """Return the device of examples: a two-core AVX-512 processor without local memory of its own."""
    return Device(
        name="two cores",
        kind="cpu",
        backend="null",
        runtime="null",
        runtime_key="null",
        target="x86-64-avx512",
        compute_units=2,
        vector_bits=512,
        vector_registers=32,
        l1_bytes=48 << 10,
        l2_bytes=1 << 20,
    )


def gpu_device(target: str) -> Device:
    """Return the device of examples on GPUs: local memory of its own, many units."""
    return Device(
        name=f"a {target}",
        kind="gpu",
        backend="null",
        runtime="null",
        runtime_key="null",
        target=target,
        compute_units=128,
        local_mem_dedicated=True,
    )


def no_traits(_config: Config) -> Mapping[str, float]:
    """Return the traits of a kernel that states none."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A small space with a start, and what the technique must do with it: an illustration and a test."""

    text: str
    parameters: tuple[Parameter, ...]
    """Parameters of the space; those without a label get the technique's name."""
    start: Config
    facts: tuple[tuple[str, float], ...] = ()
    share: float = 0.5
    """Share of run time that the finding explains."""
    expects: tuple[str, ...] = ()
    """Texts of changes that must be among the moves, e.g. ``VW 1 → 16``; empty: the technique must stay silent."""
    traits: Callable[[Config], Mapping[str, float]] = no_traits
    described: bool = False
    """True where its kernel states the traits that the technique's module has for it."""
    sizes: Record = field(default_factory=lambda: Record(n=1024))
    device: Device = field(default_factory=avx512)

    def situation(self, technique: str) -> Situation:
        """Return the situation that the case describes."""
        parameters = tuple(
            Parameter(p.name, p.values, p.technique or technique, p.doc, p.ordinal) for p in self.parameters
        )
        implementation = Implementation(
            "case",
            "null",
            Space(parameters),
            self.start,
            lambda _p, _c, _d: Program("null", ""),
            traits=lambda _p, config, _d: self.traits(config),
        )
        facts = tuple(Fact(name, value, "", Provenance.MEASURED, self.text) for name, value in self.facts)
        finding = Finding(
            rule="case", message=self.text, share=self.share, evidence=tuple(dict(self.facts)), suggests=(technique,)
        )
        variant = Variant(implementation, self.start)
        return Situation(variant, Problem("case", self.sizes), self.device, Evidence(facts), finding)


def sums_of_a_tile(config: Config) -> dict[str, float]:
    """Return the traits of examples whose work-item sums a tile of MWI rows and NWI columns in registers of 16 elements."""
    rows, vectors = config.integer("MWI"), max(1, config.integer("NWI") // 16)
    return {"config.accumulator_registers": rows * vectors, "config.reuse": rows * vectors / (rows + vectors)}
