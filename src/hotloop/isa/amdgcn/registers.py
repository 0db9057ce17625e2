"""Registers that an instruction of an AMD GPU reads and writes, explicit and implicit ones.

Facts: the instruction set documents of GCN, CDNA and RDNA (operand lists, implicit uses of VCC, EXEC, SCC and M0) and the
syntax of LLVM's assembler ("User Guide for AMDGPU Backend"): destinations stand first, a register tuple names every
register, an atomic returns a value only with ``glc``, ``sc0`` or ``th:TH_ATOMIC_RETURN``.

A register is a number: vector registers from 0, accumulation registers from `AGPR`, scalar registers with VCC, M0 and EXEC
at their encodings from `SGPR`, then `SCC`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

AGPR = 1024
SGPR = 1536
VCC = SGPR + 106
"""Low half; the high half is the next number. Implicit uses name the low half only: it is all that wave32 has."""
M0 = SGPR + 124
EXEC = SGPR + 126
SCC = SGPR + 128
COUNT = SCC + 1
"""Register numbers are below this."""

_NAMED = {
    "vcc": (VCC, 2), "vcc_lo": (VCC, 1), "vcc_hi": (VCC + 1, 1), "exec": (EXEC, 2), "exec_lo": (EXEC, 1), "exec_hi": (EXEC + 1, 1),
    "m0": (M0, 1), "scc": (SCC, 1), "src_scc": (SCC, 1), "src_vccz": (VCC, 1), "src_execz": (EXEC, 1),
    "flat_scratch": (SGPR + 102, 2), "flat_scratch_lo": (SGPR + 102, 1), "flat_scratch_hi": (SGPR + 103, 1),
    "xnack_mask": (SGPR + 104, 2), "xnack_mask_lo": (SGPR + 104, 1), "xnack_mask_hi": (SGPR + 105, 1),
}  # fmt: skip
_BASES = {"v": 0, "a": AGPR, "acc": AGPR, "s": SGPR, "ttmp": SGPR + 108}
_REGISTER = re.compile(r"(?<![\w.])(?:(v|s|acc|a|ttmp)(?:(\d+)|\[(\d+)(?::(\d+))?\])(?![\w(])|([a-z]\w*)(?![\w(:]))")
_HIGH = re.compile(r"v(?:\d+|\[[\d:]+\]) /\*(v(?:\d+|\[[\d:]+\]))\*/")
"""gfx1250 writes a register above v255 as its low eight bits with the real number in a comment."""
ENCODING = re.compile(r"(?:_(?:e32|e64|sdwa|dpp8|dpp16|dpp|vi|gfx\d+))+$")
"""Endings of a mnemonic that tell its encoding and not what it does."""


@dataclass(frozen=True, slots=True)
class Access:
    """What an instruction does with registers, as ascending register numbers."""

    reads: tuple[int, ...]
    """Values that it needs, implicit ones included."""
    writes: tuple[int, ...]
    keeps: tuple[int, ...] = ()
    """Registers of `writes` of whose old value a part survives: half-word loads, DPP with inactive lanes, byte selects. They are not in
    `reads` unless an operand names them as a source, too."""


@lru_cache(maxsize=1 << 16)
def access(mnemonic: str, operands: str) -> Access:
    """Return the registers of an instruction; equal instructions share one answer.

    Registers reached through M0 or an index register (``v_movrels_b32``, ``s_set_gpr_idx_on``) are not known and left out.

    >>> access("v_fmac_f32_e32", "v1, v2, s4").reads
    (1, 2, 1540, 1662)
    """
    if "::" in operands:
        return _pair(mnemonic, operands)
    if "/*" in operands:
        operands = _HIGH.sub(r"\1", operands)
    body = ENCODING.sub("", mnemonic)
    parts = fields(operands)
    if body.startswith("exp"):
        sources = {r for field in parts for r in _registers(field)}
        return Access(tuple(sorted({*sources, EXEC})), ())
    values = [_registers(_operand(field)) for field in parts]
    return _RULES[_unit(body)](body, mnemonic, operands, values)


@lru_cache(maxsize=1 << 14)
def operands(text: str) -> tuple[tuple[int, ...], ...]:
    """Return the registers that each operand names, in the order in which they are written; none for constants.

    >>> operands("v[0:1], v2, 16")
    ((0, 1), (2,), ())
    """
    return tuple(_registers(_operand(part)) for part in fields(text))


def name(register: int) -> str:
    """Return the assembler's name of a register number.

    >>> name(AGPR + 3)
    'a3'
    """
    if register < AGPR:
        return f"v{register}"
    if register < SGPR:
        return f"a{register - AGPR}"
    special = {VCC: "vcc_lo", VCC + 1: "vcc_hi", M0: "m0", EXEC: "exec_lo", EXEC + 1: "exec_hi", SCC: "scc"}
    return special.get(register) or f"s{register - SGPR}"


def _unit(body: str) -> str:
    head = body.partition("_")[0]
    return head if head in ("s", "v", "ds") else "memory"


def fields(operands: str) -> list[str]:
    """Split at commas outside of brackets and parentheses."""
    if "[" not in operands and "(" not in operands:
        return [part.strip() for part in operands.split(",")] if operands else []
    made, depth, start = [], 0, 0
    for at, letter in enumerate(operands):
        if letter in "[(":
            depth += 1
        elif letter in "])":
            depth -= 1
        elif letter == "," and not depth:
            made.append(operands[start:at].strip())
            start = at + 1
    return [*made, operands[start:].strip()]


def _operand(field: str) -> str:
    """Return a field without the modifiers after it; a bracket starts a list of addresses, which has blanks."""
    if field.startswith("["):
        return field.partition("]")[0]
    return field.split(None, 1)[0] if field else ""


@lru_cache(maxsize=1 << 14)
def _registers(text: str) -> tuple[int, ...]:
    registers: list[int] = []
    for kind, single, first, last, word in _REGISTER.findall(text):
        if word:
            base, count = _NAMED.get(word, (0, 0))
        else:
            base = _BASES[kind] + int(single or first)
            count = int(last) - int(first) + 1 if last else 1
        registers.extend(range(base, base + count))
    return tuple(registers)


def _make(reads: set[int], writes: set[int], *, keeps: bool = False, kept: set[int] | None = None) -> Access:
    parts = writes if keeps else (kept or set())
    return Access(tuple(sorted(reads)), tuple(sorted(writes)), tuple(sorted(parts)))


def _join(values: list[tuple[int, ...]]) -> set[int]:
    return {register for value in values for register in value}


def _pair(mnemonic: str, operands: str) -> Access:
    """Join the halves of a dual instruction; both read before either writes."""
    first, _, rest = operands.partition("::")
    word, _, second = rest.strip().partition(" ")
    half = access(mnemonic.replace("v_dual_", "v_", 1), first.strip())
    two = access(word.replace("v_dual_", "v_", 1), second.strip())
    short = "cndmask" in mnemonic + word  # the two-source form takes its mask from VCC without naming it
    reads = {*half.reads, *two.reads, *((VCC,) if short else ())}
    return _make(reads, {*half.writes, *two.writes})


# -- scalar unit ------------------------------------------------------------------------------------------------------

_S_NO_RESULT = re.compile(
    r"s_(wait\w*|nop|barrier(?!_\w*state)\w*|c?branch\w*|endpgm\w*|cmp_\w+|cmpk_\w+|bitcmp\w+|setreg\w*|sendmsg|sendmsghalt"
    r"|setpc_b64|set_pc_i64|add_pc_i64|store\w*|buffer_store\w*|scratch_store\w*|dcache\w*|icache\w*|prefetch\w*|setprio\w*"
    r"|sleep\w*|sethalt|setkill|trap|delay_alu|clause|inst_prefetch|set_\w+|code_end|rfe\w*|ttracedata\w*|version|round_mode"
    r"|denorm_mode|wakeup\w*|singleuse_vdst|incperflevel|decperflevel|setvskip|buffer_prefetch\w*|alloc_vgpr|monitor\w*)"
)
_S_SETS_SCC = re.compile(
    r"s_(add|sub|addc|subb|addk|absdiff|abs|and|or|xor|nand|nor|xnor|andn\d|orn\d|and_not\d|or_not\d|lshl|lshr|ashr|bfe|not"
    r"|bcnt\d|wqm|quadmask|lshl\d_add|min|max|cmp|cmpk|bitcmp\d|barrier_signal_isfirst|barrier_leave)(?:_|$)(?!nc_|f16|f32|num_)"
)
_S_READS_SCC = re.compile(r"s_(addc|subb|add_co_ci|sub_co_ci|cselect|cmov|cmovk|cbranch_scc)\w*")
_S_TIED = re.compile(r"s_(addk|mulk|cmovk?|bitset[01]|fmac)_\w+")


def _scalar(body: str, mnemonic: str, operands: str, values: list[tuple[int, ...]]) -> Access:
    del mnemonic, operands
    results = 0 if _S_NO_RESULT.fullmatch(body) else 1
    writes, reads = _join(values[:results]), _join(values[results:])
    if _S_SETS_SCC.match(body):
        writes.add(SCC)
    if _S_READS_SCC.fullmatch(body):
        reads.add(SCC)
    if _S_TIED.fullmatch(body):
        reads |= _join(values[:1])
    if "saveexec" in body or "wrexec" in body:
        reads.add(EXEC)
        writes |= {EXEC, EXEC + 1} if body.endswith("b64") else {EXEC}
    if body.startswith("s_cbranch_vcc"):
        reads.add(VCC)
    if body.startswith("s_cbranch_exec"):
        reads.add(EXEC)
    if body.startswith(("s_sendmsg", "s_movrel")):
        reads.add(M0)
    return _make(reads, writes)


# -- vector unit ------------------------------------------------------------------------------------------------------

_V_TWO_RESULTS = re.compile(
    r"v_((add|sub|subrev)_co(_ci)?_\w+|(addc|subb|subbrev)(_co)?_\w+|div_scale_\w+|mad_(co_)?[iu]64_[iu]32)"
)
_V_TIED = re.compile(
    r"v_((pk_)?(fmac|mac)_\w+|dot\d+(c|acc)_\w+|smfmac_\w+|swmmac_\w+|interp_p2_f32|writelane_b32|movreld_b32|fmac_\w+)"
)
_V_KEEPS = re.compile(r"v_((fma|mad)_mix(lo|hi)_\w+|cvt_(sr|scalef32_(sr|f16))_\w+|cvt_\w*(fp8|bf8|fp4)_\w+|mov_b16)")
_V_SWAPS = re.compile(r"v_(swap\w*|permlane(16|32)_swap_b32)")
_V_READS_VCC = re.compile(r"v_div_fmas_\w+")


def _vector(body: str, mnemonic: str, operands: str, values: list[tuple[int, ...]]) -> Access:
    results = _vector_results(body, len(values))
    writes, reads = _join(values[:results]), _join(values[results:]) | {EXEC}
    if body.startswith("v_cmpx"):
        writes |= {EXEC, EXEC + 1}
    if _V_TIED.fullmatch(body):
        reads |= _join(values[:1])
    if _V_SWAPS.fullmatch(body):
        reads |= writes
    if _V_READS_VCC.fullmatch(body) or (body.startswith("v_cndmask") and len(values) == 3):
        reads.add(VCC)
    if body.startswith(("v_movrel", "v_interp")):
        reads.add(M0)
    return _make(reads, writes, keeps=_keeps(body, mnemonic, operands))


def _vector_results(body: str, count: int) -> int:
    if body in ("v_nop", "v_pipeflush", "v_clrexcp") or (body.startswith("v_cmpx") and count == 2):
        return 0
    return 2 if _V_TWO_RESULTS.fullmatch(body) or _V_SWAPS.fullmatch(body) else 1


def _keeps(body: str, mnemonic: str, operands: str) -> bool:
    """Tell whether some of the destination's bits or lanes stay as they were."""
    if "_dpp" in mnemonic:
        whole = "bound_ctrl" in operands and "row_mask:0xf" in operands and "bank_mask:0xf" in operands
        return not whole and "dpp8" not in mnemonic
    first = operands.partition(",")[0]
    return (
        "UNUSED_PRESERVE" in operands
        or first.endswith((".l", ".h"))
        or _V_KEEPS.fullmatch(body) is not None
        or ("op_sel:[0,0,1" in operands and body.endswith("16"))
    )


