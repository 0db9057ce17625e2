"""What ``rocprof-compute analyze`` (``omniperf analyze``) prints: tables of kernels and of metrics, in boxes.

Metrics are means over the launches of the kernels that were chosen; they are the kernel's only where there is one, or one is marked.
They stand here as the counters that rocprof derives itself, where these are the same (AMD, *ROCm Compute Profiler*, performance
model): what has no such name is left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from hotloop.profilers.formats.compute.system import sold
from hotloop.profilers.source import lines, named
from hotloop.profilers.tables.totals import NS, of_all
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, KernelProfile, Profile, Tally

TITLE: Final = re.compile(r"^\s*(?:\d+\.\d* ?)(?P<title>[A-Z]\S.*?)\s*$")
SAVED: Final = re.compile(r"\d+\.\d+_(?P<title>[A-Z][^/]*)\.csv")
"""Name of a table that was saved: ``2.1_Speed-of-Light.csv``."""
_RULE = re.compile(r"^\s*[╒╞├╘┌┝└+][═─╪┼┬┴╤╧┤╡╕╛+=-]+\S*\s*$")
OF_KERNEL: Final = re.compile(r"^\s*Kernel \d+: (?P<name>\S.*?) \((?P<share>\d[\d.]*)\s*%\)\s*$")
"""Head of the tables that newer versions hang below each kernel: ``Kernel 0: name (12.5%)``."""
_BRANCH: Final = re.compile(r"^\s*(?:[├└]─+\s+(?=\d)|\|\s+(?=[╒╞├╘┌┝└│]))")
"""What hangs a title or a box below a kernel."""
_NAME_WIDTH: Final = 40
"""Characters of a kernel's name that the tool prints in a line (``string_multiple_lines``)."""
_PANEL_ROW: Final = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}$")
_PEAKED: Final = 6
"""Columns of a panel whose metrics have a peak."""
_SPENT = re.compile(r"(Sum|Mean)\((\w+)\)")
_KIB: Final = 1024.0
_GIGA: Final = 1e9
_SHARES: Final = {
    "valuutil": "VALUBusy", "valuutilization": "VALUBusy", "mfmautil": "MfmaUtil", "mfmautilization": "MfmaUtil",
    "valuactivethreadswave": "VALUUtilization", "valuactivethreads": "VALUUtilization",
    "activecus": "ActiveUnits", "waveoccupancy": "OccupancyPercent", "wavefrontoccupancy": "OccupancyPercent", "l2cachehitrate": "L2CacheHit", "l2cachehit": "L2CacheHit",
}  # fmt: skip
"""Metrics of the first panel whose per cent of the peak is a derived counter."""
_LISTS: Final = frozenset({"topstat", "topstats", "topkernels", "dispatchlist"})
_LAUNCHED: Final = {"gridsize": "grid_items", "workgroupsize": "workgroup_items", "vgprs": "vgprs", "agprs": "agprs", "sgprs": "sgprs",
                    "ldsallocation": "lds_bytes", "scratchallocation": "scratch_bytes"}  # fmt: skip
"""Metrics of the panel of a launch, by the field that keeps them."""
_LACKING: Final = re.compile(r"\s*Insufficient (\S.*?)\s*$")
_RATES: Final = {"l2fabricreadbw": "FetchSize", "l2fabricwritebw": "WriteSize", "l2fabricwriteandatomicbw": "WriteSize",
                 "l2eardbw": "FetchSize", "l2eawrbw": "WriteSize", "l2eareadbw": "FetchSize", "l2eawritebw": "WriteSize"}  # fmt: skip
"""Metrics of traffic beyond the L2 cache; the first Omniperfs called the fabric by its port EA."""
_MATRIX: Final = re.compile(r"^mfma(?:fl|i)ops(?P<type>f8|f16|bf16|f32|f64|int8|i8)$")
_PER_SECOND: Final = re.compile(r"^(?P<scale>[gt])i?(?:fl)?ops?(?:/s|/sec|s)?$")
"""Units of a rate of arithmetic: versions write Gflop, GFLOP/s, GFLOPs, Giop or GIOP/s, all per second."""
_SCALES: Final = {"g": 1.0, "t": 1e3}
_TICK_FLOPS: Final = 512
"""Operations of one tick of the counters of matrix arithmetic."""
PEAK: Final = "peak"
"""Device name under which the peaks of a printed analysis are recorded as facts, in the words and units of ``roofline.csv``: Gop/s, GB/s."""
_PER_WAVE: Final = {
    "wavecycles": "SQ_WAVE_CYCLES", "dependencywaitcycles": "SQ_WAIT_ANY", "issuewaitcycles": "SQ_WAIT_INST_ANY",
    "activecycles": "SQ_ACTIVE_INST_ANY",
}  # fmt: skip
_QUAD: Final = 4
"""Clocks of one tick of the counters that the panel of a wave's life is made of."""


