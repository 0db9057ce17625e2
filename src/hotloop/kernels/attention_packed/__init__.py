"""Attention forward of sequences of different lengths that lie one after the other: Gluon for Hopper."""

from __future__ import annotations

from hotloop.kernels.attention_packed.gluon import GLUON
from hotloop.kernels.attention_packed.gluon.rows import TABLE, TARGET
from hotloop.kernels.attention_packed.peers import PEERS
from hotloop.kernels.attention_packed.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.attention_packed.reference import inputs, magnitude, reference, tolerances
from hotloop.model.kernel import Kernel, Preset, Tolerance

PRESETS = tuple(
    Preset(config=row.config, implementation=GLUON.name, target=TARGET, sizes=row.sizes, evidence=row.evidence)
    for row in TABLE
)
KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(GLUON,),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    linear=("v",),
    presets=PRESETS,
    origin=__name__,
)