# -- memory -----------------------------------------------------------------------------------------------------------

_DS_RESULT = re.compile(
    r"(ds|lds)_(read|load|\w*permute|swizzle|\w*_rtn|consume|append|ordered_count|param_load|direct_load|bvh)\w*"
)
_RETURNS = re.compile(r"\b(glc|sc0)\b|RETURN")
_NO_REGISTERS = re.compile(r"(buffer|global|flat)_(wb\w*|inv\w*|gl\d_inv)")
_TO_LDS = re.compile(r"\w+_lds_\w+|\w+_(to|from)_lds\w*|tensor_\w+|\w+prefetch\w*")
_LDS_WORD = re.compile(r"\blds\b")
_TIED_LOADS = re.compile(r"\w+_d16(_hi)?(_\w+)?$|\w+_d16_\w+")


def lds_copy(mnemonic: str, operands: str) -> bool:
    """Tell whether a memory instruction moves data between memory and local data share without vector registers.

    >>> lds_copy("buffer_load_dwordx4", "v1, s[4:7], 0 offen lds")
    True
    >>> lds_copy("global_load_dword", "v[2:3], off lds")
    True
    """
    if "prefetch" in mnemonic or mnemonic.startswith(("ds_", "lds_")):
        return False
    return _TO_LDS.fullmatch(mnemonic) is not None or (
        mnemonic.startswith(("buffer_", "global_")) and _LDS_WORD.search(operands) is not None
    )


