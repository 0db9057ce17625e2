"""Vector compares: a bit for each active lane into a scalar register pair, VCC or EXEC.

Source: AMD's ISA references, section "VOPC instructions"; ``n`` conditions are true for unordered operands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics.compares import CONDITIONS as TEXTS
from hotloop.emulate.semantics.functions import class_of
from hotloop.emulate.semantics.row import comparison
from hotloop.emulate.state import EXEC_ROW, VCC_ROW
from hotloop.emulate.units import lanes, subdword
from hotloop.emulate.units.values import Read, mask_row, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

COMPARE = re.compile(r"v_cmp(x?)_(\w+?)_([fiu]\d\d)$")
CONDITIONS: dict[str, Callable[[Any, Any], Any]] = {name: comparison(text) for name, text in TEXTS.items()} | {
    "class": class_of
}


def bind(ins: Decoded, context: Context) -> Callable[[Cohort], None] | None:
    """Return the step of a vector compare, or None."""
    found = COMPARE.match(ins.name)
    if found is None or found[2] not in CONDITIONS:
        return None
    into_exec, condition, kind = bool(found[1]), CONDITIONS[found[2]], found[3]
    operands = list(ins.operands)
    place = _destination(operands, ins, into_exec=into_exec)
    second = "u32" if found[2] == "class" else kind
    first_read, second_read = _read(operands[0], kind, 0, ins, context), _read(operands[1], second, 1, ins, context)
    if "_dpp" in ins.mnemonic:
        first_read = lanes.permuted(first_read, ins, context)

    def step(c: Cohort) -> None:
        hit = condition(first_read(c), second_read(c))
        chosen = hit & c.exec
        if place is not None:
            c.put_mask(place, chosen)
        if into_exec:
            c.put_mask(EXEC_ROW, chosen)
        if into_exec or place == EXEC_ROW:
            c.refresh()

    return step


def _destination(operands: list[Operand], ins: Decoded, *, into_exec: bool) -> int | None:
    """Take the destination from the operands and return its row; None for EXEC alone."""
    if len(operands) < 3:
        return None if into_exec else VCC_ROW
    item = operands.pop(0)
    if item.kind is Kind.NULL:
        return None
    row = mask_row(item, ins)
    return None if into_exec and row == EXEC_ROW else row


def _read(item: Operand, kind: str, place: int, ins: Decoded, context: Context) -> Read:
    if "_sdwa" in ins.mnemonic:
        return subdword.source(item, kind, place, ins, context)
    selects = ins.modifiers.bits("op_sel")
    return source(item, kind, ins, context, high=len(selects) > place and bool(selects[place]) and kind.endswith("16"))
