"""The table within Nsight Compute's output: messages before and after it, and the kernel that a row describes.

A page whose numbers are all in the spelling of one other language is read in it; spreadsheets of such languages save it with
semicolons. One that mixes spellings is refused: nobody can tell 1.234 from 1,234 in it. A last row that was cut off with the file
is left out, and the page says so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.ncu.number import Spelling
from hotloop.profilers.source import lines, named
from hotloop.profilers.summary import Summary
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError, printable
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

_MESSAGE = re.compile(r"==(PROF|WARNING|ERROR)== (.*)")
_INACCESSIBLE = re.compile(r"Unable to access the following \d+ metrics?: (.*?)\.?\s*$")
_EXTENT = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)?")
_BEGINNING = re.compile(
    r'"ID"|ID[,;]|"Kernel Name"[,;]|Kernel Name[,;]|"?Process ID"?[,;]"?(?:Kernel|Process) Name"?[,;]|"?Metric Name"?[,;]"?Metric Unit'
)
"""How a table's head begins. ``--print-summary`` has one row for all launches and so no ID; of one launch people keep the metrics alone."""
BARE = ("Metric Name", "Metric Unit", "Metric Value")
"""All columns of a table that tells of no kernel."""
_SEMICOLONS = ";"
CUT = "the page is cut off in its last row, which was left out: launches and metrics behind it are missing"
_MAYBE_DECIMALS = re.compile(r"[+-]?\d{1,3},\d{3}")
_ATTRIBUTE = "device__attribute_"
WARP = 32
"""Threads of a warp on every NVIDIA GPU so far."""


@dataclass(slots=True)
class Page:
    """A table that is being read; messages may follow it, so `notes` are complete after the last row."""

    path: Path
    columns: tuple[str, ...] = ()
    rows: Iterator[list[str]] = field(default_factory=lambda: iter(()))
    notes: list[str] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    spelling: Spelling = Spelling.ENGLISH
    separator: str = ","
    least: int = 0
    """Cells that a row has at least; a reader sets it before it takes rows."""
    is_open: bool = False
    """Whether the text ends within a quoted cell."""

    def value(self, column: str, text: str) -> float | None:
        """Return a cell's number, None for text. Raises LocalizedError for one that is surely in another spelling."""
        other = self.separator == _SEMICOLONS and self.spelling is Spelling.ENGLISH
        if self.spelling.contradicted(text) or (other and _MAYBE_DECIMALS.fullmatch(text.strip())):
            raise LocalizedError(
                f"{named(self.path)} has localized numbers ({printable(column)}: {printable(text)}): "
                "write it again with LC_ALL=C, or with 'ncu --print-fp'."
            )
        return self.spelling.number(text)


class LocalizedError(ProfileError):
    """A number in the spelling of another language than the rest of its page."""


def in_one_spelling(path: Path, read: Callable[[Path, Spelling], Profile]) -> Profile:
    """Return what a page says in the first spelling that all of its numbers can have.

    Raises:
        ProfileError: damaged, or numbers in several spellings.
    """
    first: LocalizedError | None = None
    for spelling in Spelling:
        try:
            return read(path, spelling)
        except LocalizedError as error:
            first = first or error
    assert first is not None
    raise first


def pages(path: Path, spelling: Spelling = Spelling.ENGLISH) -> Iterator[Page]:
    """Yield the one table of a file, its header taken; a generator, so that the file is closed when it is done.

    Raises:
        ProfileError: no table, or a damaged one.
    """
    with lines(path) as text:
        page = Page(path, spelling=spelling)
        table = _without_messages(text, page)
        head = next(table, "")
        page.separator = _SEMICOLONS if head.count(_SEMICOLONS) > head.count(",") else ","
        reader = csv.reader(chain((head,), table), delimiter=page.separator)
        try:
            page.columns = tuple(column.strip() for column in next(reader, ()))
        except csv.Error as error:
            raise broken(path, reader.line_num, str(error)) from error
        if "Kernel Name" not in page.columns and page.columns != BARE:
            raise no_table(path)
        page.rows = _rows(page, reader)
        yield page


def no_table(path: Path) -> ProfileError:
    """Return the error for output without a table."""
    return ProfileError(
        f"{named(path)} holds messages of Nsight Compute but no table: write one with 'ncu --csv --page raw', "
        "and see in the messages whether a kernel was profiled."
    )


def broken(path: Path, line: int, reason: str) -> ProfileError:
    """Return the error for a damaged table."""
    return ProfileError(
        f"{named(path)}, row {line} of the table is damaged ({printable(reason)}): write the page again."
    )


def _without_messages(text: Iterator[str], page: Page) -> Iterator[str]:
    """Yield the lines of the table; a message within a quoted cell is none, because no quote is open where one begins."""
    begun = is_open = False
    for line in text:
        message = None if is_open else _MESSAGE.match(line)
        if message:
            _keep(message[1], message[2].strip(), page)
            continue
        begun = begun or _BEGINNING.match(line) is not None
        if begun and (is_open or line.strip()):
            is_open ^= line.count('"') % 2 == 1
            page.is_open = is_open
            yield line