@dataclass(slots=True)
class _Table:
    title: str
    rows: list[list[str]] = field(default_factory=list)
    kernel: str = ""
    """Below which kernel it hangs; empty: below none."""
    headless: bool = False
    """True where its head was left out and is told by its rows."""

    def holds(self, cells: Sequence[str]) -> bool:
        """Tell whether a row can belong to it."""
        if not self.rows or len(cells) != len(self.rows[0]):
            return False
        return not self.headless or self.rows[0] == _headless(cells)

    def records(self) -> Iterator[dict[str, str]]:
        """Yield the rows by their heads, without blanks."""
        heads = [_plain(head) or f"column {n}" for n, head in enumerate(self.rows[0])] if self.rows else []
        for row in self.rows[1:]:
            yield dict(zip(heads, row, strict=False))


def read(path: Path) -> Profile:
    """Return the kernels, with metrics where they are of one kernel. Raises ProfileError."""
    with lines(path) as text:
        return _profile(path, [table for table in _tables(text) if len(table.rows) > 1], "printed analysis")


def read_saved(folder: Path) -> Profile:
    """Return the same of a folder to which ``analyze --save-dfs`` wrote each table as CSV. Raises ProfileError."""
    saved = sorted(
        (match["title"].replace("_", " "), path) for path in folder.iterdir() if (match := SAVED.fullmatch(path.name))
    )
    tables = [_Table(title, _cells(path)) for title, path in saved]
    return _profile(folder, [table for table in tables if len(table.rows) > 1], "saved tables (CSV)")


def _cells(path: Path) -> list[list[str]]:
    try:
        with lines(path) as text:
            return [[cell.strip() for cell in row] for row in csv.reader(text) if row]
    except csv.Error as error:
        raise ProfileError(f"{named(path)} is no CSV ({error}): it is damaged.") from error


def _profile(path: Path, tables: list[_Table], form: str) -> Profile:
    if any("absdiff" in map(_plain, table.rows[0]) for table in tables):
        raise ProfileError(f"{named(path)} compares two workloads, whose values stand in one table: print each alone.")
    listing = [row for table in tables if "Top" in table.title for row in _kernels(table)]
    kernels = [(kernel, chosen) for kernel, chosen, _ in listing]
    shares = [(kernel.duration_ns.total, percent) for kernel, _, percent in listing if kernel.duration_ns]
    hanging = list(dict.fromkeys(table.kernel for table in tables if table.kernel))
    if not kernels:
        kernels = [(KernelProfile(kernel=name, dispatches=1), False) for name in hanging]
    if not kernels and tables and not any(_plain(table.title) in _LISTS for table in tables):
        kernels = [
            (KernelProfile(kernel="", dispatches=1, duration_ns=_time(tables)), False)
        ]  # passed on without the list
    if not kernels:
        raise ProfileError(
            f"{named(path)} is printed by rocprof-compute, without its list of kernels: give the workload's folder."
        )
    marked = [kernel for kernel, chosen in kernels if chosen]
    only = marked[0] if len(marked) == 1 else kernels[0][0] if len(kernels) == 1 else None
    system = {row[0]: row[-1] for table in tables if table.title == "System Info" for row in table.rows[1:]}
    values = _counters(tables, only) if only is not None else {}
    sizes = _sizes(tables) if only is not None else {}
    own = {name: [table for table in tables if table.kernel == name] for name in hanging}
    listed = tuple(
        replace(_with(kernel, values), **sizes)
        if kernel is only
        else _with(kernel, _counters(own.get(kernel.kernel, ()), kernel))
        for kernel, _ in kernels
    )
    return Profile(
        tool="rocprof-compute", source=path.name, format=form, kernels=listed, kernels_ns=of_all(shares), notes=tuple(_notes(tables, alone=only is not None or bool(hanging))),
        architecture=system.get("gpu_arch"), device_name=sold(system),
        facts=tuple(_facts(tables, system)),
    )  # fmt: skip


