"""Profiles made wrong on purpose, and the laws that an answer keeps whatever a file says.

A recording is perturbed as files go wrong in practice: counters of another scale, passes and columns that are missing, begin and end exchanged,
other units, a spreadsheet's decimal commas, several devices and processes, a pass of another run, the end cut off.
"""

from __future__ import annotations

import csv
import io
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hotloop.explain.page import Explanation
from hotloop.explain.study import Study
from hotloop.metrics.vocabulary import SHARES

Files = Mapping[str, bytes]
Change = Callable[[list[list[str]], random.Random], None]
TIMES = ("Start_Timestamp", "End_Timestamp", "BeginNs", "EndNs", "Begin_Timestamp", "End_Timestamp")
WHERE = ("GPU_ID", "gpu-id", "Agent_Id", "PID", "pid", "Process_Id", "Queue_Id", "Kernel_Id")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*\.?\d*(?![\w.])")
_SHARE = re.compile(r"(?<![\d.,×])(-?\d[\d,]*(?:\.\d+)?) ?%")
_NOT_A_NUMBER = re.compile(
    r"(?<![\w-])(?:= -?(?:nan|inf)|-?(?:nan|inf) ?(?:%|×|[kMGT]?(?:B|Hz|flop)|[mµn]?s|cycles?)(?!\w))", re.IGNORECASE
)
_UNITS = (
    ("nsecond", "usecond"), ("usecond", "msecond"), ("msecond", "second"), (" us ", " ms "), (" ns ", " us "), ("Ghz", "Mhz"), ("Mhz", "Ghz"),
    ("Gbyte/second", "Kbyte/second"), ("byte", "Mbyte"), ("Mbyte", "Gbyte"), ("inst/cycle", "inst"), ("%", "1"), ("GHz", "MHz"), ("msec", "sec"),
)  # fmt: skip


@dataclass(frozen=True)
class Broken:
    """A law that an answer does not keep."""

    law: str
    said: str


