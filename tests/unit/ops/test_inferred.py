"""What runs on a device of which nothing is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Origin
from hotloop.kernels.gemm.pipelined.space import START as PIPELINED_START
from hotloop.model.space import Config
from hotloop.ops import book, inferred
from hotloop.ops.choose import choices
from hotloop.store import Store, Winner

TUNED = PIPELINED_START.replace(MWI=8, NWI=8, WIDE=4, BUFFERS=2)


@pytest.fixture
def location(tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    monkeypatch.setenv("HOTLOOP_STORE", str(path))
    return path


@pytest.fixture
def card(cpu):
    """A Radeon card that nobody tuned; OpenCL names it by its target."""
    return replace(
        cpu, name="gfx1012:xnack-", kind="gpu", runtime_key="amd", target="", compute_units=22, max_workgroup=1024,
        local_mem_bytes=64 << 10, local_mem_dedicated=True,
    )  # fmt: skip


def record(location, gemm, device, **changes) -> None:
    problem = gemm.kernel.problem.replace(m=512, n=512, k=512)
    values = {
        "family": "gemm",
        "problem": problem.key,
        "sizes": Config(problem.sizes),
        "device": device.key,
        "device_fingerprint": device.fingerprint,
        "implementation": "opencl-pipelined",
        "config": TUNED,
        "call_ns": 50_000.0,
        "created": "2030-01-01T00:00:01+00:00",
    }
    with Store.open(location) as store:
        store.add_winner(Winner(**(values | changes)))


def chosen(gemm, device):
    """Return the choice as a session makes it."""
    problem = gemm.kernel.problem.replace(m=512, n=512, k=512)
    won = book.winners(gemm.kernel, device).candidates
    known = (*won, *book.presets(gemm, problem, device)) or inferred.candidates(gemm, problem, device)
    return next(iter(choices(gemm, problem, device, known)))


def test_nothing_related_leaves_the_start(location, gemm, card):
    assert chosen(gemm, card).origin is Origin.START
    record(location, gemm, replace(card, name="gfx942", target="gfx942"))
    assert chosen(gemm, card).origin is Origin.START


def test_the_nearest_relative_lends_its_winner_marked_as_untuned(location, gemm, card):
    for name, config in (("gfx1100", PIPELINED_START), ("gfx1010:xnack-", TUNED)):
        record(location, gemm, replace(card, name=name), config=config)
    found = chosen(gemm, card)
    assert (found.origin, found.implementation, found.config) == (Origin.INFERRED, "opencl-pipelined", TUNED)
    assert not found.exact
    assert found.reason.startswith("untuned, inferred from gfx1010: store, amd:gfx1010:xnack-::22, 2030-01-01")
    assert "to tune it: hotloop tune gemm --shape m=512,n=512,k=512" in found.reason


def test_a_winner_of_the_card_itself_takes_its_place(location, gemm, card):
    record(location, gemm, replace(card, name="gfx1010:xnack-"))
    record(location, gemm, card, config=PIPELINED_START)
    found = chosen(gemm, card)
    assert (found.origin, found.config, found.exact) == (Origin.STORE, PIPELINED_START, True)


def test_the_shipped_table_lends_too(location, gemm, cpu):
    old = replace(cpu, target="x86-64", vector_bits=128)
    found = chosen(gemm, old)
    assert found.origin is Origin.INFERRED
    assert found.reason.count("untuned, inferred from x86-64-avx2: shipped") == 1


def test_what_another_language_won_is_no_candidate(location, gemm, card):
    record(location, gemm, replace(card, name="gfx1010:xnack-"), implementation="triton")
    record(location, gemm, replace(card, name="gfx1010:xnack-", compute_units=40), implementation="gone")
    assert chosen(gemm, card).origin is Origin.START
