"""Directives between instructions that make code which does not stand in the listing."""

import pytest

from hotloop.emulate.errors import EmulateError
from hotloop.emulate.program import load


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (".rept 3\nv_add_u32_e32 v0, 1, v0\n.endr", "rept"),
        ("v_mov_b32_e32 v1, v0\n.long 0x68000081", "long"),
        ("v_mov_b32_e32 v1, v0\n.if 0\nv_mov_b32_e32 v1, v0\n.endif", "if"),
    ],
)
def test_code_that_the_assembler_makes_of_directives_is_refused(listing, lines, word):
    with pytest.raises(EmulateError, match=rf"what \.{word} makes of the code does not stand in the listing"):
        load(listing(lines))


def test_directives_that_make_no_code_and_those_behind_it_are_read_over(listing):
    text = listing("v_mov_b32_e32 v1, v0\n.p2align 6\n.loc 1 2 3\nv_mov_b32_e32 v1, v0")
    assert len(load(text + "\n.section .rodata\n.long 7\n").code) == len(load(text).code)


def test_the_call_of_a_macro_is_refused_and_what_is_no_code_is_read_over(listing):
    with pytest.raises(EmulateError, match="'INC v0 ; once' is no instruction"):
        load(listing("v_mov_b32_e32 v1, v0\n\tINC v0 ; once\nv_mov_b32_e32 v1, v0"))
    text = listing(
        "v_mov_b32_e32 v1, v0\namount = 5\n; INC v0\n// INC v0\nnear: v_mov_b32_e32 v1, v0\nv_mov_b32_e32 v1, v0"
    )
    assert len(load(text).code) == len(load(listing("v_mov_b32_e32 v1, v0\n" * 3)).code)
