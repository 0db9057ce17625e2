"""What the text says is what the maps say: every formula is evaluated and compared."""

import re

import numpy as np

from hotloop.isa.banks.expression import parse
from hotloop.isa.matrix import catalogue, maps
from hotloop.isa.matrix.picture import formulas, rows


def test_every_formula_is_its_map():
    checked = 0
    for instruction in catalogue.instructions():
        if instruction.family.value == "wgmma" and instruction.n not in (8, 24, 256):
            continue
        for operand in "AD" if instruction.family.value == "wgmma" else "ABD":
            where = maps.element_map(instruction, operand)
            arrays = {"row": where.row, "column": where.column, "block": where.block}
            arrays["k"] = arrays["stored k"] = where.column if operand == "A" else where.row
            for formula in formulas(instruction, where):
                name, _, text = formula.partition(" = ")
                expression = parse(text.partition(" (lanes")[0], ("lane", "i"))
                for lane in (0, 3, 17, where.row.shape[0] - 1):
                    for item in {0, where.items // 2, where.items - 1}:
                        assert expression({"lane": lane, "i": item}) == arrays[name][lane, item], (
                            instruction.name,
                            formula,
                        )
                checked += 1
    assert checked > 700


def test_rows_name_every_column_once():
    for name in (
        "v_mfma_f32_32x32x8_f16",
        "m16n8k16.f32.f16.f16.f32",
        "v_mfma_f32_16x16x128_f8f6f4",
        "v_mfma_f64_4x4x4_4b_f64",
    ):
        instruction = catalogue.find(name)
        for operand in "ABD":
            where = maps.element_map(instruction, operand)
            for line in rows(where, most=200):
                spans = [(int(a), int(b or a)) for a, b in re.findall(r"(?:k|column) (\d+)(?:-(\d+))? =", line)]
                covered = [n for a, b in spans for n in range(a, b + 1)]
                assert covered == list(range(where.shape[2])), line


def test_a_row_of_an_accumulator():
    where = maps.element_map(catalogue.find("v_mfma_f32_32x32x8_f16"), "D")
    assert list(rows(where))[6] == "row  6: column 0-31 = lanes 32-63 v2"
    assert np.array_equal(where.row[32:, 2], np.full(32, 6))
