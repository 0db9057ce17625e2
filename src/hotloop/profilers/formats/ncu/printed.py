"""Nsight Compute's default output for people: sections with tables of title, unit and value under a line for each launch.

A launch's line is ``name (grid)x(block), Context 1, Stream 7, Device 0, CC 8.6``; before 2022.2 it has a date instead of the
sizes. Columns are as wide as the dashes above them. People pass sections on without that line: the launch then has no name; and
tables without their sections' titles. What the program itself prints stands between, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.ncu.number import Spelling, scale
from hotloop.profilers.formats.ncu.sentences import figures
from hotloop.profilers.formats.ncu.text import Page, dispatch, in_one_spelling, no_table, profile
from hotloop.profilers.formats.ncu.titles import metric, section_of
from hotloop.profilers.source import lines, named
from hotloop.profiles.failure import ProfileError, printable
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

FORM: Final = "default page, text"
LAUNCH = re.compile(
    r"^\s*(?P<name>\S.*?)\s*(?:(?P<grid>\(\d+, \d+, \d+\))x(?P<block>\(\d+, \d+, \d+\)))?,(?: \d{4}-\w{3}-\d\d \d\d:\d\d:\d\d,)? "
    r"Context \d+, Stream \d+(?:, Device (?P<device>\d+))?(?:, CC (?P<cc>\d+\.\d+))?\s*$"
)
_SECTION = re.compile(r"^\s*Section: (?P<title>\S.*?)\s*$")
_HEADS = re.compile(r"^\s*(?=Metric Name\s+(?:Metric Unit\s+)?Metric Value\s*$)")
_DASHES = re.compile(r"^\s*-{3,}(?:\s+-{3,}){1,2}\s*$")
_CELLS = re.compile(r"^\s*(?P<title>\S.*?)(?:\s+(?P<unit>%|[A-Za-z]+(?:/[a-z]+)?))??\s{2,}(?P<value>[0-9][0-9.,]*)\s*$")
_REMARK = re.compile(r"\s+(?:#|//|<-|\u2190).*$")
"""Remark that a person wrote behind a value."""
_MESSAGE = re.compile(r"^==(WARNING|ERROR)==\s*(.*?)\s*$")
_ADVICE = re.compile(r"^\s*(?:OPT|INF|WRN)\s+\S")
_MOST_WORDS: Final = 4000
"""Lines of a launch's advice that are read."""
_SPEED: Final = "GPU Speed Of Light Throughput"
_CUT: Final = "the page ends within a table: it is cut off, and what stood behind is missing"
_FIRST: Final = "DRAM Frequency"
"""Title of the first row of that section."""


@dataclass(slots=True)
class _Launch:
    cells: dict[str, str]
    counters: dict[str, float] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    """The tool's own advice, line by line."""

    def told(self) -> dict[str, float]:
        """Return the counters of tables, and those that only sentences tell."""
        return {**figures(" ".join(self.words)), **self.counters}


def read(path: Path) -> Profile:
    """Return the launches of a page as Nsight Compute prints it by default.

    Raises:
        ProfileError: no launch with a table, or numbers in several spellings.
    """
    return in_one_spelling(path, _read)


def _read(path: Path, spelling: Spelling) -> Profile:
    page, capabilities, facts = Page(path, spelling=spelling), set[str](), dict[DeviceFact, None]()
    with lines(path) as text:
        every = list(_launches(text, page))
    launches = [launch for launch in every if launch.counters]
    if not launches:
        raise _unmeasured(path, page) if every else no_table(path)
    capabilities |= {launch.cells["CC"] for launch in launches}
    return profile(page, FORM, _dispatches(launches), capabilities, facts)


def _unmeasured(path: Path, page: Page) -> ProfileError:
    """Return the error for launches without a value, as a kernel that fails under the tool leaves them."""
    why = next((f" ({note})" for note in page.notes if "Failed" in note or "error" in note), "")
    return ProfileError(
        f"{named(path)} shows a launch under Nsight Compute and no value of it: nothing was measured{why}. See that the program runs "
        "through without the tool, and profile it again."
    )


def _dispatches(launches: list[_Launch]) -> Iterator[Dispatch]:
    nameless = sum(not launch.cells["Kernel Name"] for launch in launches)
    for place, launch in enumerate(launches):
        # what people show one behind another without names is two kernels rather than two launches: before and after
        name = launch.cells["Kernel Name"] or (f"launch {place + 1}" if nameless > 1 else "")
        yield dispatch({**launch.cells, "Kernel Name": name, "ID": str(place)}, launch.told())