def returns(mnemonic: str, operands: str) -> bool:
    """Tell whether an atomic of the vector memory gives the old value back."""
    return "atomic" in mnemonic and _RETURNS.search(operands) is not None


def _local(body: str, mnemonic: str, operands: str, values: list[tuple[int, ...]]) -> Access:
    del mnemonic, operands
    results = 1 if _DS_RESULT.fullmatch(body) else 0
    if "bvh_stack" in body:
        results = 2
    reads = _join(values[results:]) | {EXEC}
    if any(word in body for word in ("addtid", "gws", "param", "direct", "append", "consume")):
        reads.add(M0)
    if "bvh_stack" in body:
        reads |= _join(values[1:2])
    return _make(reads, _join(values[:results]), keeps=_TIED_LOADS.match(body) is not None and results > 0)


def _memory(body: str, mnemonic: str, operands: str, values: list[tuple[int, ...]]) -> Access:
    del mnemonic
    if _NO_REGISTERS.fullmatch(body):
        return Access((), ())
    if "prefetch" in body:
        return _make({*_join(values), EXEC}, set())
    if lds_copy(body, operands):
        return _make({*_join(values), EXEC, M0}, set())
    if "atomic" in body:
        return _atomic(body, operands, values)
    if "_store" in body:
        return _make(_join(values) | {EXEC}, set())
    if body.startswith("lds_"):
        return _make(_join(values[1:]) | {EXEC, M0}, _join(values[:1]))
    return _make(_join(values[1:]) | {EXEC}, _join(values[:1]), keeps=_TIED_LOADS.match(body) is not None)


def _atomic(body: str, operands: str, values: list[tuple[int, ...]]) -> Access:
    if not returns(body, operands):
        return _make(_join(values) | {EXEC}, set())
    if body.startswith(("global", "flat", "scratch")):
        return _make(_join(values[1:]) | {EXEC}, _join(values[:1]))
    data = values[0] if values else ()  # buffers and images give the old value back in the data's registers
    old = data[: len(data) // 2] if "cmpswap" in body else data
    return _make(_join(values) | {EXEC}, set(old))


_RULES = {"s": _scalar, "v": _vector, "ds": _local, "memory": _memory}
