"""Compare single instructions of the executor with the pseudocode of AMD's ISA references, which tinygrad's package carries.

    pip install --no-deps --target FOLDER tinygrad
    python benchmarks/emulate_pseudocode.py FOLDER gfx942 gfx1100 gfx1201 --out pseudocode.json

The text (MIT, `tinygrad.runtime.autogen.amd`, made from AMD's documents) is read where the package lies and executed by `pseudocode/`, a
reader of its own that shares no code with the executor: one lane after another, every operation rounded by itself, functions such as
``f32_to_i32`` after the references. Operands are random bits, numbers of moderate size, small integers and special values. A row is an
opcode: equal in every lane, or the first lane that differs; or why it was not compared. Transcendental functions may differ by one unit in the
last place; NaNs are all equal.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pseudocode import functions
from pseudocode.exceptions import EXCEPTIONS
from pseudocode.grammar import UnreadableError, parse
from pseudocode.machine import Machine
from pseudocode.values import SkippedError, UnknownError, integer

from hotloop.emulate.instruction import Context, decode
from hotloop.emulate.program import bound
from hotloop.emulate.state import Layout, Registers
from hotloop.errors import HotloopError
from hotloop.isa.amdgcn.counters import generation
from hotloop.isa.instruction import Instruction
from hotloop.targets.target import Target

DOCUMENTS = {"gfx90a": "cdna", "gfx942": "cdna", "gfx950": "cdna", "gfx1100": "rdna3", "gfx1201": "rdna4"}
VECTOR = ("VOP1Op", "VOP2Op", "VOP3Op", "VOP3POp", "VOP3SDOp", "VOPCOp")
SCALAR = ("SOP1Op", "SOP2Op", "SOPCOp", "SOPKOp")
ROWS, FIRST_RESULT = 64, 40
ELSEWHERE = re.compile(
    r"VGPR\[(?!laneId)|SGPR\[|HW_REGISTERS|\bPC\b|WAVE_STATUS|BARRIER|s_nop|TRAPSTS\.MEM|VSKIP|GPR_IDX"
)
"""Text about other lanes, the machine's registers or where the program goes."""
LOOSE = re.compile(r"v_s?_?(exp|log|sin|cos|rsq|rcp|sqrt)_")


@dataclass(frozen=True)
class Form:
    """An opcode's text for the executor, and where its operands stand."""

    mnemonic: str
    operands: str
    sources: tuple[tuple[str, int, int], ...]
    """Name in the pseudocode, first register, words."""
    words: int
    """Of the result."""
    mask: bool
    """The result is a bit for each lane."""
    scalar: bool


