"""Facts of a GPU's machine code in the loop: from the cubin that a backend loaded."""

from dataclasses import replace

import pytest

from hotloop.app.code import content
from hotloop.app.run import gpu as evidence_gpu
from hotloop.backends.null import DEVICE
from hotloop.errors import MissingExtraError
from hotloop.isa.dialect import load
from hotloop.isa.kernels import Listed
from hotloop.isa.resources import KernelResources
from hotloop.isa.static import NAMES
from hotloop.isa.summary.build import Source
from hotloop.model.program import Array, Launch, Local

GPU = replace(DEVICE, kind="gpu", backend="cuda", target="sm_90", max_workgroup=1024)
LISTING = """
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
	.section	.text._Z5scalePfi,"ax",@progbits
.text._Z5scalePfi:
        /*0000*/                   LDG.E R4, desc[UR4][R2.64] ;
        /*0010*/                   FFMA R4, R4, R5, R6 ;
        /*0020*/                   STG.E desc[UR4][R2.64], R4 ;
        /*0030*/                   EXIT ;
"""


def launch(*more):
    return Launch("scale", (Array("x"), *more), (4096,), (256,))


@pytest.fixture
def listed(monkeypatch):
    """Let a code object hold one kernel of 40 registers."""
    (function,) = load("sass").parse(LISTING)
    resources = KernelResources(name="_Z5scalePfi", target="sm_90", vgprs=40, lds_bytes=0, wave_size=32)
    item = Listed(function=replace(function, resources=resources), source=Source(dialect="sass", origin="it"))
    monkeypatch.setattr(content, "read", lambda data, origin: (item,))


def test_code_and_occupancy_are_facts(listed):
    found = evidence_gpu.machine_evidence(b"cubin", launch())
    assert found.get("static.hot_instructions") == 4
    assert found.get("static.fma_share") == 0.25
    assert found.get("static.global_load_bits") == 32
    assert (found.get("isa.registers"), found.get("isa.local_bytes")) == (40, 0)
    assert found.get("isa.occupancy_waves") == 12  # 65536 registers hold 6 blocks of 8 warps, 4 schedulers


def test_dynamic_shared_memory_counts_for_occupancy(listed):
    found = evidence_gpu.machine_evidence(b"cubin", launch(Local(100_000)))
    assert found.get("isa.occupancy_waves") == 4


def test_what_cannot_be_read_is_absent_with_the_reason(listed, monkeypatch):
    other = evidence_gpu.machine_evidence(b"cubin", replace(launch(), entry="other"))
    assert {a.name for a in other.absent} == set(NAMES)
    assert "no kernel 'other' in the code; it has _Z5scalePfi" in other.absent[0].reason
    assert "gave no code object" in evidence_gpu.machine_evidence(b"", launch()).absent[0].reason

    def missing(data, origin):
        raise MissingExtraError("nvdisasm", "triton")

    monkeypatch.setattr(content, "read", missing)
    assert "hotloop[triton]" in evidence_gpu.machine_evidence(b"cubin", launch()).absent[0].reason
