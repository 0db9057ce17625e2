"""Which rules are about GPUs and which about CPUs: a rule weighs its facts against one kind of processor only."""

from __future__ import annotations

from hotloop.diagnose.engine import rules
from hotloop.diagnose.rule import Rule
from hotloop.isa.gpumix import GPU_NAMES

_STATIC = frozenset({*GPU_NAMES, "static.calls", "static.global_load_cover", "static.local_drains_per_matrix"})
"""Facts about machine code that only a GPU's code has; all ``gpu.*`` and ``isa.*`` facts are a GPU's, too."""


def of_gpus() -> tuple[Rule, ...]:
    """Return the rules that need a fact which only GPUs have."""
    return tuple(rule for rule in rules() if _needs_gpu(rule))


def of_cpus() -> tuple[Rule, ...]:
    """Return the rules that need no fact of a GPU; they compare code and timings with a CPU's caches and vector width."""
    return tuple(rule for rule in rules() if not _needs_gpu(rule))


def _needs_gpu(rule: Rule) -> bool:
    return any(name in _STATIC or name.startswith(("gpu.", "isa.")) for name in rule.needs)
