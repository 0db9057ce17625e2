"""Attention's planned implementations on a Hopper GPU through the engine: each shipped row and each start, verified."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = pytest.mark.device
LANGUAGE = "gluon"
BASE = "groups=2,keys=128,stages=2,band=8,overlap=1,stagger=0,share=0,resident=1"
NARROW = BASE.replace("stages=2", "stages=3")
WIDE = "groups=2,keys=64,stages=2,band=8,overlap=1,stagger=0,share=1,resident=0"
PLAIN = "rows=128,keys=64,warps=8,stages=2,keep=1,exit=1"
LONG = "batch=1,heads=8,kv_heads=4,length_q=2100,length_k=2100,size={},dtype=bfloat16,causal={}"
FEW = "batch=2,heads=16,kv_heads=4,length_q={},length_k=4100,size=128,dtype=float16,causal=0"


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize(
    ("spec", "size"),
    [
        ("attention@gluon", 128), (f"attention@gluon,{NARROW}", 64), (f"attention@gluon,{BASE}", 128),
        (f"attention@gluon,{WIDE}", 256), (f"attention@gluon,{NARROW}", 40), (f"attention@gluon,{BASE}", 80), (f"attention@gluon,{WIDE}", 216), (f"attention@gluon,{NARROW}", 24), (f"attention@gluon,{BASE}", 96),
        (f"attention@gluon,{WIDE}", 136), (f"attention@gluon,{WIDE}", 160), (f"attention@gluon,{WIDE}", 192), ("attention@triton", 128), (f"attention@triton,{PLAIN}", 128),
        (f"attention@gluon,{BASE},stagger=1,keys=64,groups=3".replace("groups=2,keys=128,", "").replace("stagger=0,", ""), 128),
    ],
)  # fmt: skip
def test_each_implementation_is_right(checked, spec, size, causal):
    checked(spec, LONG.format(size, causal))


@pytest.mark.parametrize("queries", [1, 4, 33])
def test_few_queries_fold_and_cut(checked, queries):
    checked(
        f"attention@gluon,{BASE}".replace("stages=2", "stages=3").replace("share=0", "share=1"), FEW.format(queries)
    )


@pytest.mark.parametrize("causal", [0, 1])
def test_packed_sequences_are_right_with_logarithms(checked, causal):
    shape = f"sequences=9,heads=8,kv_heads=2,longest_q=700,longest_k=700,size=128,causal={causal},lse=1"
    checked(f"attention_packed@gluon,{BASE}", shape, "full")


def test_a_full_check_of_the_shipped_row(checked):
    checked(f"attention@gluon,{BASE}", LONG.format(128, 1), "full")
