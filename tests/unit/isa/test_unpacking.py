"""Instructions that unpack halves of words."""

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.summary.unpacking import unpacking


def counted(*lines):
    (function,) = DIALECT.parse("k:\n" + "".join(f"\t{line}\n" for line in (*lines, "s_endpgm")))
    return unpacking(function.instructions)


def test_shifts_by_half_a_word_and_masks_of_the_upper_half_count():
    assert counted("v_lshlrev_b32_e32 v1, 16, v0", "v_lshrrev_b32_e32 v1, 16, v0") == 2
    assert counted("v_and_b32_e32 v1, 0xffff0000, v0") == 1
    assert counted("v_cvt_pk_bf16_f32 v1, v2, v3", "v_alignbit_b32 v1, v2, v3, 16") == 2


def test_a_mask_in_a_scalar_register_counts():
    assert counted("s_mov_b32 s4, 0xffff0000", "v_and_b32_e32 v1, s4, v0") == 1
    assert counted("s_mov_b32 s4, 0xffff", "v_and_b32_e32 v1, s4, v0") == 0


def test_address_arithmetic_does_not_count():
    assert counted("v_lshlrev_b32_e32 v1, 2, v0", "v_and_b32_e32 v1, 63, v0", "v_add_u32_e32 v1, 16, v0") == 0
