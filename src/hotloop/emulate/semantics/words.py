"""Words behind the operands of vector and memory instructions: which of them are known here.

A word that nobody has heard of may change where an instruction reads or what it writes, so that it is refused and never passed over.
Sources: LLVM's "Syntax of AMDGPU Instruction Modifiers" and AMD's ISA references.
"""

from __future__ import annotations

import re

from hotloop.emulate.operands import Modifiers

_LOOKED_AT = re.compile(
    r"(?:v|ds|buffer|tbuffer|global|flat|scratch)_|s_(?:buffer_)?load_|s_(?:buffer_)?store_|s_atomic"
)
_FLAGS = frozenset(
    [
        "clamp",
        "row_mirror",
        "row_half_mirror",
        "wave_shl",
        "wave_shr",
        "wave_rol",
        "wave_ror",
        "offen",
        "idxen",
        "lds",
        "gds",
        "scale_offset",
        "glc",
        "slc",
        "dlc",
        "scc",
        "sc0",
        "sc1",
        "nt",
        "nv",
    ]
)
"""Those of the last line say which caches keep what and who sees it, which `hotloop.emulate.shadow_global` looks at."""
_VALUES = frozenset(
    [
        "offset",
        "offset0",
        "offset1",
        "quad_perm",
        "dpp8",
        "row_shl",
        "row_shr",
        "row_ror",
        "row_bcast",
        "row_newbcast",
        "row_share",
        "row_xmask",
        "wave_shl",
        "wave_shr",
        "wave_rol",
        "wave_ror",
        "row_mask",
        "bank_mask",
        "bound_ctrl",
        "fi",
        "dst_sel",
        "dst_unused",
        "src0_sel",
        "src1_sel",
        "op_sel",
        "op_sel_hi",
        "neg_lo",
        "neg_hi",
        "mul",
        "div",
        "cbsz",
        "abid",
        "blgp",
        "bitop3",
        "byte_sel",
        "th",
        "scope",
        "wait_vdst",
        "wait_exp",
        "wait_va_vdst",
        "wait_vm_vsrc",
    ]
)
_ONLY = {"scale_offset": ("global_", "s_load_"), "gds": ("ds_append", "ds_consume")}
"""The beginnings of the instructions at which a word is known: offsets in elements (gfx1250), and what `counting` refuses by its name."""


def unknown(mnemonic: str, modifiers: Modifiers) -> str:
    """Return the first word behind an instruction's operands that is not known, or empty.

    >>> unknown("v_add_f32", Modifiers(frozenset({"clamp"}))), unknown("v_add_f32", Modifiers(frozenset({"saturate"})))
    ('', 'saturate')
    """
    if not _LOOKED_AT.match(mnemonic):
        return ""
    for word, where in _ONLY.items():
        if word in modifiers.flags and not mnemonic.startswith(where):
            return word
    return next(
        (w for w in (*sorted(modifiers.flags - _FLAGS), *(k for k, _ in modifiers.values if k not in _VALUES))), ""
    )