def perturbed(files: Files, rng: random.Random, others: tuple[Files, ...] = ()) -> tuple[dict[str, bytes], str]:
    """Return the files after one to three changes, and what was done."""
    changed, done = dict(files), []
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(sorted(changed))
        raw = changed[name]
        kind = rng.choice(_kinds(name, raw, len(changed), others))
        done.append(f"{kind}({name})")
        if kind == "lost":
            del changed[name]
        elif kind == "cut":
            changed[name] = raw[: rng.randint(len(raw) // 3, len(raw))]
        elif kind == "other":
            other = rng.choice(others)
            changed[name] = other.get(name, raw)
        else:
            changed[name] = _rewritten(raw, kind, rng)
    return changed, ", ".join(done)


def _kinds(name: str, raw: bytes, count: int, others: tuple[Files, ...]) -> tuple[str, ...]:
    kinds = (
        ["cut"] + (["lost"] * 2 if count > 1 else []) + (["other"] if any(name in other for other in others) else [])
    )
    if name.endswith(".csv") or raw.count(b",") > 20:
        return (*kinds, *TABLE)
    return (*kinds, *TEXT)


def _rewritten(raw: bytes, kind: str, rng: random.Random) -> bytes:
    text = raw.decode("utf-8", "replace")
    if kind in TEXT:
        return TEXT[kind](text, rng).encode()
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) < 2 or not rows[0]:
        return raw
    TABLE[kind](rows, rng)
    out = io.StringIO()
    separator = ";" if kind == "commas" else ","
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _columns(rows: list[list[str]]) -> list[int]:
    """Return the columns that hold numbers and are no time stamps."""
    first = rows[1]
    return [
        n for n, cell in enumerate(first) if n < len(rows[0]) and _number(cell) is not None and rows[0][n] not in TIMES
    ]


def _over(rows: list[list[str]], column: int, change: Callable[[float], float]) -> None:
    for row in rows[1:]:
        if column < len(row) and (value := _number(row[column])) is not None:
            row[column] = f"{change(value):.17g}"


def _long(rows: list[list[str]]) -> bool:
    return "Counter_Name" in rows[0] and "Counter_Value" in rows[0]


def _scaled(rows: list[list[str]], rng: random.Random) -> None:
    factor = rng.choice((0.0, 1e-6, 1e-3, 0.1, 0.5, 2, 4, 10, 1e3, 1e6, 1e12, -1))
    if _long(rows):
        name, value = rows[0].index("Counter_Name"), rows[0].index("Counter_Value")
        whole = [row for row in rows[1:] if len(row) > max(name, value)]
        chosen = rng.choice(whole)[name] if whole else ""
        for row in whole:
            if row[name] == chosen and (number := _number(row[value])) is not None:
                row[value] = f"{number * factor:.17g}"
    elif columns := _columns(rows):
        for column in rng.sample(columns, min(len(columns), rng.choice((1, 1, 4, 40)))):
            _over(rows, column, lambda value: value * factor)


def _noise(rows: list[list[str]], rng: random.Random) -> None:
    for column in _columns(rows):
        _over(rows, column, lambda value: value * math.exp(rng.gauss(0, 0.5)))


def _without(rows: list[list[str]], rng: random.Random) -> None:
    gone = rng.randrange(len(rows[0]))
    for row in rows:
        del row[gone : gone + 1]


def _emptied(rows: list[list[str]], rng: random.Random) -> None:
    column, value = rng.randrange(len(rows[0])), rng.choice(("", "nan", "inf", "0", "-1", "1e400", "N/A", "NaN"))
    for row in rows[1:]:
        if column < len(row):
            row[column] = value


def _exchanged(rows: list[list[str]], rng: random.Random) -> None:
    ends = [n for n, head in enumerate(rows[0]) if head in TIMES]
    if len(ends) >= 2:
        for row in rows[1:]:
            if len(row) > max(ends):
                row[ends[0]], row[ends[1]] = row[ends[1]], row[ends[0]]


def _timed(rows: list[list[str]], rng: random.Random) -> None:
    """Change the unit of the time stamps, round them, begin at 0, or make a launch last no time."""
    kind, ends = rng.choice(("unit", "round", "zero", "same")), [n for n, head in enumerate(rows[0]) if head in TIMES]
    factor = rng.choice((1e-3, 1e-6, 1e-9, 1e3, 1e6))
    for row in rows[1:]:
        for n in ends:
            value = _number(row[n]) if n < len(row) else None
            if value is None:
                continue
            changed = {
                "unit": value * factor,
                "round": float(f"{value:.6g}"),
                "zero": value if n == ends[-1] else 0.0,
                "same": 5.0,
            }
            row[n] = f"{changed[kind]:.17g}"


def _rows(rows: list[list[str]], rng: random.Random) -> None:
    kind = rng.choice(("drop", "double", "shuffle"))
    body = rows[1:]
    if kind == "drop":
        body = [row for row in body if rng.random() < 0.6] or body[:1]
    elif kind == "double":
        body += body
    else:
        rng.shuffle(body)
    rows[1:] = body


def _places(rows: list[list[str]], rng: random.Random) -> None:
    """Spread the rows over several devices, processes or queues."""
    for n, head in enumerate(rows[0]):
        if head in WHERE and rng.random() < 0.5:
            for row in rows[1:]:
                if n < len(row):
                    row[n] = f"Agent {rng.randint(0, 3)}" if row[n].startswith("Agent") else str(rng.randint(0, 3))


def _commas(rows: list[list[str]], rng: random.Random) -> None:
    for row in rows[1:]:
        row[:] = [cell.replace(".", ",") if _number(cell) is not None else cell for cell in row]


def _decimals(rows: list[list[str]], rng: random.Random) -> None:
    for row in rows[1:]:
        row[:] = [
            f"{value:.6E}" if (value := _number(cell)) is not None and rng.random() < 0.5 else cell for cell in row
        ]


TABLE: dict[str, Change] = {
    "scaled": _scaled, "scaled again": _scaled, "noise": _noise, "without": _without, "emptied": _emptied, "exchanged": _exchanged,
    "timed": _timed, "timed again": _timed, "rows": _rows, "places": _places, "commas": _commas, "decimals": _decimals,
}  # fmt: skip


def _numbers(text: str, rng: random.Random) -> str:
    """Scale some of the numbers of a page."""
    factor = rng.choice((0, 1e-3, 0.1, 0.5, 2, 10, 1e3, 1e6, -1))
    share = rng.choice((0.03, 0.2, 1.0))
    return _NUMBER.sub(
        lambda m: f"{float(m[0].replace(',', '') or 0) * factor:.4f}" if rng.random() < share else m[0], text
    )


def _units(text: str, rng: random.Random) -> str:
    before, after = rng.choice([pair for pair in _UNITS if pair[0] in text] or [("", "")])
    return text.replace(before, after) if before else text


def _lines(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    place = rng.randrange(len(lines)) if lines else 0
    kind = rng.choice(("drop", "double", "some"))
    if kind == "drop":
        del lines[place : place + rng.randint(1, 4)]
    elif kind == "double":
        lines[place:place] = lines[place : place + rng.randint(1, 30)]
    else:
        lines = [line for line in lines if rng.random() < 0.8]
    return "".join(lines)


def _locale(text: str, rng: random.Random) -> str:
    return _NUMBER.sub(lambda m: m[0].translate(str.maketrans(",.", ".,")), text)


TEXT: dict[str, Callable[[str, random.Random], str]] = {
    "numbers": _numbers, "numbers again": _numbers, "units": _units, "lines": _lines, "locale": _locale,
}  # fmt: skip


def broken(page: Explanation, study: Study, shown: str) -> Iterator[Broken]:
    """Yield the laws that an answer breaks: a share is at most the whole, a clock at most the peak, a rate at most its roof."""
    machine = study.counted.counts.machine
    for fact in study.evidence.facts:
        most = _most(fact.name, machine)
        if not math.isfinite(fact.value) or fact.value < 0 or (most is not None and fact.value > most * 1.051):
            yield Broken(
                f"{fact.name} lies in its range", f"{fact.name} = {fact.value} of at most {most} ({fact.source})"
            )
    for finding in page.findings:
        if not 0 < finding.share <= 1:
            yield Broken("a finding's share", f"{finding.rule}: {finding.share}")
        for advice in finding.advice:
            if not 0 < advice.predicted.low <= advice.predicted.high < math.inf:
                yield Broken("a prediction is an interval", f"{advice.technique}: {advice.predicted}")
    for row in page.kernels:
        if (row.share is not None and not 0 <= row.share <= 1) or (
            row.total_ns is not None and not 0 <= row.total_ns < math.inf
        ):
            yield Broken("a kernel's part of the time", f"{row}")
    static = {line.strip() for finding in page.findings for line in (finding.misleads, f"Misleads: {finding.misleads}")}
    for text in (page.verdict, page.roofline_words, *(f.message for f in page.findings), *shown.splitlines()):
        if text.strip() not in static:
            yield from _said(text)


def _most(name: str, machine: object) -> float | None:
    """Return what a quantity cannot exceed; None: no bound is known.

    Waves counted over waves launched have none: more of them say that passes are of different runs, which is what the quantity is for.
    """
    if name in SHARES:
        return 1.0
    slots = getattr(machine, "wave_slots", None)
    return {
        "gpu.clock_hz": getattr(machine, "clock_hz", None),
        "gpu.hbm_bytes_per_s": getattr(machine, "hbm_bytes_per_s", None),
        "gpu.occupancy_waves": slots,
        "gpu.resident_waves": slots,
        "gpu.lanes": 64.0,
    }.get(name)


_REFUSED = ("cannot be", "impossible", "no share", "add up to")
"""Words of a sentence that names a figure in order to refuse or doubt it."""


def _said(text: str) -> Iterator[Broken]:
    for found in _SHARE.finditer(text):
        if not 0 <= float(found[1].replace(",", "")) <= 100 and not any(words in text for words in _REFUSED):
            yield Broken("a percentage that is said", text)
    if _NOT_A_NUMBER.search(text):
        yield Broken("a number is a number", text)
