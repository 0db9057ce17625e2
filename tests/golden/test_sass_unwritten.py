"""Registers without a value: none in real compiler output as it stands, and every register whose writers are all taken out is found."""

from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.nvidia.unwritten import unwritten
from hotloop.isa.summary.build import Source, report
from hotloop.isa.summary.limits import Limits, check
from hotloop.report.code.listing import verdict

FILES = sorted((Path(__file__).parent / "sass").glob("*.sass"))


def parsed(text):
    rows = [f"/*{16 * number:04x}*/ {row} ;" for number, row in enumerate(("MOV R1, c[0x0][0x28]", *text.splitlines()))]
    (function,) = DIALECT.parse("\n".join(rows))
    return function


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compilers_write_what_they_read(path):
    functions = DIALECT.parse(path.read_text())
    assert functions
    assert [str(found) for function in functions for found in unwritten(function)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_registers_that_nothing_writes_any_more_are_found(path):
    for function in DIALECT.parse(path.read_text()):
        code = function.instructions
        if (
            code[0].address
            or "c[0x0]" not in code[0].operands
            or any(i.mnemonic.startswith(("CALL", "RET", "BRX")) for i in code)
        ):
            continue
        for register in {name for i in code[1:] for name in effects(i).writes if name.startswith(("UR", "UP", "P"))}:
            left = replace(function, instructions=tuple(idle(i) if register in effects(i).writes else i for i in code))
            found = {one.register for one in unwritten(left)}
            assert (register in found) == any(register in effects(i).reads for i in reached(left))


def idle(instruction):
    return instruction._replace(mnemonic="NOP", operands="")


def reached(function):
    code = blocks(function)
    seen, todo = {0}, [0]
    while todo:
        new = set(code[todo.pop()].successors) - seen
        seen |= new
        todo += new
    return [i for index in seen for i in code[index].instructions]


def test_a_matrix_product_with_a_in_registers_has_one_descriptor():
    _, one, two = parsed(
        "HGMMA.64x64x16.F32.BF16 R24, R76, gdesc[UR16].tnspB, R24\nHGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24"
    ).instructions
    assert {name for name in effects(one).reads if name.startswith("U")} == {"UR18", "UR19"}
    assert {name for name in effects(two).reads if name.startswith("U")} == {"UR8", "UR9", "UR10", "UR11"}


LOST = """UMOV UR10, 0x40
UIADD3 UR4, UP0, UR6, 0x20, URZ
UIADD3.X UR5, UR6, -0x3ffffff0, URZ, UP0, !UPT
R2UR UR7, R1
EXIT"""
"""What ptxas 12.8 made of a sum with a matrix descriptor: UR6 where UR10 and zero were meant."""


def test_a_lost_instruction_is_told_by_the_report_and_fails_the_gate():
    function = parsed(LOST)
    (found,) = unwritten(function)
    assert (found.register, [i.address for i in found.readers]) == ("UR6", [0x20, 0x30])
    told = report(function, Source(dialect="sass", origin="here"))
    assert "miscompiled: UIADD3 at 0x20 and 1 more reads UR6" in verdict(told)
    assert [row.passed for row in check([told], Limits(max_hazards=0))] == [False]
    part = report(function, Source(dialect="sass", origin="here", fragment="a part"))
    assert part.unwritten == ()


@pytest.mark.parametrize(
    "text",
    [
        "ISETP.NE.AND P0, PT, RZ, RZ, PT\n@P0 UMOV UR6, 0x1\nUIADD3 UR4, UR6, 0x20, URZ\nEXIT",
        "BRA 0x30\nEXIT\nUMOV UR6, 0x1\nUIADD3 UR6, UR6, 0x20, URZ\nBRA 0x40",
        "CALL.REL.NOINC 0x30\nEXIT\nUIADD3 UR4, UR6, 0x20, URZ\nEXIT",
        "UIADD3 UR4, UR6, 0x20, URZ\nRET.REL.NODEC R2 0x0",
        "LOP3.LUT R7, R7, 0xfffffffe, RZ, 0xc0, !PT\nPRMT R8, R8, 0x5410, R1\nEXIT",
        "ISETP.NE.AND P0, PT, RZ, RZ, PT\nP2R R3, PR, RZ, 0x7f\nEXIT",
        "UMOV UR4, 0x1\nUR2UP UPR, UR4, 0x7f\n@UP1 UMOV UR6, 0x1\nEXIT",
    ],
    ids=[
        "under a predicate",
        "in a loop",
        "after a call",
        "in a function that is called",
        "bits of a vector register",
        "predicates kept",
        "predicates brought back",
    ],
)
def test_what_may_have_a_value_is_not_reported(text):
    assert unwritten(parsed(text)) == ()
