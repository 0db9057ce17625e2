"""Scoreboards: hazards found and not found, waits, how far loads run ahead, on small code written here."""

import pytest

from hotloop.isa.nvidia import control
from hotloop.isa.nvidia.groups import group_waits
from hotloop.isa.nvidia.scheduled import read
from hotloop.isa.nvidia.scoreboards import GROUPS, HazardKind, Scoreboards


def scheduled(text):
    """Return the function of lines such as ``0 - 2 1 | LDG.E R2, [R4.64]``: waits, read barrier, write barrier, stall."""
    rows = []
    for line in text.strip().split("\n"):
        head, _, code = line.partition("|")
        if not code:
            rows.append(f"{line.strip()}:")
            continue
        waits, read_barrier, write, stall = head.split()
        mask = 0 if waits == "-" else sum(1 << int(digit) for digit in waits)
        fields = [7 if field == "-" else int(field) for field in (write, read_barrier)]
        field = int(stall) | 1 << 4 | fields[0] << 5 | fields[1] << 8 | mask << 11
        word = field << control.FIRST_BIT
        rows.append(f"  {code.strip()} ; /* {word & (1 << 64) - 1:#018x} */\n /* {word >> 64:#018x} */")
    (found,) = read("\n".join(rows))
    return found


def hazards(text):
    return [
        (h.kind, h.register, h.barrier, h.producer.address, h.consumer.address)
        for h in Scoreboards(scheduled(text)).hazards
    ]


def test_a_load_waited_for_is_no_hazard():
    assert hazards("- - 0 1 | LDG.E R2, [R4.64]\n0 - - 4 | FADD R3, R2, R2") == []


def test_a_load_read_too_early_names_both_places():
    text = "- - 0 1 | LDG.E R2, [R4.64]\n1 - - 4 | FADD R3, R2, R2"
    assert hazards(text) == [(HazardKind.READ, "R2", 0, 0, 0x10)]
    (found,) = Scoreboards(scheduled(text)).hazards
    assert "FADD at 0x10 uses R2 without waiting for scoreboard 0 of LDG.E at 0x0 (read before written)" in str(found)


def test_every_register_of_a_wide_load_is_guarded():
    assert [h[1] for h in hazards("- - 0 1 | LDG.E.64 R2, [R4.64]\n- - - 4 | FADD R6, R3, R3")] == ["R3"]


def test_a_register_written_twice():
    assert hazards("- - 0 1 | LDG.E R2, [R4.64]\n- - - 4 | MOV R2, 0x1") == [(HazardKind.WRITE, "R2", 0, 0, 0x10)]


def test_an_operand_overwritten_before_it_is_read():
    assert hazards("- 1 - 1 | STG.E [R4.64], R2\n- - - 4 | MOV R2, 0x1") == [(HazardKind.OVERWRITE, "R2", 1, 0, 0x10)]
    assert hazards("- 1 - 1 | STG.E [R4.64], R2\n1 - - 4 | MOV R2, 0x1") == []


def test_a_written_result_means_that_the_operands_were_read():
    assert hazards("- 1 2 1 | DFMA R2, R4, R6, R8\n2 - - 4 | MOV R4, R2") == []


def test_predicates_are_read_at_issue():
    assert hazards("- 1 - 1 | @P0 STG.E [R4.64], R2\n- - - 4 | ISETP.NE.AND P0, PT, R9, RZ, PT") == []


def test_a_queue_cannot_overtake_itself():
    assert hazards("- 1 - 1 | STS [R4], R2\n- - 0 1 | LDS R2, [R5]\n0 - - 4 | FADD R3, R2, R2") == []


@pytest.mark.parametrize(("later", "found"), [("DFMA R2, R8, R10, R6", []), ("FADD R2, R8, R10", ["R2"])])
def test_instructions_of_double_precision_read_in_order(later, found):
    """ptxas lets a product's operand be overwritten by the next one: of sm_80's code for a radio interferometer."""
    assert [h[1] for h in hazards(f"- 3 - 1 | DMUL R4, R2, R12\n- - - 4 | {later}")] == found


def test_a_result_without_any_scoreboard_is_a_hazard():
    assert hazards("- - - 1 | LDG.E R2, [R4.64]\n- - - 4 | FADD R3, R2, R2") == [(HazardKind.READ, "R2", None, 0, 0x10)]


def test_the_last_of_a_row_guards_the_earlier_ones():
    row = "- - - 1 | LDS R2, [R4]\n- - - 1 | LDSM.16.M88.4 R8, [R4]\n- - 3 1 | SHFL.BFLY PT, R3, R7, 0x1, 0x1f\n"
    assert hazards(row + "3 - - 4 | FADD R6, R2, R8") == []
    assert {h[1] for h in hazards(row + "- - - 4 | FADD R6, R2, R8")} == {"R2", "R8"}


