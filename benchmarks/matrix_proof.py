"""Checks hotloop's table of AMD matrix instructions against LLVM's assembler and hazard recogniser.

    python benchmarks/matrix_proof.py

For every instruction and every target one line of assembly is written with as many registers per operand as hotloop's maps
say, and ziglang's clang (`pip install ziglang==0.17.0`) assembles it. An instruction must be accepted on exactly the targets
that hotloop lists, and with one register more per operand it must be refused: so names, targets and register counts are
LLVM's.

Passes: a kernel that stores the result of one MFMA is compiled, and the wait states that LLVM puts between the two are counted.
They are the passes plus a constant of the target (double precision: one figure per shape, which cannot tell 8 from
16 passes). The f8f6f4 instructions are left out. The exit code is 1 when anything differs. No GPU is needed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hotloop.isa.matrix import amd
from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import element_map

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1102", "gfx1150", "gfx1151", "gfx1200", "gfx1201")
FORMATS = {"f8": 0, "f6": 2, "f4": 4}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of assembly and whether it must assemble."""

    instruction: Instruction
    text: str
    fits: bool
    what: str


def lines(target: str) -> list[Line]:
    """Return every instruction with right and wrong register counts."""
    made = []
    for instruction in amd.instructions():
        name = spelling(instruction, target)
        counts = {operand: element_map(instruction, operand).registers for operand in "ABD"}
        here = target in instruction.targets
        made.append(Line(instruction, text(instruction, name, counts), here, "as listed"))
        if here:
            for operand in "ABD":
                wrong = {**counts, operand: counts[operand] * 2}
                made.append(Line(instruction, text(instruction, name, wrong), False, f"{operand} doubled"))
    return made


def spelling(instruction: Instruction, target: str) -> str:
    """Return the mnemonic as a target's assembler spells it."""
    bare = instruction.name.split()[0]
    if target in ("gfx908", "gfx90a") and instruction.family is Family.MFMA:
        return next((s for s in instruction.spellings if s.startswith("v_mfma")), bare)
    return bare


def text(instruction: Instruction, name: str, counts: dict[str, int]) -> str:
    """Return one line with registers from fixed, aligned places."""
    a, b, d = span("v", 64, counts["A"]), span("v", 96, counts["B"]), span("v", 128, counts["D"])
    if instruction.family is Family.SMFMAC:
        return f"{name} {d}, {a}, {b}, v2"
    if instruction.family is Family.MFMA:
        d = span("a", 128, counts["D"])
    line = f"{name} {d}, {a}, {b}, {d}"
    if "scale" in name:
        line += ", v2, v4 op_sel_hi:[0,0,0]"
    if "f8f6f4" in name:
        line += f" cbsz:{FORMATS[instruction.a_type]} blgp:{FORMATS[instruction.b_type]}"
    return line


def span(kind: str, first: int, count: int) -> str:
    """Return a register or a range of registers."""
    return f"{kind}{first}" if count == 1 else f"{kind}[{first}:{first + count - 1}]"


def refused(target: str, texts: list[str]) -> set[int]:
    """Return the indices of lines that the assembler refuses."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.s")
        source.write_text("\n".join(texts) + "\n", encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "clang",
            "-target",
            "amdgcn-amd-amdhsa",
            f"-mcpu={target}",
            "-c",
            "-x",
            "assembler",
        ]
        done = subprocess.run(
            [*command, str(source), "-o", f"{folder}/k.o"], capture_output=True, text=True, check=False
        )
    return {int(line) - 1 for line in re.findall(r"k\.s:(\d+):\d+: error", done.stderr)}


def prove(target: str) -> Counter[str]:
    """Compare one target; print what differs."""
    wanted = lines(target)
    bad = refused(target, [line.text for line in wanted])
    verdicts: Counter[str] = Counter()
    for n, line in enumerate(wanted):
        agrees = line.fits is (n not in bad)
        verdicts[("agrees: " if agrees else "DIFFERS: ") + ("accepted" if line.fits else "refused")] += 1
        if not agrees:
            print("DIFFERS", target, line.what, line.text)
    return verdicts


def waits(target: str) -> Counter[str]:
    """Compare the passes of one CDNA target with LLVM's wait states; print what differs."""
    chosen = [
        i for i in amd.instructions() if i.family is Family.MFMA and target in i.targets and "f8f6f4" not in i.name
    ]
    with tempfile.TemporaryDirectory() as folder:
        source, listing = Path(folder, "k.ll"), Path(folder, "k.s")
        source.write_text("\n".join(('target triple = "amdgcn-amd-amdhsa"', *_kernels(chosen))), encoding="utf-8")
        options = [
            "-x",
            "ir",
            "-nogpulib",
            "-target",
            "amdgcn-amd-amdhsa",
            f"-mcpu={target}",
            "-O1",
            "-S",
            "-o",
            str(listing),
        ]
        subprocess.run([sys.executable, "-m", "ziglang", "clang", *options, str(source)], check=True)
        text = listing.read_text(encoding="utf-8")
    verdicts: Counter[str] = Counter()
    for n, instruction in enumerate(chosen):
        states = _wait_states(text.split(f"\nk{n}:")[1].split("s_endpgm")[0])
        cost = instruction.cost(target)
        agrees = cost is not None and cost.passes is not None and states == _expected(target, instruction, cost.passes)
        verdicts["agrees: passes" if agrees else "DIFFERS: passes"] += 1
        if not agrees:
            print("DIFFERS", target, instruction.name, states, cost)
    return verdicts


