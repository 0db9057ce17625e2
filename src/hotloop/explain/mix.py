"""What counters say of a kernel in plain tables: where waves' time goes, what they execute, how full the machine is."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop import units
from hotloop.explain.page import Row, Table
from hotloop.model.evidence import Evidence

_STATES = (
    ("gpu.wait_share", "wait for a dependency (memory, barrier, instruction fetch)"),
    ("gpu.global_wait_share", "… of that for global memory, at most"),
    ("gpu.issue_wait_share", "ready, wait to issue"),
    ("gpu.lds_wait_share", "wait for local memory"),
    ("gpu.barrier_wait_share", "wait at barriers"),
    ("gpu.matrix_wait_share", "wait for matrix instructions"),
    ("gpu.math_wait_share", "wait for a busy arithmetic pipe"),
    ("gpu.fetch_wait_share", "wait for instructions"),
    ("gpu.store_wait_share", "wait until memory takes stores"),
    ("gpu.constant_wait_share", "wait for constants"),
    ("gpu.fixed_wait_share", "fixed latency of the instruction before"),
    ("gpu.ready_share", "ready, another wave goes first"),
    ("gpu.active_share", "work on an instruction"),
    ("gpu.issued_share", "issue"),
)
_GLOBAL = "gpu.global_wait_share"
_KINDS = (
    ("gpu.valu_per_wave", "vector"),
    ("gpu.matrix_per_wave", "matrix"),
    ("gpu.salu_per_wave", "scalar"),
    ("gpu.smem_per_wave", "scalar memory"),
    ("gpu.lds_per_wave", "local memory"),
    ("gpu.vmem_per_wave", "global memory"),
)
_FILL = (
    *("gpu.groups", "gpu.waves", "gpu.rounds", "gpu.occupancy", "gpu.occupancy_limit", "gpu.limit_registers", "gpu.limit_local"),
    *("gpu.limit_waves", "gpu.running_share", "gpu.busy_share", "gpu.lane_share", "gpu.vgprs", "gpu.local_bytes", "gpu.scratch_bytes"),
)  # fmt: skip
_CACHES = (
    *(
        "gpu.l1_hit_rate",
        "gpu.l2_hit_rate",
        "gpu.icache_miss_rate",
        "gpu.lines_per_vmem",
        "gpu.load_sectors",
        "gpu.sector_use",
    ),
    *(
        "gpu.lds_conflicts_per_access",
        "gpu.lds_conflict_share",
        "gpu.memory_stall_share",
        "gpu.vmem_latency_cycles",
        "gpu.l2_latency_cycles",
    ),
    *("gpu.lds_latency_cycles", "gpu.hbm_bytes", "gpu.l2_bytes", "gpu.flops_per_hbm_byte"),
)
_SMALLEST = 0.005


def tables(evidence: Evidence, value: dict[str, str], meaning: dict[str, str]) -> Iterator[Table]:
    """Yield the tables; `value` and `meaning` word each fact."""
    yield Table(_where(evidence), ("", "share", "fact"), tuple(_states(evidence)))
    yield Table("Instructions of one wave", ("kind", "count", "share"), tuple(_kinds(evidence)))
    yield _plain("How full the machine is", _FILL, value, meaning)
    yield _plain("Caches and memory", _CACHES, value, meaning)


def _where(evidence: Evidence) -> str:
    """Return the heading; it says so where the three states of AMD's waves are not all of their time together."""
    facts = [evidence.get(name) for name in ("gpu.wait_share", "gpu.issue_wait_share", "gpu.active_share")]
    parts = [part for part in facts if part is not None]
    apart = len(parts) == len(facts) and abs(sum(parts) - 1) >= _SMALLEST
    return f"Where waves' time goes{' (passes are runs of their own: shares need not add up)' if apart else ''}"


def _states(evidence: Evidence) -> Iterator[Row]:
    for share, words, name in _known(evidence):
        if share >= _SMALLEST:
            yield Row((words, units.percent(share), name))


def _known(evidence: Evidence) -> Iterator[tuple[float, str, str]]:
    """Yield share, words and fact of each state; waiting for global memory is a part of all waiting only where that is told."""
    whole = evidence.get("gpu.wait_share") is not None
    for name, words in _STATES:
        share = evidence.get(name)
        if share is not None:
            yield share, words if whole or name != _GLOBAL else "wait for global memory, at most", name


def _kinds(evidence: Evidence) -> Iterator[Row]:
    kinds = {words: count for name, words in _KINDS if (count := evidence.get(name)) is not None}
    if "vector" in kinds and "matrix" in kinds:
        kinds["vector"] = max(
            0.0, kinds["vector"] - kinds["matrix"]
        )  # AMD counts matrix instructions as vector ones, too
    per_wave = evidence.get("gpu.insts_per_wave")
    for words, count in sorted(kinds.items(), key=lambda item: -item[1]):
        fits = per_wave is not None and 0 < count <= per_wave  # passes that do not fit together give no share
        yield Row((words, units.significant(count), units.percent(count / per_wave) if per_wave and fits else "–"))
    if per_wave and kinds:
        rest = per_wave - sum(kinds.values())
        yield Row(
            ("branches, waits and others", units.significant(max(0.0, rest)), units.percent(max(0.0, rest) / per_wave))
        )


def _plain(title: str, names: tuple[str, ...], value: dict[str, str], meaning: dict[str, str]) -> Table:
    rows = tuple(Row((name, value[name], meaning[name])) for name in names if name in value)
    return Table(title, ("fact", "value", "meaning"), rows)


def summary(evidence: Evidence) -> str:
    """Return what the counters say in one clause where no rule says anything; empty when they say nothing."""
    parts = []
    part = _GLOBAL if evidence.get("gpu.wait_share") is not None else ""
    spent = [(share, words) for share, words, name in _known(evidence) if share and name != part]
    if spent:
        share, words = max(spent)
        parts.append(f"waves spend {units.percent(share)} of their time thus: {words}")
    for name, words in (("gpu.matrix_utilization", "matrix units"), ("gpu.valu_utilization", "vector units")):
        used = evidence.get(name)
        if used is not None:
            parts.append(f"{words} {units.percent(used)}")
    return ", ".join(parts)