def test_a_guard_waited_for_before_it_was_issued_does_not_count():
    text = "- - - 1 | LDS R2, [R4]\n3 - - 4 | FADD R6, R2, R2\n- - 3 1 | LDS R5, [R4]"
    assert [h[1] for h in hazards(text)] == ["R2"]


def test_hazards_over_one_of_two_paths():
    text = """
- - 0 1 | LDG.E R2, [R4.64]
- - - 5 | @P0 BRA `(.L_x_0)
0 - - 4 | FADD R2, R2, R2
.L_x_0
- - - 4 | FADD R3, R2, R2
"""
    assert [(h[1], h[4]) for h in hazards(text)] == [("R2", 0x30)]


def test_hazards_over_a_back_edge():
    text = """
.L_x_0
{wait} - - 4 | FADD R3, R2, R3
- - 0 1 | LDG.E R2, [R4.64]
- - - 5 | @P0 BRA `(.L_x_0)
0 - - 5 | EXIT
"""
    assert hazards(text.format(wait="0")) == []
    found = hazards(text.format(wait="-"))
    assert found == [(HazardKind.READ, "R2", 0, 0x10, 0), (HazardKind.WRITE, "R2", 0, 0x10, 0x10)]


def test_a_call_takes_nothing_along():
    text = "- - 0 1 | LDG.E R2, [R4.64]\n{} - - 5 | CALL.REL.NOINC `(f)\n- - - 1 | FADD R3, R2, R2"
    assert hazards(text.format("0")) == []
    assert hazards(text.format("-")) == [(HazardKind.READ, "R2", 0, 0, 0x10)]


@pytest.mark.parametrize(("left", "registers"), [(0, set()), (1, {"R3"}), (2, {"R2", "R3"})])
def test_depbar_leaves_the_youngest(left, registers):
    text = f"- - 5 1 | F2I.F64 R2, R8\n- - 5 1 | F2F.F32.F64 R3, R8\n- - - 4 | DEPBAR.LE SB5, {left:#x}\n"
    text += "- - - 4 | FADD R6, R2, R3"
    assert {h[1] for h in hazards(text)} == registers


def test_depbar_with_a_list():
    assert hazards("- - 4 1 | LDG.E R2, [R4.64]\n- - - 4 | DEPBAR {5,4,3}\n- - - 4 | FADD R6, R2, R2") == []


def test_descriptors_that_ampere_listings_hide():
    """LDG.E R2, [R2.64] with UR4: the number stands in bits 32 to 37."""
    word = (1 | 1 << 4 | 7 << 5 | 7 << 8) << control.FIRST_BIT | 4 << 32
    first = scheduled("- - 0 1 | R2UR UR5, R9")
    listing = (
        "  R2UR UR5, R9 ; /* 0x0000000000000000 */\n /* 0x000e000000000000 */\n"
        f"  LDG.E R2, [R2.64] ; /* {word & (1 << 64) - 1:#018x} */\n /* {word >> 64:#018x} */"
    )
    (found,) = read(listing)
    assert found.descriptors[1] == {"UR4", "UR5"}
    assert [h.register for h in Scoreboards(found).hazards] == ["UR5"]
    assert first.descriptors == ()


WGMMA = """
.L_x_0
- - - 1 | HGMMA.64x16x16.F32 R24, gdesc[UR4], R24
- - - 1 | HGMMA.64x16x16.F32 R24, gdesc[UR4], R24, gsb0
- - - 4 | WARPGROUP.DEPBAR.LE gsb0, {left}
- - - 4 | FADD R2, R24, R2
- - - 5 | @P0 BRA `(.L_x_0)
- - - 5 | EXIT
"""


def test_accumulators_wait_for_their_group():
    assert hazards(WGMMA.format(left="0x0")) == []
    found = hazards(WGMMA.format(left="0x1"))
    assert {(h[0], h[1], h[2]) for h in found} == {(HazardKind.READ, "R24", GROUPS)}


def test_how_far_groups_run_ahead():
    (drained,) = group_waits(scheduled(WGMMA.format(left="0x0")).function)
    (ahead,) = group_waits(scheduled(WGMMA.format(left="0x1")).function)
    assert (drained.family, drained.left, drained.iterations, drained.instructions) == ("wgmma", 0, 0, 0)
    assert (ahead.left, ahead.iterations, ahead.instructions, ahead.matrix_instructions) == (1, 1, 5, 2)


def test_waits_name_what_they_wait_for():
    text = "- - 0 1 | LDG.E R2, [R4.64]\n- 1 - 1 | STG.E [R6.64], R8\n01 - - 4 | FADD R8, R2, R2\n0 - - 4 | FADD R8, R2, R2"
    assert [(w.index, w.barrier, w.producers, w.readers) for w in Scoreboards(scheduled(text)).waits] == [
        (2, 0, (0,), ()),
        (2, 1, (), (1,)),
    ]