def _kernels(chosen: list[Instruction]) -> list[str]:
    made, declared = [], set()
    for n, instruction in enumerate(chosen):
        a, b, d = (_type(instruction, operand) for operand in "ABD")
        name = _intrinsic(instruction)
        if name not in declared:
            declared.add(name)
            made.append(f"declare {d} @{name}({a}, {b}, {d}, i32, i32, i32)")
        made += [
            f"define amdgpu_kernel void @k{n}({a} %a, {b} %b, ptr addrspace(1) %p) {{",
            f"  %r = call {d} @{name}({a} %a, {b} %b, {d} zeroinitializer, i32 0, i32 0, i32 0)",
            f"  store {d} %r, ptr addrspace(1) %p",
            "  ret void\n}",
        ]
    return made


def _intrinsic(instruction: Instruction) -> str:
    builtin = "__builtin_amdgcn_mfma_"
    old = [s.removeprefix(builtin) for s in instruction.spellings if s.startswith(builtin)]
    return "llvm.amdgcn.mfma." + (old[0] if old else instruction.name.removeprefix("v_mfma_")).replace("_", ".")


def _type(instruction: Instruction, operand: str) -> str:
    count = element_map(instruction, operand).items
    kind = {"A": instruction.a_type, "B": instruction.b_type, "D": instruction.c_type}[operand]
    if kind in ("i8", "fp8", "bf8"):
        return {4: "i32", 8: "i64", 16: "<4 x i32>"}[count]
    names = {"f32": "float", "xf32": "float", "f64": "double", "f16": "half", "i32": "i32"}
    scalar = ("bfloat" if count == 8 else "i16") if kind == "bf16" else names[kind]
    return scalar if count == 1 else f"<{count} x {scalar}>"


def _wait_states(body: str) -> int:
    """Return the wait states between the MFMA and the first use of its result."""
    code = [line.split(";")[0].strip() for line in body.splitlines()]
    code = code[next(n for n, line in enumerate(code) if line.startswith("v_mfma")) + 1 :]
    total = 0
    for line in code:
        if line.startswith(("global_store", "v_accvgpr_read")):
            return total
        if line:
            total += int(line.split()[1]) + 1 if line.startswith("s_nop") else 1
    raise ValueError("the result is never used")


def _expected(target: str, instruction: Instruction, passes: int) -> int:
    if instruction.c_type == "f64":
        return 9 if instruction.m == 4 else 18
    single = instruction.a_type == "f32"
    more = {"gfx908": 2, "gfx90a": 3, "gfx942": 2 if single else 3, "gfx950": 2 if single else 3 + (passes > 2)}
    return passes + more[target]


def main() -> int:
    """Compare all targets."""
    total: Counter[str] = Counter()
    for target in TARGETS:
        total += prove(target)
    for target in TARGETS[:4]:
        total += waits(target)
    for verdict, count in total.most_common():
        print(f"{count:6} {verdict}")
    return int(any(verdict.startswith("DIFFERS") for verdict in total))


if __name__ == "__main__":
    sys.exit(main())