def _time(tables: Iterable[_Table]) -> Tally | None:
    """Return the time of a launch from the panel of a wave's life, None where it is not printed."""
    rows = (row for table in tables for row in table.records() if _plain(row.get("metric", "")) == "kerneltimenanosec")
    value = next((real(row.get("avg", "")) for row in rows if row.get("unit", "").lower() == "ns"), None)
    return Tally(1, value, None, None) if value else None


def _notes(tables: Iterable[_Table], *, alone: bool) -> Iterator[str]:
    """Yield what was left out, and for lack of what work-groups had to wait before they could start."""
    if not alone:
        yield "its metrics are means over several kernels, so they are left out: print them with -k NUMBER"
        return
    for table in tables:
        for row in table.records():
            lacking = _LACKING.match(row.get("metric", ""))
            if lacking and (real(row.get("avg", "")) or 0.0) > 0:
                yield f"work-groups waited to start for lack of {lacking[1]}: {row['avg']} {row.get('unit', '')}".rstrip()


_TOLD: Final = frozenset(
    {
        "gpu_arch",
        "gpu_model",
        "cu_per_gpu",
        "simd_per_cu",
        "se_per_gpu",
        "num_xcd",
        "max_sclk",
        "hbm_bw",
        "max_waves_per_cu",
    }
)


def _facts(tables: Iterable[_Table], system: Mapping[str, str]) -> Iterator[DeviceFact]:
    """Yield what the analysis says of the machine; the peak beside a rate to memory is the memory's."""
    yield from (DeviceFact("", name, value) for name, value in system.items() if name in _TOLD and value)
    tables = tuple(tables)
    rows = (row for table in tables for row in table.records() if _plain(row.get("metric", "")) in _RATES)
    peak = next((row["peak"] for row in rows if real(row.get("peak", ""))), "")
    if peak and "hbm_bw" not in system:
        yield DeviceFact("", "hbm_bw", peak)
    peaks = {rate.type: rate.peak for rate in _matrix(tables) if rate.peak}
    yield from (
        DeviceFact(PEAK, f"MFMA{kind}{'Ops' if kind == 'I8' else 'Flops'}", f"{most:g}") for kind, most in peaks.items()
    )
    if peaks and peak:
        yield DeviceFact(PEAK, "HBMBw", peak)


@dataclass(frozen=True, slots=True)
class _Rate:
    """Matrix arithmetic of one type in Gop/s, as printed."""

    type: str
    """Type as the counters name it: F8, F16, BF16, F32, F64, I8."""
    value: float
    peak: float | None


def _matrix(tables: Iterable[_Table]) -> Iterator[_Rate]:
    """Yield the rates of matrix arithmetic with their peaks, of the first panel that has each."""
    seen = set()
    for row in (row for table in tables for row in table.records()):
        named_so, unit = _MATRIX.match(_plain(row.get("metric", ""))), _PER_SECOND.match(row.get("unit", "").lower())
        value = real(row.get("value", row.get("avg", "")))
        if named_so is None or unit is None or value is None or named_so["type"] in seen:
            continue
        seen.add(named_so["type"])
        scale = _SCALES[unit["scale"]]
        peak = real(row.get("peak", row.get("peakempirical", "")))
        kind = named_so["type"].removeprefix("int").removeprefix("i").upper()
        yield _Rate("I8" if kind == "8" else kind, scale * value, scale * peak if peak else None)


def _tables(text: Iterable[str]) -> Iterator[_Table]:
    """Yield the tables in order; a row that has no first cell goes on with the one before it, unless a line is drawn between them."""
    title, kernel, table, fresh, above = "", "", _Table(""), True, list[str]()
    for printed in text:
        line = _BRANCH.sub("", printed)
        if line == printed and (head := OF_KERNEL.match(line)):
            kernel = head["name"]
        named_so = TITLE.match(line)
        if named_so and "│" not in line:
            title, kernel = named_so["title"], kernel if line != printed else ""
        elif _RULE.match(line):
            if line.lstrip()[:1] in "╒┌":
                yield table
                table = _Table(title, kernel=kernel)
            fresh = True
        elif line.lstrip()[:1] in "│|" and line.strip():
            boxes = line.strip().strip("│|").split("│" if "│" in line else "|")
            cells = [cell.strip() for cell in boxes]
            if _PANEL_ROW.match(cells[0]) and not table.holds(cells):
                yield table
                table = _Table(title, [_headless(cells)], kernel, headless=True)
            if fresh or not table.rows or not len(cells) == len(table.rows[-1]) == len(above):
                table.rows.append(cells)
            else:
                table.rows[-1] = [_joined(*parts) for parts in zip(table.rows[-1], above, cells, strict=True)]
            fresh, above = False, boxes
    yield table