def words_of(text: str, name: str) -> int:
    """Return the words of an operand by the widest way it is used; 0: it is not used."""
    found = [int(n) for n in re.findall(rf"\b{name}\.(?:bf|[fuib])(\d+)", text)]
    found += [int(n) + 1 for n in re.findall(rf"\b{name}\[(\d+) :", text)]
    if not found and not re.search(rf"\b{name}\b", text):
        return 0
    return max(1, -(-max(found, default=32) // 32))


def form(kind: str, name: str, text: str, lanes: int) -> Form:
    """Return how an opcode is written in assembly."""
    bare = re.sub(r"_E(32|64)$", "", name)
    scalar, long = kind in SCALAR, name.endswith("_E64") or kind in ("VOP3Op", "VOP3POp", "VOP3SDOp")
    letter = "s" if scalar else "v"
    masked = bool(re.search(r"(D0|EXEC)\.u64\[laneId\]", text))
    sources, operands, at = [], [], 2
    for which in ("S0", "S1", "S2"):
        count = words_of(text, which)
        if which == "S1" and bare.startswith(("V_CMP_CLASS", "V_CMPX_CLASS")):
            count = 1
        if kind == "VOPCOp" or "_CMP" in bare:
            count = {"S0": count or 1, "S1": count or 1}.get(which, 0)
        if re.search(r"\bS\[i\]", text):
            count = 1
        if count and kind != "SOPKOp":
            sources.append((which, at, count))
            operands.append(_register(letter, at, count))
            at += 4
    words = result_words(text)
    result = [_register(letter, FIRST_RESULT, words)] if words else []
    if masked:
        result = _masked(bare, text, lanes, long=long)
    carry = "vcc" if lanes == 64 else "vcc_lo"
    if kind == "VOP3SDOp" or (kind == "VOP2Op" and re.search(r"VCC\.u64\[laneId\] =|D1\.u1", text)):
        result.append(carry)
    if not scalar and re.search(r"VCC\.u64\[laneId\](?! =)", text) and "DIV_FMAS" not in bare:
        operands.append(carry)
    if "SIMM32" in text:
        operands.insert(1 if "FMAMK" in bare else len(operands), "0x40490fdb")
    if kind == "SOPKOp":
        reads = "CMPK" in bare
        sources = [("S0", 4, 1)] if reads else []
        words = 0 if reads else 1
        result, operands = [], ["s4" if reads else "s40", "0x9234"]
    more = ""
    if "BITOP3" in bare:
        more = " bitop3:0xa6"
    return Form(bare.lower(), ", ".join([*result, *operands]) + more, tuple(sources), words, masked, scalar)


def _masked(bare: str, text: str, lanes: int, *, long: bool) -> list[str]:
    """Return where a compare puts its bits."""
    if "CMPX" in bare and "D0" not in text:
        return ["exec" if lanes == 64 else "exec_lo"] if long else []
    if not long:
        return ["vcc" if lanes == 64 else "vcc_lo"]
    return ["s[40:41]" if lanes == 64 else "s40"]


def result_words(text: str) -> int:
    """Return the words of what is assigned to D0, or read of it first; 0: nothing."""
    found = [int(n) for n in re.findall(r"\bD0\.(?:bf|[fuib])(\d+)(?:\[[^]]*\])? [-+|&]?=[^=]", text)]
    found += [int(n) for n in re.findall(r"\{ D1\.u1, D0\.[ui](\d+) \}", text)]
    found += [int(n) + 1 for n in re.findall(r"\bD0\[(\d+) :", text)] + [
        32 for _ in re.findall(r"\bD0 =|D0\.u32\[", text)
    ]
    return -(-max(found) // 32) if found else 0


def _register(letter: str, first: int, count: int) -> str:
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


def random_words(rng: np.random.Generator, shape: tuple[int, int], text: str) -> Any:
    """Return words of every sort: any bits, floats of the sizes that the text names, small integers, special values."""
    found = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    single = (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 6, shape)).astype(np.float32).view(np.uint32)
    halves = (rng.standard_normal((*shape, 2)) * 4).astype(np.float16).view(np.uint16)
    pairs = np.ascontiguousarray(halves).view(np.uint32)[..., 0]
    special = np.array([0, 1 << 31, 1, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0xBF000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x00800000,
                        0x80000001, 0x4F000000, 0x3C00BC00, 0x7C007E00, 0x00010400, 0x3FF00000, 0x7FF00000, 0x40000000], np.uint32)  # fmt: skip
    typed = pairs if ".f16" in text else single
    if ".f64" in text:
        wide = (
            rng.standard_normal((shape[0] // 2, shape[1])) * 10.0 ** rng.integers(-6, 7, (shape[0] // 2, shape[1]))
        ).view(np.uint64)
        typed = np.stack(((wide & 0xFFFFFFFF).astype(np.uint32), (wide >> 32).astype(np.uint32)), axis=1).reshape(shape)
        chance = np.repeat(rng.random((shape[0] // 2, shape[1])), 2, axis=0)
    else:
        chance = rng.random(shape)
    found = np.where(chance < 0.6, typed, found)
    found = np.where(chance > 0.88, rng.choice(special, shape), found)
    return np.where((chance > 0.76) & (chance < 0.88), rng.integers(0, 70, shape), found).astype(np.uint32)


class Bench:
    """One processor's instructions beside one document."""

    def __init__(self, target: str, lanes: int, codes: dict[str, str]) -> None:
        family = generation(target)
        self.lanes, self.codes = lanes, codes
        self.context = Context(Target.of(target), family, Layout(ROWS, 0, lanes))

    def code(self, name: str) -> str | None:
        """Return the text of the instruction that another one calls like a function."""
        return next(
            (self.codes[n] for n in (name.upper() + end for end in ("", "_E64", "_E32")) if n in self.codes), None
        )

    def compare(self, one: Form, text: str, rounds: int, seed: int) -> tuple[int, int, str]:
        """Return lanes compared, lanes equal and the first difference. Raises HotloopError, UnknownError, UnreadableError."""
        item = decode(0, Instruction(0, one.mnemonic, one.operands, None, line=1), None, self.context.family)
        item.step = bound(item, self.context)
        block, rng, compared, equal, first = parse(text), np.random.default_rng(seed), 0, 0, ""
        for number in range(rounds):
            vectors = random_words(rng, (ROWS, self.lanes), text)
            scalars = np.zeros(136, np.uint32)
            scalars[:64] = random_words(rng, (64, 1), text)[:, 0]
            scalars[106:108] = rng.integers(0, 1 << 32, 2, dtype=np.uint32)
            scalars[126:128] = 0xFFFFFFFF if number == 0 else rng.integers(0, 1 << 32, 2, dtype=np.uint32)
            if self.lanes == 32:
                scalars[127] = scalars[107] = 0
            flag = bool(rng.integers(2))
            after = Registers(self.context.layout, vectors[:, None].copy(), scalars[:, None].copy(), np.array([flag]))
            with np.errstate(all="ignore"):
                item.step(after)
            for lane in range(1 if one.scalar else self.lanes):
                if not one.scalar and not scalars[126 + lane // 32] >> np.uint32(lane % 32) & 1:
                    continue
                try:
                    different = self.lane(one, block, text, vectors, scalars, flag, after, lane)
                except SkippedError:
                    continue
                compared += 1
                equal += not different
                first = first or different
        return compared, equal, first

    def lane(
        self,
        one: Form,
        block: list[Any],
        text: str,
        vectors: Any,
        scalars: Any,
        flag: bool,
        after: Registers,
        lane: int,
    ) -> str:
        """Return how a lane's result differs, or nothing."""
        file = scalars if one.scalar else vectors[:, lane]
        cells: dict[str, Any] = {name: _gather(file, at, words) for name, at, words in one.sources}
        vcc, execute = (int(scalars[n]) | int(scalars[n + 1]) << 32 for n in (106, 126))
        old = _gather(scalars if one.scalar or one.mask else vectors[:, lane], FIRST_RESULT, max(2, one.words))
        cells |= {
            "D0": integer("u", 64, vcc if one.mask and "vcc" in one.operands else old.raw), "D1": integer("u", 64, vcc), "VCC": integer("u", 64, vcc),
            "EXEC": integer("u", 64, execute), "EXEC_LO": integer("u", 32, execute), "SCC": integer("u", 1, int(flag)), "laneId": integer("u", 32, lane),
            "OPSEL": integer("u", 4, 0), "OPSEL_HI": integer("u", 3, 0 if "mix" in one.mnemonic else 7), "NEG": integer("u", 3, 0), "M0": integer("u", 32, int(scalars[124])),
            "SIMM16": integer("u", 16, 0x9234), "SIMM32": integer("u", 32, 0x40490FDB), "SDWA_SRC0_SEL": integer("u", 3, 0), "WORD1": integer("u", 2, 5),
            "BYTE1": integer("u", 2, 1), "BYTE2": integer("u", 2, 2), "BYTE3": integer("u", 2, 3), "TTBL": integer("u", 8, 0xA6), "WAVE32": integer("u", 1, self.lanes == 32),
            "WAVE64": integer("u", 1, self.lanes == 64), "S": [cells.get(f"S{n}") for n in range(3)],
        }  # fmt: skip
        if "0x9234" in one.operands and "SIMM16" not in text:
            cells["S1" if "cmpk" in one.mnemonic else "S0"] = integer("u", 16, 0x9234)
        if "div_scale" in one.mnemonic:  # the text leaves out what happens otherwise
            cells["D0"] = cells["S0"]
        machine = Machine(self.code, cells)
        machine.run(block)
        got = machine.cells
        told = self.results(one, text, after, lane)
        for name, (made, size) in told.items():
            mine, width = made, size
            its = got[name].bits & (1 << width) - 1
            if not one.scalar and (one.mask or name in ("D1", "VCC", "EXEC")):
                whole = name == "D1" or "VCC = 0x" in text  # the text names the lane's bit as if it were the register
                its, mine = its & 1 if whole else its >> lane & 1, mine >> lane & 1
            if name == "D0" and width == 32 and not one.mask and _halved(text):
                if mine >> 16 not in (0, old.bits >> 16 & 0xFFFF):
                    return f"{one.mnemonic}: the upper half is neither kept nor cleared"
                its, mine, width = its & 0xFFFF, mine & 0xFFFF, 16
            if not alike(mine, its, width, one.mnemonic, text):
                sources = ", ".join(f"{n}={cells[n].bits:#x}" for n, *_ in one.sources)
                return f"{one.mnemonic} {one.operands}: {name} {mine:#x}, by the text {its:#x} ({sources}, lane {lane})"
        return ""

    def results(self, one: Form, text: str, after: Registers, lane: int) -> dict[str, tuple[int, int]]:
        """Return what the executor made of each thing that the text assigns, with its width."""
        s = after.s[:, 0]
        pair = {
            name: int(s[n]) | int(s[n + 1]) << 32 for name, n in (("VCC", 106), ("EXEC", 126), ("D0", FIRST_RESULT))
        }
        found: dict[str, tuple[int, int]] = {}
        if one.mask:
            if "D0.u64[laneId]" in text:
                found["D0"] = (pair["VCC" if "vcc" in one.operands else "D0"], 64)
        elif one.words:
            file = s if one.scalar else after.v[:, 0, lane]
            found["D0"] = (_gather(file, FIRST_RESULT, one.words).bits, 32 * one.words)
        if re.search(r"VCC(\.u64\[laneId\])? =", text) or "D1.u1" in text:
            found["VCC" if "D1.u1" not in text else "D1"] = (pair["VCC"], 64)
        if re.search(r"EXEC(_LO)?(\.[ub]\d+)?(\[laneId\])? =", text):
            found["EXEC"] = (pair["EXEC"], 64)
        if re.search(r"\bSCC =", text):
            found["SCC"] = (int(after.scc[0]), 1)
        return found


def _gather(file: Any, first: int, words: int) -> Any:
    return integer("u", 32 * words, sum(int(file[first + n]) << 32 * n for n in range(words)))


def _halved(text: str) -> bool:
    """Tell whether only half a register is assigned; what becomes of the other half the text leaves open."""
    found = re.findall(r"\bD0(?:\.(\w+)|\[(\d+ : \d+)\]\S*)? [-+|&]?=[^=]", text)
    return bool(found) and all(
        kind in ("f16", "u16", "i16", "b16", "bf16") or place == "15 : 0" for kind, place in found
    )


def alike(one: int, two: int, width: int, mnemonic: str, text: str) -> bool:
    """Tell whether results are equal: any NaN equals any other; transcendental ones may differ by a unit."""
    if one == two:
        return True
    target = re.findall(r"D0(?:\[[^]]*\])?\.(bf16|f16|f32|f64)|tmp\[[^]]*\]\.(f16|f32|bf16)", text)
    kinds = {a or b for a, b in target}
    for size, kind, top in (
        (64, "f64", 0x7FF << 52),
        (32, "f32", 0x7F800000),
        (16, "f16", 0x7C00),
        (16, "bf16", 0x7F80),
    ):
        if kind not in kinds or width < size:
            continue
        parts = [((one >> n) & (1 << size) - 1, (two >> n) & (1 << size) - 1) for n in range(0, width, size)]
        sign = 1 << size - 1
        unit = 1 if LOOSE.match(mnemonic) else 0
        if all(a == b or (a & ~sign > top and b & ~sign > top) or (abs(a - b) <= unit) for a, b in parts):
            return True
    return False


def row(bench: Bench, target: str, kind: str, name: str, text: str, rounds: int) -> dict[str, Any]:
    """Compare one opcode."""
    told: dict[str, Any] = {"target": target, "encoding": kind.removesuffix("Op"), "opcode": name}
    text = (
        text.replace("VGPR[laneId][VDST.u32]", "D0")
        .replace("VGPR[laneId][VDST]", "D0")
        .replace("VGPR[laneId][SRC0.u32]", "S0")
    )
    text = re.sub(r"\bD\.", "D0.", re.sub(r"TTBL = [^;]*;", "", text))
    one = form(kind, name, text, bench.lanes)
    try:
        item = decode(0, Instruction(0, one.mnemonic, one.operands, None, line=1), None, bench.context.family)
        bound(item, bench.context)
    except (HotloopError, KeyError, IndexError, ValueError, AttributeError) as error:
        return {**told, "status": "not modelled", "why": f"{type(error).__name__}: {error}"[:160]}
    if ELSEWHERE.search(text):
        return {**told, "status": "not compared", "why": "the text is about other lanes or the machine's registers"}
    try:
        compared, equal, first = bench.compare(one, text, rounds, zlib.crc32(f"{target}{name}".encode()))
    except (
        UnreadableError,
        UnknownError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        ValueError,
        OverflowError,
        ZeroDivisionError,
    ) as error:
        return {**told, "status": "not compared", "why": f"{type(error).__name__}: {error}"[:160]}
    reason = next((why for pattern, why in EXCEPTIONS if re.match(pattern, one.mnemonic)), "")
    status = "equal" if equal == compared else "exception" if reason else "different"
    return {
        **told,
        "status": status,
        "compared": compared,
        "equal": equal,
        "first": first,
        "why": reason if status == "exception" else "",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("targets", nargs="+", choices=sorted(DOCUMENTS))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--only", default="", help="a pattern of opcodes")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    sys.path.insert(0, chosen.folder)
    rows: list[dict[str, Any]] = []
    for target in chosen.targets:
        made = importlib.import_module(f"tinygrad.runtime.autogen.amd.{DOCUMENTS[target]}.str_pcode").PCODE
        codes = {str(key.name): text for key, text in made.items()}
        functions.EIGHT.update(
            functions.FNUZ if Target.of(target).has("8-bit floats without negative zero") else functions.OCP
        )
        bench = Bench(target, Target.of(target).wave_size, codes)
        for key, text in made.items():
            kind = type(key).__name__
            if kind in (*VECTOR, *SCALAR) and re.search(chosen.only, key.name):
                rows.append(row(bench, target, kind, key.name, text, chosen.rounds))
        mine = [r for r in rows if r["target"] == target]
        print(target, dict(Counter(r["status"] for r in mine)), flush=True)
        for one in mine:
            if one["status"] == "different":
                print(f"  {one['equal']}/{one['compared']} {one['first']}", flush=True)
        if chosen.out:
            chosen.out.write_text(json.dumps(rows, indent=0) + "\n")


if __name__ == "__main__":
    main()