@dataclass(slots=True)
class _Table:
    """The table that is being read."""

    section: str = ""
    """Empty: nothing names it."""
    widths: list[tuple[int, int]] = field(default_factory=list)
    headed: bool = False
    """Whether the row of titles was seen; a second one under one section is that of a table without its own."""
    taken: bool = False
    """Whether a value was read since then: the next ruler ends the table."""
    within: bool = False
    """Whether rows were seen below a ruler and no ruler since: a page that ends here was cut off."""

    def begin(self, section: str) -> None:
        """Begin what a section's title announces."""
        self.section, self.widths, self.headed, self.taken, self.within = section, [], False, False, False

    def head(self, indent: int) -> None:
        """Take the row of titles: columns begin where it does, as copied text may lack the ruler's margin."""
        shift = indent - self.widths[0][0] if self.widths else 0
        self.widths = [(begin + shift, end + shift) for begin, end in self.widths]
        self.section = "" if self.headed else self.section
        self.headed, self.taken = True, False

    def rule(self, line: str) -> None:
        """Take a ruler, which tells the columns."""
        self.widths = [match.span() for match in re.finditer("-+", line.rstrip())]
        self.headed = self.headed and (bool(self.section) or not self.taken)
        self.within = False

    def row(self, line: str) -> tuple[str, str, str]:
        """Return title, unit and value of a row; of nothing outside a table."""
        if not self.section and not self.headed:
            return "", "", ""
        self.taken = True
        if len(self.widths) < 2:
            return _drawn(line, self.section)
        self.within = bool(line.strip())
        return ("", "", "") if self._is_cut(line) else _row(line, self.widths)

    def _is_cut(self, line: str) -> bool:
        """Tell whether the file ends in this row before its value does: values end where the ruler does."""
        return not line.endswith("\n") and len(line.rstrip()) < self.widths[-1][1]


def _nameless() -> _Launch:
    return _Launch(dict.fromkeys(("Kernel Name", "Grid Size", "Block Size", "CC", "Device"), ""))


def _launches(text: Iterator[str], page: Page) -> Iterator[_Launch]:
    launch: _Launch | None = None
    table, advising = _Table(), False
    for line in map(_spaced, text):
        message, started, titled = _MESSAGE.match(line), LAUNCH.match(line), _SECTION.match(line)
        heads = _HEADS.match(line)
        advising = _ADVICE.match(line) is not None or (advising and not (started or titled or _DASHES.match(line)))
        if message:
            page.notes.append(f"Nsight Compute: {printable(message[2])}")
            continue
        begun = _begun(launch, started, titled)
        if begun is not None and launch is not None:
            yield launch
        launch = begun or launch or (_nameless() if heads else None)
        if started or titled:
            table.begin(section_of(titled["title"]) if titled else "")
        elif heads:
            table.head(heads.end())
        elif advising and launch is not None:
            launch.words += [line.strip()] if len(launch.words) < _MOST_WORDS else []
        elif _DASHES.match(line):
            table.rule(line)
        elif launch is not None:
            row = table.row(line)
            if not table.section and not launch.cells["Kernel Name"] and _again(launch, row[0]):
                yield launch
                launch = _nameless()
            _take(page, launch, table.section, row)
    if table.within:
        page.notes.append(_CUT)
    if launch is not None:
        yield launch


def _begun(launch: _Launch | None, started: re.Match[str] | None, titled: re.Match[str] | None) -> _Launch | None:
    """Return the launch that a line begins: its own line, the first section without one, or a nameless one's page once more."""
    if started:
        return _Launch(_cells(started))
    if titled is None:
        return None
    again = launch is not None and titled["title"] == _SPEED and launch.counters and not launch.cells["Kernel Name"]
    return _nameless() if launch is None or again else None


def _spaced(line: str) -> str:
    """Return a line whose margin has no tabs: pages of text have four columns for one."""
    return line.expandtabs(4) if "\t" in line else line


def _again(launch: _Launch, title: str) -> bool:
    """Tell whether a table without a section begins what a nameless launch had before: another launch's page."""
    return title == _FIRST and metric(_SPEED, title) in launch.counters


def _cells(started: re.Match[str]) -> dict[str, str]:
    grid, block = started["grid"] or "", started["block"] or ""
    cells = {"Kernel Name": started["name"], "Grid Size": grid, "Block Size": block, "CC": started["cc"] or ""}
    return {**cells, "Device": started["device"] or ""}


def _row(line: str, widths: list[tuple[int, int]]) -> tuple[str, str, str]:
    """Return title, unit and value; a table without units has two columns."""
    body = _REMARK.sub("", line.rstrip("\r\n")) if len(line) > widths[-1][1] else line.rstrip("\r\n")
    first, last = widths[0], widths[-1]
    unit = body[widths[1][0] : widths[1][1]] if len(widths) > 2 else ""
    return body[first[0] : first[1]].strip(), unit.strip(), body[max(0, last[0] - 1) :].strip()


def _drawn(line: str, section: str) -> tuple[str, str, str]:
    """Return title, unit and value of a table that somebody drew again: no gaps in the ruler tell its columns."""
    cells = _CELLS.match(_REMARK.sub("", line.rstrip()))
    if cells is None or ("__" not in cells["title"] and "/" in metric(section, cells["title"])):
        return "", "", ""
    return cells["title"], cells["unit"] or "", cells["value"]


def _take(page: Page, launch: _Launch, section: str, row: tuple[str, str, str]) -> None:
    title, unit, text = row
    value = page.value(title, text) if title else None
    if value is not None:
        launch.counters.setdefault(metric(section, title), value * scale(unit))
