"""The annotated listing: for a terminal, and as one self-contained page whose loops fold and whose waits link to what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.isa.summary.annotate import Annotated, AnnotatedLine, AnnotatedRegion
from hotloop.isa.summary.model import Site
from hotloop.report import plain
from hotloop.report.frame import document
from hotloop.report.markup import Html, el

_HEAD = ("at", "cycle", "stall", "unit", "busy", "live", "instruction", "waits for", "source")
_RIGHT = frozenset({"at", "cycle", "stall", "busy", "live"})
_TEXT = 60


def text(kernels: Sequence[Annotated], loop: int = 0) -> str:
    """Return the terminal form: one loop whole, the others folded to a line each; lines are as wide as they need to be."""
    lines: list[str] = []
    for kernel in kernels:
        lines.append(plain.line(f"{kernel.kernel} on {kernel.target}: {_total(kernel)}"))
        for region in kernel.regions:
            open_ = region.number == loop
            lines.append(plain.line(f"{'▼' if open_ else '▶'} {_title(region)}"))
            lines += _rows(region) if open_ else ()
    return "\n".join(lines)


def _total(kernel: Annotated) -> str:
    if not kernel.regions:
        return f"not timed: {kernel.why_not or 'it has no code'}"
    return f"{sum(len(r.lines) for r in kernel.regions)} instructions; regions: {len(kernel.regions)}"


def _title(region: AnnotatedRegion) -> str:
    stalls = sum(line.stall_cycles for line in region.lines)
    return (
        f"{region.number}: {region.place}: {len(region.lines)} instructions, one wave alone {region.cycles} cycles, "
        f"{stalls} of them standing still"
    )


def _rows(region: AnnotatedRegion) -> Iterator[str]:
    cells = [_HEAD, *(tuple(map(plain.line, _cells(line))) for line in region.lines)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(_HEAD))]
    for row in cells:
        parts = (c.rjust(w) if n in _RIGHT else c.ljust(w) for n, c, w in zip(_HEAD, row, widths, strict=True))
        yield "  ".join(parts).rstrip()


def _cells(line: AnnotatedLine) -> tuple[str, ...]:
    return (
        _where(line.site),
        str(line.at_cycle),
        str(line.stall_cycles or ""),
        line.unit,
        f"{line.busy_cycles:g}" if line.busy_cycles else "",
        "" if line.live is None else str(line.live),
        line.text if len(line.text) <= _TEXT else f"{line.text[: _TEXT - 1]}…",
        _arrow(line),
        line.source,
    )


def _where(site: Site) -> str:
    return str(site.line) if site.line is not None else f"{site.address:#x}"


def _arrow(line: AnnotatedLine) -> str:
    return "" if line.waits_for is None else f"◄─ {_where(line.waits_for)} {line.waits_for.mnemonic}"


def page(kernels: Sequence[Annotated]) -> str:
    """Return the page."""
    names = ", ".join(kernel.kernel for kernel in kernels)
    header = el("header", el("h1", f"{plain.line(names)}, line by line"))
    return document(f"{plain.line(names)} annotated", header, el("main", *_kernels(kernels)))


def _kernels(kernels: Sequence[Annotated]) -> Iterator[Html]:
    for number, kernel in enumerate(kernels):
        yield el("h2", plain.line(f"{kernel.kernel} on {kernel.target}: {_total(kernel)}"))
        for region in kernel.regions:
            yield el(
                "details",
                el("summary", plain.line(_title(region))),
                _table(region, number),
                open=region.number == 0,
            )


def _table(region: AnnotatedRegion, number: int) -> Html:
    heads = el("tr", *(el("th", name, scope="col") for name in _HEAD))
    return el("table", el("thead", heads), el("tbody", *(_row(line, number) for line in region.lines)))


def _row(line: AnnotatedLine, number: int) -> Html:
    cells: list[str] = [plain.line(cell) for cell in _cells(line)]
    if line.waits_for is not None:
        cells[_HEAD.index("waits for")] = el("a", plain.line(_arrow(line)), href=f"#{_anchor(line.waits_for, number)}")
    cells[_HEAD.index("instruction")] = el("code", plain.line(line.text))
    return el("tr", *(el("td", cell) for cell in cells), id=_anchor(line.site, number))


def _anchor(site: Site, number: int) -> str:
    return f"k{number}-{site.address:x}"


def as_json(kernels: Sequence[Annotated]) -> dict[str, object]:
    """Return what ``--annotate --json`` prints."""
    from dataclasses import asdict

    return {"kernels": [asdict(kernel) for kernel in kernels]}
