"""What a person gives to ``hotloop explain``: profiles, traces, listings, code objects; and which kernel is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hotloop.errors import UsageError
from hotloop.explain.page import Input, KernelRow
from hotloop.explain.time import possible
from hotloop.isa.summary.model import KernelReport
from hotloop.profiles.names import parsed, same
from hotloop.profiles.profile import KernelProfile, Profile


@dataclass(frozen=True, slots=True)
class Material:
    """All inputs of `explain` after reading."""

    profiles: tuple[Profile, ...]
    reports: tuple[KernelReport, ...]
    inputs: tuple[Input, ...]


_RUNTIME = "__amd_rocclr_"
"""Beginning of the names of kernels with which AMD's runtime fills and copies: nobody's own, however many there are."""


_UNTIMED = "the files tell no times, --kernel chooses another"
_WORK = {
    "clocks": ("GRBM_GUI_ACTIVE", "GRBM_COUNT", "SQ_BUSY_CYCLES", "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg"),
    "bytes": ("FETCH_SIZE", "TCC_EA_RDREQ_sum", "TCC_EA0_RDREQ_sum", "dram__bytes.sum", "dram__bytes_read.sum"),
}
"""Counters that tell which kernel took the time, the surest first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The kernel that is explained."""

    name: str
    why: str
    """One sentence."""


def choose(material: Material, wish: str = "") -> Choice:
    """Return the kernel that `wish` names, or else the one with the most time.

    Raises:
        UsageError: no kernel, or none or several of that name.
    """
    profiled = kernels(material)
    coded = (report.kernel for report in material.reports)
    names = tuple(dict.fromkeys((*(row.name for row in profiled), *_traced(material), *coded)))
    if wish and names:
        return Choice(_wished(wish, names), "asked for by name")
    if profiled:
        return _longest(profiled, material.profiles)
    if not names and any(p.trace or p.samples or p.calls or p.readings for p in material.profiles):
        return Choice("", "the inputs name no kernel")
    if not names:
        raise UsageError(f"{_nameless(material)}: give counters, a kernel trace, a thread trace or code.")
    if len(names) == 1:
        return Choice(names[0], "the only kernel")
    return Choice(names[0], f"the first of {len(names)}: no time is known, --kernel chooses another")


def followed(material: Material, before: str) -> Choice:
    """Return the kernel of that name in the inputs after a change, or their longest when a rewrite renamed it."""
    if not before:
        return choose(material)
    try:
        return choose(material, before)
    except UsageError:
        longest = choose(material)
        return replace(longest, why=f"no kernel is named like the first one; {longest.why}")


def _nameless(material: Material) -> str:
    """Return what inputs without any kernel are, as the beginning of a sentence."""
    names = ", ".join(row.name.rstrip("/").rpartition("/")[2] for row in material.inputs)
    if any(profile.facts for profile in material.profiles):
        return f"{names} describe{'s' if len(material.inputs) == 1 else ''} a machine and no kernel; add what was counted on it"
    return f"{names} hold{'s' if len(material.inputs) == 1 else ''} no launch of a kernel, perhaps a header only"


def _wished(wish: str, names: Sequence[str]) -> str:
    exact = [name for name in names if same(name, wish)] or [name for name in names if wish in name]
    distinct = {parsed(name).full for name in exact}
    if len(distinct) == 1 or (exact and all(same(exact[0], name) for name in exact)):
        return exact[0]
    shown = ", ".join(_short(name) for name in (exact or names)[:12])
    problem = "several kernels are named like" if exact else "there is no kernel"
    raise UsageError(f"{problem} {wish[:100]!r}; the inputs have {shown or 'none'}.")


def _longest(rows: Sequence[KernelRow], profiles: Sequence[Profile]) -> Choice:
    timed = [row for row in rows if row.total_ns]
    if len(rows) == 1:
        return Choice(rows[0].name, "the only kernel")
    if not timed:
        return _busiest(rows, profiles)
    most = max(timed, key=lambda row: row.total_ns or 0.0)
    return Choice(
        most.name,
        f"of {len(rows)} the one with the most time, {100 * (most.share or 0):.0f} %: --kernel chooses another",
    )


def _busiest(rows: Sequence[KernelRow], profiles: Sequence[Profile]) -> Choice:
    """Return the kernel that did the most where no time is told: by clocks, else by bytes, else by launches."""
    for what, counters in _WORK.items():
        for counter in counters:
            work = _counted(profiles, counter)
            if len(work) == len(rows):
                most = max(rows, key=lambda row: work[parsed(row.name).full])
                return Choice(most.name, f"of {len(rows)} the one with the most {what}: {_UNTIMED}")
    most = max(rows, key=lambda row: (not row.name.startswith(_RUNTIME), row.dispatches))
    besides = any(row.dispatches > most.dispatches for row in rows)
    but = ", but for the runtime's own copies and fills" * besides
    return Choice(most.name, f"of {len(rows)} the one launched most often{but}: {_UNTIMED}")


def _counted(profiles: Sequence[Profile], counter: str) -> dict[str, float]:
    """Return the sum of a counter over the launches of each kernel that has it."""
    own = (kernel for profile in profiles for kernel in profile.kernels if counter in kernel.counters)
    return {parsed(kernel.kernel).full: kernel.counters[counter].mean * kernel.dispatches for kernel in own}


def kernels(material: Material) -> tuple[KernelRow, ...]:
    """Return the profiled kernels, the one with the most time first; a kernel in several files counts once."""
    rows: dict[str, tuple[str, int, float | None]] = {}
    for kernel in (kernel for profile in material.profiles for kernel in profile.kernels):
        key = parsed(kernel.kernel).full
        name, dispatches, total = rows.get(key, (kernel.kernel, 0, None))
        spent = _spent(kernel)
        rows[key] = (name, max(dispatches, kernel.dispatches), total if spent is None else max(total or 0.0, spent))
    told_ns = max((profile.kernels_ns or 0.0 for profile in material.profiles), default=0.0)
    all_ns = max(sum(total for _, _, total in rows.values() if total), told_ns)
    made = [KernelRow(n, d, t, t / all_ns if t is not None and all_ns else None) for n, d, t in rows.values()]
    return tuple(sorted(made, key=lambda row: (-(row.total_ns or 0.0), -row.dispatches)))


def _spent(kernel: KernelProfile) -> float | None:
    """Return the time of all launches in ns, None where none is told or hardly a clock passed in it."""
    times = kernel.duration_ns
    if times is None or not possible(times.mean, {name: tally.mean for name, tally in kernel.counters.items()}):
        return None
    return times.total


def matching(material: Material, name: str) -> Iterator[tuple[Profile, KernelProfile]]:
    """Yield the profiles that know a kernel, with its part."""
    for profile in material.profiles:
        own = [k for k in profile.kernels if parsed(k.kernel).full == parsed(name).full]
        own = own or [k for k in profile.kernels if same(k.kernel, name)]
        if len(own) >= 1:
            yield profile, own[0]


def report_of(material: Material, name: str) -> KernelReport | None:
    """Return the code of a kernel: by name, or the only code there is."""
    own = [report for report in material.reports if same(report.kernel, name)]
    if own:
        return own[0]
    return material.reports[0] if len(material.reports) == 1 else None


def traces(material: Material) -> tuple[Profile, ...]:
    """Return the profiles that hold a thread trace or samples of instructions."""
    return tuple(profile for profile in material.profiles if profile.trace is not None)


def _traced(material: Material) -> Iterator[str]:
    for profile in traces(material):
        if profile.trace is not None:
            yield from (kernel.name for kernel in profile.trace.kernels if kernel.name)


def _short(name: str) -> str:
    full = " ".join(name.split())
    return full if len(full) <= 60 else f"{full[:59]}…"
