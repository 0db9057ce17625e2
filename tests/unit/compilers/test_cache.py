import json

import pytest

from hotloop.compilers.cache import Unreadable, read
from hotloop.compilers.offer import Compiled
from hotloop.errors import UsageError

LISTING = """k:
	s_endpgm
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .group_segment_fixed_size: 0
    .name:           k
    .vgpr_count:     24
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
	.end_amdgpu_metadata
"""
METADATA = {
    "target": {"backend": "hip", "arch": "gfx942", "warp_size": 64},
    "name": "k",
    "shared": 4096,
    "num_warps": 4,
    "num_stages": 2,
    "triton_version": "3.9.0",
}


@pytest.fixture
def cache(tmp_path):
    """Return a function that adds an entry with metadata and files by ending."""

    def add(folder, name, metadata, **files):
        entry = tmp_path / folder
        entry.mkdir(exist_ok=True)
        (entry / f"{name}.json").write_text(metadata if isinstance(metadata, str) else json.dumps(metadata))
        for ending, content in files.items():
            (entry / f"{name}.{ending}").write_bytes(content)
        return tmp_path

    return add


def test_an_entry_becomes_a_kernel_with_what_its_launch_adds(cache):
    folder = cache("ABC", "k", METADATA, amdgcn=LISTING.encode(), hsaco=b"\x7fELF")
    (made,) = read(folder)
    assert isinstance(made, Compiled)
    assert (made.kernel, made.target, made.dialect, made.listing) == ("k", "gfx942", "amdgcn", LISTING)
    assert (made.compiler, made.options) == ("triton 3.9.0", ("num_warps=4", "num_stages=2"))
    (kernel,) = made.resources
    assert (kernel.total_vgprs, kernel.lds_bytes, kernel.workgroup_max) == (24, 4096, 256)


def test_ptx_alone_is_kept_as_ptx(cache):
    metadata = {**METADATA, "target": {"backend": "cuda", "arch": 90, "warp_size": 32}}
    (made,) = read(cache("ABC", "k", metadata, ptx=b".version 8.8"))
    assert (made.target, made.dialect, made.listing, made.resources) == ("sm_90", "ptx", ".version 8.8", ())


def test_damage_is_told_and_does_not_hide_the_rest(cache):
    cache("A", "k", METADATA, amdgcn=LISTING.encode())
    cache("B", "broken", "{", amdgcn=LISTING.encode())
    cache("C", "nothing", {"name": "x"}, amdgcn=LISTING.encode())
    folder = cache("D", "not_elf", METADATA, hsaco=b"nonsense")
    found = {type(entry).__name__: entry for entry in read(folder)}
    assert set(found) == {"Compiled", "Unreadable"}
    reasons = {entry.path.stem: entry.reason for entry in read(folder) if isinstance(entry, Unreadable)}
    assert reasons["broken"].startswith("JSONDecodeError")
    assert reasons["nothing"].startswith("KeyError: 'target'")
    assert "not_elf" in reasons


def test_groups_and_launchers_are_no_kernels(cache, tmp_path):
    cache("A", "__grp__k", "{}", amdgcn=b"")
    cache("B", "launcher", "{}")
    with pytest.raises(UsageError, match="holds no kernel of Triton"):
        read(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"there is no folder .*nowhere"):
        read(tmp_path / "nowhere")
