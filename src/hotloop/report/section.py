"""A part of a page, the same in all its forms: sentences, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.report import plain
from hotloop.report.markdown import escape

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences, and a table when there is a head."""

    title: str
    lines: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    def grid(self) -> Table:
        """Return the table for a terminal: names to the left, numbers to the right."""
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="dim")
        for place, name in enumerate(self.head):
            table.add_column(name, justify="right" if place else "left")
        for row in self.rows:
            table.add_row(*(Text(plain.line(cell)) for cell in row))
        return table

    def pipes(self) -> Iterator[str]:
        """Yield the lines of the table in Markdown."""
        yield f"| {' | '.join(self.head)} |"
        yield f"|{'---|' * len(self.head)}"
        yield from (f"| {' | '.join(escape(cell) for cell in row)} |" for row in self.rows)