def _headless(cells: Sequence[str]) -> list[str]:
    """Return the head that a row of a panel belongs below, where people left it out: the unit stands behind the mean, or at the end."""
    if len(cells) == _PEAKED and real(cells[3]) is None:
        return ["Metric_ID", "Metric", "Avg", "Unit", "Peak", "Pct of Peak"]
    return ["Metric_ID", "Metric", "Avg", *("Min", "Max")[: len(cells) - 4], "Unit"][: len(cells)]


def _joined(before: str, box: str, after: str) -> str:
    """Return a cell and its next line: a name that fills the width of its box was cut there, between any two characters."""
    cut = len(before) >= _NAME_WIDTH and len(box.strip()) == len(box) - 2
    return ("" if cut else " ").join(filter(None, (before, after)))


def _kernels(table: _Table) -> Iterator[tuple[KernelProfile, bool, float | None]]:
    """Yield the kernels of a list, whether each is the chosen one, and its share of the time in per cent."""
    for row in table.records():
        name = row.get("kernelname", "")
        launches = real(row.get("count", ""))
        spent = next((real(row[head]) for head in row if head.startswith("sum")), None)
        unit = next((match[2] for head in table.rows[0] if (match := _SPENT.match(head)) and match[1] == "Sum"), "ns")
        if name and launches is not None and launches >= 1 and spent is not None and unit in NS:
            tally = Tally(int(launches), spent * NS[unit], None, None)
            yield (
                KernelProfile(kernel=name, dispatches=int(launches), duration_ns=tally),
                row.get("s") == "*",
                real(row.get("pct", "")),
            )


def _counters(tables: Iterable[_Table], kernel: KernelProfile) -> dict[str, float]:
    """Return the metrics of the printed panels as counters of a mean launch."""
    mean_ns = kernel.duration_ns.mean if kernel.duration_ns is not None else 0.0
    values: dict[str, float] = {}
    tables = tuple(tables)
    for table in tables:
        for row in table.records():
            name = _plain(row.get("metric", ""))
            peak = real(row.get("peakempirical", ""))
            share = real(next((row[head] for head in ("pop", "pctofpeak", "peakempirical") if head in row), ""))
            value = real(row.get("value", row.get("avg", "")))
            if name == "hbmbandwidth" and value is not None and peak:
                values.setdefault("HbmRateOfPeak", 100 * value / peak)
            elif name in _SHARES and share is not None:
                values.setdefault(_SHARES[name], share)
            elif name in _RATES and mean_ns and value is not None and row.get("unit", "").lower() in {"gb/s", "gb/sec"}:
                values.setdefault(_RATES[name], value * _GIGA * mean_ns / 1e9 / _KIB)
            elif name in _PER_WAVE and value is not None and "wave" in row.get("unit", "").lower():
                values.setdefault(_PER_WAVE[name], value / _QUAD)
    return values | _arithmetic(tuple(_matrix(tables)), mean_ns)


def _arithmetic(rates: Sequence[_Rate], mean_ns: float) -> dict[str, float]:
    """Return the matrix operations of a mean launch, where its time is told, and how much of the peak their rates are.

    Types run one after another, so their shares of the peak add up.
    """
    ticks = {f"SQ_INSTS_VALU_MFMA_MOPS_{rate.type}": rate.value * mean_ns / _TICK_FLOPS for rate in rates if mean_ns}
    shares = [rate.value / rate.peak for rate in rates if rate.peak]
    return ticks | ({"MfmaRateOfPeak": 100 * sum(shares)} if shares else {})


def _sizes(tables: Iterable[_Table]) -> dict[str, Any]:
    """Return what the panel of the launch tells; a value that differs between launches is left out."""
    rows = [row for table in tables for row in table.records() if _plain(row.get("metric", "")) in _LAUNCHED]
    alike = [row for row in rows if row.get("avg") and row.get("min", "") == row.get("max", "")]
    values = {_LAUNCHED[_plain(row["metric"])]: real(row["avg"]) for row in alike}
    return {name: int(value) for name, value in values.items() if value is not None}


def _with(kernel: KernelProfile, values: Mapping[str, float]) -> KernelProfile:
    count = kernel.dispatches
    counters = {name: Tally(count, value * count, None, None) for name, value in values.items()}
    return KernelProfile(kernel=kernel.kernel, dispatches=count, duration_ns=kernel.duration_ns, counters=counters)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.partition("(ns)")[0].lower())
