"""The annotated listing against a loop whose times are counted by hand."""

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.summary.amd import timing
from hotloop.isa.summary.annotate import annotated
from hotloop.report.code.annotated import page, text

TEXT = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.file\t1 "/home/x" "a<b>.hip"
k:
\t.loc\t1 4 0
\tv_mov_b32_e32 v8, 0
.L1:
\t.loc\t1 7 0
\tglobal_load_dword v1, v[2:3], off
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v8, v8, v1
\ts_cbranch_scc1 .L1
\tglobal_store_dword v[2:3], v8, off
\ts_endpgm
"""


def found():
    (function,) = DIALECT.parse(TEXT)
    return annotated(function, timing(function), TEXT)


def test_stalls_units_live_registers_and_sources():
    hot, outside = found().regions
    assert [line.site.mnemonic for line in hot.lines] == [
        "global_load_dword",
        "s_waitcnt",
        "v_add_f32_e32",
        "s_cbranch_scc1",
    ]
    load, wait, add, _ = hot.lines
    assert (load.unit, load.live, load.source) == (
        "vector memory",
        4,
        "a<b>.hip:7",
    )  # v[2:3], v8, and v1 that it brings
    assert (wait.stall_cycles, wait.waits_for.line) == (496, load.site.line)
    assert (add.unit, add.busy_cycles, add.at_cycle) == ("vector", 4, 504)
    assert hot.cycles == 512
    assert [line.site.mnemonic for line in outside.lines] == ["v_mov_b32_e32", "global_store_dword", "s_endpgm"]


def test_the_page_folds_loops_links_waits_and_escapes():
    shown = page([found()])
    assert shown.count("<details") == 2
    assert shown.count("<details open>") == 1
    assert "a&lt;b&gt;.hip:7" in shown
    assert "a<b>" not in shown
    address = found().regions[0].lines[0].site.address
    assert f'href="#k0-{address:x}"' in shown
    assert f'id="k0-{address:x}"' in shown


def test_the_terminal_shows_one_loop_and_folds_the_others():
    shown = text([found()])
    assert "◄─ 8 global_load_dword  a<b>.hip:7" in shown
    assert "▼ 0:" in shown
    assert "▶ 1:" in shown
    assert "global_store_dword" not in shown
