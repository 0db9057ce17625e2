"""Rules, edits, moves and waits on small listings: what is done, what is refused and why, and the registers that are declared."""

import re

import pytest

from hotloop.errors import UsageError
from hotloop.isa.patch import recipe as recipes
from hotloop.isa.patch.pattern import Pattern, fields
from hotloop.isa.patch.stages import patch

FRAME = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
\t.text
k:
{body}
\ts_endpgm
\t.amdhsa_kernel k
\t\t.amdhsa_next_free_vgpr 12
\t\t.amdhsa_accum_offset 12
\t\t.amdhsa_next_free_sgpr 8
\t.end_amdhsa_kernel
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .name:           k
    .symbol:         k.kd
    .vgpr_count:     12
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
...
\t.end_amdgpu_metadata
"""
PAIR = (
    "v_lshlrev_b32_e32 v3, 16, v2", "v_and_b32_e32 v4, 0xffff0000, v2", "v_fmac_f32_e32 v5, v6, v3", "v_mov_b32_e32 v9, v3",
    "v_fmac_f32_e32 v5, v7, v4", "v_add_f32_e32 v10, v9, v5", "global_store_dword v[0:1], v10, off",
)  # fmt: skip
DOT2 = """
[[rules]]
name = "dot2"
find = ["v_fmac_f32 $sum, $w0, $x0", "v_fmac_f32 $sum, $w1, $x1"]
where = ["v_lshlrev_b32 $x0, 16, $pair", "v_and_b32 $x1, 0xffff0000, $pair"]
replace = ["v_cvt_pk_bf16_f32 $t, $w0, $w1", "v_dot2_f32_bf16 $sum, $t, $pair, $sum"]
scratch = ["t"]
"""


def listing(*lines):
    return FRAME.format(body="\n".join(line if line.endswith(":") else f"\t{line}" for line in lines))


def patched(lines, text):
    return patch(listing(*lines), recipes.parse(text, "r.toml"))


def body(made):
    between = made.text.split("k:\n", 1)[1].split("\ts_endpgm")[0]
    return [line.strip() for line in between.splitlines()]


def test_a_rule_replaces_what_registers_allow():
    made = patched(PAIR, DOT2)
    assert body(made) == [
        PAIR[0], PAIR[1], PAIR[3], "v_cvt_pk_bf16_f32 v12, v6, v7", "v_dot2_f32_bf16 v5, v12, v2, v5", "s_nop 2", *PAIR[5:],
    ]  # fmt: skip
    assert ".amdhsa_next_free_vgpr 13" in made.text
    assert ".amdhsa_accum_offset 16" in made.text
    assert ".vgpr_count:     13" in made.text
    ((_, found),) = made.found
    assert found.kept == {4: "line 7, v_mov_b32_e32 v9, v3"}
    assert found.spare == [5]


def changed(at, *lines):
    return [*PAIR[:at], *lines, *PAIR[at + 1 :]]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (changed(1, "v_and_b32_e32 v4, 0xffff0000, v8"), "was not made by v_and_b32"),
        (changed(3, "v_mov_b32_e32 v2, v3"), "overwrites what v_lshlrev_b32"),
        (changed(3, "v_mov_b32_e32 v9, v5"), "reads the result between"),
        (changed(3, "v_mov_b32_e32 v6, v3"), "changes what line 6 uses"),
        (changed(3, "s_mov_b64 exec, s[2:3]"), "overwrites what|changes what line 6 uses"),
        (changed(3, "s_branch .L", ".L:"), "applies in 0 places"),
    ],
)
def test_a_rule_is_refused_where_registers_forbid_it(lines, reason):
    with pytest.raises(UsageError, match=reason):
        patched(lines, DOT2)


def test_a_result_that_is_missed_is_no_place():
    text = DOT2.replace(
        'find = ["v_fmac_f32 $sum, $w0, $x0", ', 'find = ["v_mul_f32 $p, $w0, $x0", "v_fmac_f32 $sum, $w0, $x0", '
    )
    lines = ["v_lshlrev_b32_e32 v3, 16, v2", "v_and_b32_e32 v4, 0xffff0000, v2", "v_mul_f32_e32 v11, v6, v3", "v_fmac_f32_e32 v5, v6, v3",
             "v_fmac_f32_e32 v5, v7, v4", "global_store_dword v[0:1], v11, off", "global_store_dword v[0:1], v5, off"]  # fmt: skip
    with pytest.raises(UsageError, match="line 9 needs the result of line 6, which the replacement does not make"):
        patched(lines, text)


def test_alike_and_given_choose_one_sum():
    twice = [*PAIR[:5], "v_fmac_f32_e32 v8, v6, v3", "v_fmac_f32_e32 v8, v7, v4", *PAIR[5:]]
    assert body(patched(twice, DOT2)).count("v_cvt_pk_bf16_f32 v12, v6, v7") == 2
    assert body(patched(twice, DOT2 + 'alike = ["sum"]\n')).count("v_cvt_pk_bf16_f32 v12, v6, v7") == 1
    one = body(patched(twice, DOT2 + 'given = ["sum=v8"]\n'))
    assert "v_dot2_f32_bf16 v8, v12, v2, v8" in one
    assert "v_fmac_f32_e32 v5, v7, v4" in one


def test_a_result_in_its_own_operand_gets_a_register():
    lines = ["v_lshlrev_b32_e32 v3, 16, v2", "v_and_b32_e32 v2, 0xffff0000, v2", "v_fmac_f32_e32 v5, v6, v3", "v_fmac_f32_e32 v5, v7, v2",
             "v_mov_b32_e32 v2, 0", "global_store_dword v[0:1], v5, off"]  # fmt: skip
    with pytest.raises(UsageError, match="overwrites what"):
        patched(lines, DOT2)
    made = patched(lines, 'fresh = ["v_and_b32 $x, 0xffff0000, $x"]\n' + DOT2)
    assert body(made)[1:4] == [
        "v_and_b32_e32 v12, 0xffff0000, v2",
        "v_cvt_pk_bf16_f32 v13, v6, v7",
        "v_dot2_f32_bf16 v5, v13, v2, v5",
    ]
    assert ".amdhsa_next_free_vgpr 14" in made.text


def test_a_sweep_takes_what_nobody_reads():
    lines = [line for line in PAIR if not line.startswith("v_mov")]
    made = patched([*lines[:4], "v_add_f32_e32 v10, v5, v5", lines[-1]], "sweep = true\n" + DOT2)
    assert body(made)[:2] == ["v_cvt_pk_bf16_f32 v12, v6, v7", "v_dot2_f32_bf16 v5, v12, v2, v5"]


def test_dot_products_in_a_chain_need_no_wait_states():
    lines = ["v_dot2_f32_bf16 v5, v3, v2, v5", "v_dot2_f32_bf16 v5, v4, v2, v5", "v_mov_b32_e32 v9, v8", "v_add_f32_e32 v10, v9, v5",
             "global_store_dword v[0:1], v10, off"]  # fmt: skip
    rule = '[[rules]]\nname = "m"\nfind = ["v_mov_b32 $a, $b"]\nreplace = ["v_mov_b32_e32 $a, $b"]\n'
    assert body(patched(lines, rule))[2:5] == ["v_mov_b32_e32 v9, v8", "s_nop 1", "v_add_f32_e32 v10, v9, v5"]


EDIT = "[[edits]]\nline = 6\nexpect = '{expect}'\nlines = ['v_mul_f32_e32 v5, v6, v3']\n"


def test_an_edit_knows_what_it_replaces():
    assert body(patched(PAIR, EDIT.format(expect="v_fmac_f32_e32   v5, v6, v3")))[2] == "v_mul_f32_e32 v5, v6, v3"
    with pytest.raises(
        UsageError, match="line 6 is 'v_fmac_f32_e32 v5, v6, v3', not 'v_add_f32_e32 v5, v6, v3' as the edit expects"
    ):
        patched(PAIR, EDIT.format(expect="v_add_f32_e32 v5, v6, v3"))


def test_a_move_keeps_every_dependence():
    made = patched(PAIR, "[[moves]]\nline = 7\nbefore = 6\n")
    assert body(made)[2:4] == [PAIR[3], PAIR[2]]
    with pytest.raises(
        UsageError, match=re.escape("line 8 (v_fmac_f32_e32 v5, v7, v4) cannot go before line 5: line 5")
    ):
        patched(PAIR, "[[moves]]\nline = 8\nbefore = 5\n")
    waiting = [*PAIR[:3], "s_waitcnt vmcnt(0)", *PAIR[3:]]
    with pytest.raises(UsageError, match="orders what is around it"):
        patched(waiting, "[[moves]]\nline = 8\nbefore = 6\n")
    with pytest.raises(UsageError, match="are not two instructions of one block of k"):
        patched(PAIR, "[[moves]]\nline = 8\nbefore = 500\n")


def test_only_idle_waits_go():
    lines = ["global_load_dword v3, v[0:1], off", "s_waitcnt vmcnt(0)", "v_add_f32_e32 v4, v3, v3", "s_waitcnt vmcnt(0)",
             "global_store_dword v[0:1], v4, off"]  # fmt: skip
    made = patched(lines, "drop_waits = true")
    assert body(made) == [*lines[:3], lines[4]]
    assert [one.what for one in made.applied] == ["wait"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules = 3", "rules is not a list of tables"),
        ("[[rules]]\nfind = []\nreplace = []", "rules 1: find has no instruction"),
        ("[[rules]]\nfind = ['v_mov_b32 $a, $b']\nput = []", "'put' is not one of name, find"),
        ("[[rules]]\nfind = [3]", "find is a list of texts"),
        ("[[rules]]\nfind = ['a']\ngiven = ['sum']", "write name=operand"),
        ("[[edits]]\nline = 3", "edits 1: expect is missing"),
        ("[[moves]]\nline = true\nbefore = 3", "line is True, which is no int"),
        ("sweep = 1", "sweep is true or false, not 1"),
        ("swep = true", "swep is not rules, edits"),
        ("", "asks for nothing"),
        ("= 3", "is not TOML"),
    ],
)
def test_a_recipe_that_cannot_be_read_is_a_sentence(text, message):
    with pytest.raises(UsageError, match=message) as caught:
        recipes.parse(text, "r.toml")
    assert str(caught.value).startswith("r.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DOT2.replace("$t, $pair", "$u, $pair"), r"names \$u, which neither find, where nor scratch binds"),
        (DOT2.replace("v_lshlrev_b32 $x0", "v_lshlrev_b32 $y0"), r"says who made \$y0, which find does not name"),
        (DOT2.replace("v_lshlrev_b32 $x0", "v_lshlrev_b32 v0"), "where begins with a name"),
    ],
)
def test_a_rule_that_does_not_fit_together_is_a_sentence(text, message):
    with pytest.raises(UsageError, match=message):
        patched(PAIR, text)


def test_a_kernel_that_is_not_there_is_named():
    recipe = recipes.parse("sweep = true", "r.toml")
    with pytest.raises(UsageError, match="has no kernel other; it has k"):
        patch(listing(*PAIR), recipe, "other")


def test_patterns_know_brackets_and_encodings():
    assert fields("v[0:3], a[4:7],  s[0:1] offset:16") == ("v[0:3]", "a[4:7]", "s[0:1] offset:16")
    assert Pattern.of("v_fmac_f32_e32 $a, $b, $b").names == {"a", "b"}
