"""Control: branches, calls, barriers, the end, and what only talks to the sequencer.

Source: AMD's ISA references, sections "SOPP", "SOPK" and "SOP1 instructions".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.errors import EmulateError
from hotloop.emulate.operands import Kind
from hotloop.emulate.sanitizer.waits import wait_step
from hotloop.emulate.state import VCC_ROW
from hotloop.emulate.units.values import scalar
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded


Step = Callable[["Cohort"], None]
QUIET = re.compile(
    r"s_(nop|delay_alu|clause|setprio|sleep|sleep_var|inst_prefetch|set_inst_prefetch_distance|round_mode|denorm_mode|waitcnt_depctr"
    r"|wait_alu|wait_event|wait_xcnt|setreg_\w+|sendmsg|ttracedata\w*|code_end|version|incperflevel|decperflevel|wakeup"
    r"|waitcnt_expcnt|wait_expcnt|monitor_sleep|setprio_inc_wg)$|v_nop$|v_pipeflush$|v_clrexcp$"
)
_CONDITIONS: dict[str, Callable[[Cohort], Array]] = {
    "s_cbranch_scc0": lambda c: ~c.scc,
    "s_cbranch_scc1": lambda c: c.scc,
    "s_cbranch_vccz": lambda c: ~c.mask(VCC_ROW).any(axis=1),
    "s_cbranch_vccnz": lambda c: c.mask(VCC_ROW).any(axis=1),
    "s_cbranch_execz": lambda c: ~c.exec.any(axis=1),
    "s_cbranch_execnz": lambda c: c.exec.any(axis=1),
}


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a control instruction, or None."""
    if waiting := wait_step(ins, context.family):
        return waiting
    if ins.name in _CONDITIONS:
        return _conditional(ins, _CONDITIONS[ins.name])
    makers: dict[str, Callable[[Decoded, Context], Step]] = {
        "s_branch": _branch, "s_endpgm": _end, "s_endpgm_saved": _end, "s_barrier": _barrier, "s_barrier_wait": _await,
        "s_barrier_signal": _signal, "s_barrier_signal_isfirst": _signal_first, "s_barrier_leave": _end, "s_trap": _trap, "s_sethalt": _trap,
        "s_getpc_b64": _getpc, "s_get_pc_i64": _getpc, "s_setpc_b64": _setpc, "s_set_pc_i64": _setpc, "s_swappc_b64": _swappc,
        "s_swap_pc_i64": _swappc, "s_getreg_b32": _getreg, "s_setreg_b32": _quiet, "s_setreg_imm32_b32": _quiet,
        "s_set_vgpr_msb": _bank,
    }  # fmt: skip
    if ins.name in makers:
        return makers[ins.name](ins, context)
    if QUIET.match(ins.name):
        return _quiet(ins, context)
    return None


def _quiet(ins: Decoded, context: Context) -> Step:
    return lambda c: None


def _bank(ins: Decoded, context: Context) -> Step:
    """s_set_vgpr_msb (gfx1250): its low byte chooses for each operand which 256 of the vector registers names mean from there on."""
    if ins.operands[0].integer & 0xFF:
        raise ins.unmodelled("vector registers beyond the 256th are not")
    return _quiet(ins, context)


def _target(ins: Decoded) -> int:
    if ins.target is None:
        raise ins.unmodelled("its target is not in the listing")
    return ins.target


def _branch(ins: Decoded, context: Context) -> Step:
    target = _target(ins)

    def step(c: Cohort) -> None:
        c.pc = target

    return step


def _conditional(ins: Decoded, condition: Callable[[Cohort], Array]) -> Step:
    target = _target(ins)

    def step(c: Cohort) -> None:
        taken = condition(c)
        if taken.all():
            c.pc = target
        elif taken.any():
            c.batch.part(c, taken, target)

    return step


def _end(ins: Decoded, context: Context) -> Step:
    return lambda c: c.batch.end(c)


def _barrier(ins: Decoded, context: Context) -> Step:
    return lambda c: c.batch.barrier(c)


def _await(ins: Decoded, context: Context) -> Step:
    return lambda c: c.batch.await_(c)


def _signal(ins: Decoded, context: Context) -> Step:
    return lambda c: c.batch.signal(c)


def _signal_first(ins: Decoded, context: Context) -> Step:
    return lambda c: c.batch.signal_first(c)


def _trap(ins: Decoded, context: Context) -> Step:
    def step(c: Cohort) -> None:
        group, wave = c.batch.place(int(c.waves_at[0]))
        raise EmulateError(
            f"{ins.where()} was reached by wave {wave} of work-group {group}: the kernel stops itself there; look at what asks for it."
        )

    return step


def _getpc(ins: Decoded, context: Context) -> Step:
    row, here = ins.operands[0].first - SGPR, np.uint64(ins.address + 4)
    return lambda c: c.put_scalar_pair(row, np.full(c.waves, here))


def _setpc(ins: Decoded, context: Context) -> Step:
    where = scalar(ins.operands[0], "u64", ins, context)
    return lambda c: c.batch.jump(c, ins, np.broadcast_to(where(c), (c.waves,)))


def _swappc(ins: Decoded, context: Context) -> Step:
    row, where = ins.operands[0].first - SGPR, scalar(ins.operands[1], "u64", ins, context)

    def step(c: Cohort) -> None:
        aim = np.array(np.broadcast_to(where(c), (c.waves,)))
        c.put_scalar_pair(row, np.full(c.waves, np.uint64(ins.address + 4)))
        c.batch.jump(c, ins, aim)

    return step


def _getreg(ins: Decoded, context: Context) -> Step:
    """Registers of the hardware read as 0: mode, status and place of the wave decide nothing here."""
    if ins.operands[0].kind is Kind.NULL:
        return _quiet(ins, context)
    row = ins.operands[0].first - SGPR

    def step(c: Cohort) -> None:
        c.s[row] = 0

    return step
