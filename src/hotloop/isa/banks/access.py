"""Accesses of a wave to a tile, as users describe them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from hotloop.errors import UsageError
from hotloop.isa.banks.conflict import Conflicts, conflicts
from hotloop.isa.banks.expression import Expression
from hotloop.isa.banks.layout import Layout
from hotloop.targets.bankmodel import BankModel


@dataclass(frozen=True, slots=True)
class Sweep:
    """A loop variable and its values."""

    name: str
    values: range


@dataclass(frozen=True, slots=True)
class Access:
    """One instruction: every lane touches `model.width_bytes` at its own place."""

    model: BankModel
    row: Expression | None
    """None: `column` is a byte address and no layout applies."""
    column: Expression
    sweeps: tuple[Sweep, ...] = ()

    @property
    def label(self) -> str:
        """What it is, for tables."""
        place = self.column.text if self.row is None else f"[{self.row.text}, {self.column.text}]"
        return f"{self.model.op} {8 * self.model.width_bytes} {place}"

    def cells(self) -> Iterator[tuple[Mapping[str, int], tuple[tuple[int, int], ...]]]:
        """Yield loop variables and the (row, column) of every lane."""
        for point in product(*(sweep.values for sweep in self.sweeps)):
            values = dict(zip((sweep.name for sweep in self.sweeps), point, strict=True))
            lanes = ({**values, "lane": lane} for lane in range(self.model.lanes))
            yield values, tuple(((self.row(v) if self.row else 0), self.column(v)) for v in lanes)

    def addresses(self, layout: Layout | None) -> Iterator[tuple[Mapping[str, int], tuple[int, ...]]]:
        """Yield loop variables and the byte address of every lane. Raises UsageError for negative places."""
        for values, cells in self.cells():
            places = tuple(self._place(layout, *cell) for cell in cells)
            if min(places) < 0 or min(min(cell) for cell in cells) < 0:
                raise UsageError(f"{self.label!r} becomes negative at {dict(values) or 'some lane'}.")
            yield values, places

    def evaluate(self, layout: Layout | None) -> tuple[tuple[Mapping[str, int], Conflicts], ...]:
        """Return what it costs for every value of the loop variables."""
        return tuple((values, conflicts(self.model, places)) for values, places in self.addresses(layout))

    def whole(self, layout: Layout) -> bool:
        """Tell whether a lane's elements stay together under a layout, so that one instruction can fetch them."""
        count = self.model.width_bytes // layout.element_bytes
        if self.row is None or count < 2:
            return True
        for _, cells in self.cells():
            for row, column in set(cells):
                first = layout.offset_bytes(row, column)
                if any(
                    layout.offset_bytes(row, column + i) != first + i * layout.element_bytes for i in range(1, count)
                ):
                    return False
        return True

    def _place(self, layout: Layout | None, row: int, column: int) -> int:
        return column if self.row is None or layout is None else layout.offset_bytes(row, column)
