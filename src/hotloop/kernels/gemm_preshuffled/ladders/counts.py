"""What the machine code of a rung does per step: matrix instructions, local memory, and what unpacking 4-bit weights costs."""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.kernels.gemm_preshuffled.ladders.layout import Layout
from hotloop.model.ladder import Gate

_UNPACKING = (
    "v_and_b32", "v_and_or_b32", "v_or_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_mul_lo_u32", "v_mul_u32_u24", "v_perm_b32",
    "v_cvt_off_f32_i4", "v_xor_b32", "v_bfi_b32", "v_lshl_or_b32", "v_add_f32", "v_sub_f32", "v_subrev_f32", "v_pk_add_f32",
    "v_alignbit_b32", "v_bfe_u32", "v_bfe_i32", "v_mad_u32_u24",
)  # fmt: skip
"""Vector instructions that take words of weights apart; those of addresses have other names in this kernel's loop, or are counted too."""
_STORE, _READ = "ds_write", "ds_read"


def gates(layout: Layout, function: Function) -> tuple[Gate, ...]:
    """Return whether weights stay out of local memory, barriers and loads of a step, and the operations that unpack eight weights.

    The loop has whole steps, two of them where places in local memory take turns; if the compiler made it otherwise, nothing is said.
    """
    code = hot_loop(function).instructions
    matrix = sum(i.kind is InstructionKind.MATRIX for i in code)
    steps = matrix / layout.products
    if steps != int(steps) or not steps:
        words = f"{matrix} matrix instructions in the loop, a step has {layout.products}"
        return (Gate("a step", passed=False, words=words),)
    stores, reads = (_named(code, name) / steps for name in (_STORE, _READ))
    barriers = sum(i.kind is InstructionKind.BARRIER for i in code) / steps
    checks = [
        Gate(
            "LDS",
            stores == layout.stores,
            f"{stores:g} stores and {reads:g} reads per step of {layout.products} products",
        ),
        Gate("barriers", barriers == 3 - layout.of("BUFFERS"), f"{barriers:g} per step"),
    ]
    if layout.words:
        spent = sum(_plain(i.mnemonic) in _UNPACKING for i in code) / steps / layout.words
        checks.append(Gate("unpacking", passed=True, words=f"{spent:.3g} vector operations for eight weights"))
    return tuple(checks)


def _plain(name: str) -> str:
    return name.removesuffix("_e32").removesuffix("_e64").removesuffix("_sdwa").removesuffix("_dpp")


def _named(code: Sequence[Instruction], name: str) -> int:
    return sum(i.mnemonic.startswith(name) for i in code)
