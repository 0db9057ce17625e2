"""Calls of functions that a listing does not bring: images of OpenCL C, which headers only declare."""

import pytest

from hotloop.app.code import analysis
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.mix import mix
from hotloop.isa.outside import outside
from hotloop.report.code.listing import verdict

CALL = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
blur:
\ts_getpc_b64 s[4:5]
\ts_add_u32 s4, s4, {symbol}@{way}@lo+4
\ts_addc_u32 s5, s5, {symbol}@{way}@hi+12
\ts_load_dwordx2 s[4:5], s[4:5], 0x0
\ts_waitcnt lgkmcnt(0)
\ts_swappc_b64 s[30:31], s[4:5]
\tglobal_store_dword v[0:1], v2, off
\ts_endpgm
"""
IMAGE = "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i"


def parsed(symbol, way):
    text = CALL.format(symbol=symbol, way=way)
    (function,) = DIALECT.parse(text)
    return text, function


@pytest.mark.parametrize(
    ("symbol", "way", "names"),
    [(IMAGE, "gotpcrel32", ("read_imagef",)), ("lookup", "gotpcrel32", ("lookup",)), ("helper", "rel32", ())],
)
def test_what_the_code_does_not_bring_is_no_call_that_was_not_inlined(symbol, way, names):
    text, function = parsed(symbol, way)
    assert outside(function) == names
    assert mix(function).get("static.calls") == (None if names else 1)
    (report,) = analysis.of_text(text, "blur.s")
    found = {finding.rule: finding.message for finding in report.findings}
    assert ("calls-in-kernel" in found) is not bool(names)
    assert report.outside == names
    assert (f"judged without {', '.join(names)}, which" in verdict(report)) is bool(names)


def test_the_address_of_a_variable_of_another_object_is_no_call():
    function = DIALECT.parse(
        CALL.format(symbol="table", way="gotpcrel32").replace("s_swappc_b64 s[30:31], s[4:5]", "s_nop 0")
    )[0]
    assert outside(function) == ()
