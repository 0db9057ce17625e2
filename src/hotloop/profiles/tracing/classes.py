"""Classes of AMD instructions by mnemonic, as far as a trace's reader cares."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

MATRIX: Final = "matrix"
VALU: Final = "vector ALU"
SALU: Final = "scalar ALU"
SMEM: Final = "scalar memory"
VMEM: Final = "vector memory"
LDS: Final = "LDS"
WAIT: Final = "wait"
BARRIER: Final = "barrier"
BRANCH: Final = "branch"
NOP: Final = "nop"
OTHER: Final = "other"

_PATTERNS: Final = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"v_s?mfma|v_s?wmmac?", MATRIX),
        (r"s_barrier", BARRIER),
        (r"s_wait|s_sleep", WAIT),
        (r"s_c?branch|s_setpc|s_swappc|s_call", BRANCH),
        (r"s_nop|s_delay_alu|v_nop", NOP),
        (r"s_(?:buffer_|scratch_)?(?:load|store|atomic|prefetch)|s_dcache|s_memtime|s_memrealtime|s_gl1", SMEM),
        (r"ds_", LDS),
        (r"(?:global|buffer|flat|scratch|tbuffer|image)_", VMEM),
        (r"v_", VALU),
        (r"s_(?:endpgm|sendmsg|trap|code_end|set_gpr|icache|setprio|sethalt|ttrace)", OTHER),
        (r"s_", SALU),
    )
)


def class_of(text: str) -> str:
    """Return the class of an instruction.

    >>> class_of("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]"), class_of("s_waitcnt vmcnt(0)")
    ('matrix', 'wait')
    """
    return _of_mnemonic(mnemonic(text))


def mnemonic(text: str) -> str:
    """Return an instruction's name without operands."""
    return text.split(None, 1)[0] if text.strip() else ""


@lru_cache(maxsize=4096)
def _of_mnemonic(name: str) -> str:
    return next((kind for pattern, kind in _PATTERNS if pattern.match(name)), OTHER)