def _keep(kind: str, message: str, page: Page) -> None:
    match = _INACCESSIBLE.search(message)
    if match:
        page.absent += [Absent(name.strip(), "Nsight Compute could not access it") for name in match[1].split(",")]
    elif kind != "PROF":
        page.notes.append(f"Nsight Compute: {printable(message)}")


def _rows(page: Page, reader: Iterator[list[str]]) -> Iterator[list[str]]:
    last: list[str] = []
    try:
        for row in filter(None, reader):
            if last:
                yield last
            last = row
    except csv.Error as error:
        raise broken(page.path, getattr(reader, "line_num", 0), str(error)) from error
    if last and (page.is_open or len(last) < page.least):
        page.notes.append(CUT)
    elif last:
        yield last


def extent(text: str) -> int | None:
    """Return the product of a block's or grid's sizes.

    >>> extent("(256, 1, 1)"), extent("32, 4, 1"), extent("")
    (256, 128, None)
    """
    match = _EXTENT.fullmatch(text.strip())
    return prod(int(size) for size in match.groups()) if match else None


def dispatch(cells: Mapping[str, str], counters: Mapping[str, float]) -> Dispatch:
    """Return the launch that a row's first cells and its counters describe; counters are in base units."""
    block, grid = extent(cells.get("Block Size", "")), extent(cells.get("Grid Size", ""))
    shared = [
        counters[n]
        for n in ("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic")
        if n in counters
    ]
    registers = counters.get("launch__registers_per_thread")
    block = _count(counters.get("launch__block_size")) if block is None else block
    blocks = _count(counters.get("launch__grid_size"))
    if grid is None and blocks is not None:
        grid = blocks
    number, process = cells.get("ID", ""), cells.get("Process ID", "")
    return Dispatch(
        kernel=cells.get("Kernel Name", ""),
        dispatch_id=int(number) if number.isdecimal() else None,
        device=cells.get("Device") or None,
        process_id=int(process) if process.isdecimal() else None,
        grid_items=block * grid if block is not None and grid is not None else None,
        workgroup_items=block,
        lds_bytes=int(sum(shared)) if shared else None,
        vgprs=None if registers is None else int(registers),
        wave_size=WARP,
        duration_ns=_elapsed_ns(counters),
        counters=counters,
    )


def _count(value: float | None) -> int | None:
    return None if value is None else int(value)


def _elapsed_ns(counters: Mapping[str, float]) -> float | None:
    """Return the time of a launch; where only clocks were asked for, they over their rate."""
    duration_ns = counters.get("gpu__time_duration.sum", counters.get("gpu__time_duration.avg"))
    clocks, rate = counters.get("sm__cycles_elapsed.avg"), counters.get("sm__cycles_elapsed.avg.per_second")
    return 1e9 * clocks / rate if duration_ns is None and clocks and rate else duration_ns


def attributes(device: str, columns: Sequence[str], row: Sequence[str]) -> Iterator[DeviceFact]:
    """Yield what a row says about the device."""
    for column, value in zip(columns, row, strict=False):
        if column.startswith(_ATTRIBUTE) and value:
            yield DeviceFact(device, column.removeprefix(_ATTRIBUTE), value)


def is_attribute(column: str) -> bool:
    """Tell whether a column is about the device, not the kernel."""
    return column.startswith(_ATTRIBUTE)


OLDEST = 6.0
"""Compute capability before which Nsight Compute profiles nothing: a smaller one is a mistake of who copied the page."""


def _processor(capability: str) -> str:
    """Return the digits of a compute capability, also of one that a spreadsheet or a locale has rewritten."""
    value = real(capability.replace(",", "."))
    return capability if value is None else f"{value:.1f}".replace(".", "")


def profile(
    page: Page, form: str, launches: Iterator[Dispatch], capabilities: set[str], facts: dict[DeviceFact, None]
) -> Profile:
    """Return the profile of all launches of a page; `capabilities` and `facts` grow while launches are taken."""
    summary = Summary()
    for launch in launches:
        summary.add(launch)
    kernels = summary.kernels()
    if not kernels and CUT in page.notes:
        raise ProfileError(f"{named(page.path)} is cut off before its first launch ends: write the page again.")
    if not kernels:
        raise ProfileError(f"{named(page.path)} has a header of Nsight Compute but no kernel: no kernel was profiled.")
    names = {fact.value for fact in facts if fact.name == "display_name"}
    processors = sorted({_processor(c) for c in capabilities if c and (real(c.replace(",", ".")) or OLDEST) >= OLDEST})
    return Profile(
        tool="ncu",
        source=page.path.name,
        format=form,
        architecture=f"sm_{processors[0]}" if len(processors) == 1 else None,
        device_name=names.pop() if len(names) == 1 else None,
        dispatches=summary.dispatches(),
        kernels=kernels,
        facts=tuple(facts),
        absent=(
            *summary.absent({"scratch_bytes": "Nsight Compute tells requests for spilled registers instead"}),
            *page.absent,
        ),
        notes=tuple(dict.fromkeys(page.notes)),
    )
