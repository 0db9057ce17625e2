from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Origin
from hotloop.kernels.gemm.opencl.rows import CPU
from hotloop.model.kernel import Variant
from hotloop.model.space import Config
from hotloop.ops import book
from hotloop.store import Store, Winner

TILE = CPU.replace(MWI=6, NWI=16, VW=8)


@pytest.fixture
def location(tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    monkeypatch.setenv("HOTLOOP_STORE", str(path))
    return path


def record(location, gemm, device, *, fingerprint: str = "", **changes) -> None:
    problem = gemm.kernel.problem.replace(m=96, n=96, k=96)
    values = {
        "family": "gemm",
        "problem": problem.key,
        "sizes": Config(problem.sizes),
        "device": device.key,
        "device_fingerprint": device.fingerprint,
        "implementation": "opencl",
        "config": TILE,
        "call_ns": 12_300.0,
        "fingerprint": fingerprint,
        "created": "2030-01-01T00:00:01+00:00",
    }
    with Store.open(location) as store:
        store.add_winner(Winner(**(values | changes)))


def test_winners_of_the_device_are_candidates(location, gemm, cpu):
    record(location, gemm, cpu)
    record(location, gemm, replace(cpu, name="Another CPU"))
    won = book.winners(gemm.kernel, cpu)
    (found,), trouble = won.candidates, won.trouble
    assert trouble == ""
    assert (found.origin, found.config, found.sizes["m"], found.stale) == (Origin.STORE, TILE, 96, "")
    assert found.source == "store, a run without record of 2030-01-01T00:00:01+00:00: 12.3 µs a call"


def test_another_driver_makes_a_winner_stale(location, gemm, cpu):
    record(location, gemm, replace(cpu, driver="0"))
    (found,) = book.winners(gemm.kernel, cpu).candidates
    assert "another driver" in found.stale


def test_another_source_makes_a_winner_stale(location, gemm, cpu):
    problem = gemm.kernel.problem.replace(m=96, n=96, k=96)
    record(location, gemm, cpu, fingerprint="0123456789ab")
    (found,) = book.winners(gemm.kernel, cpu).candidates
    assert "another version of the kernel's source" in found.stale
    record(location, gemm, cpu, fingerprint=Variant(gemm.kernel.implementation(), TILE).fingerprint(problem, cpu))
    (found,) = book.winners(gemm.kernel, cpu).candidates
    assert found.stale == ""


@pytest.mark.parametrize("changes", [{"config": TILE.replace(VW=3)}, {"implementation": "gone"}])
def test_a_winner_that_the_source_no_longer_takes_is_stale(location, gemm, cpu, changes):
    record(location, gemm, cpu, fingerprint="0123456789ab", **changes)
    (found,) = book.winners(gemm.kernel, cpu).candidates
    assert "no longer takes" in found.stale


def test_a_missing_store_is_no_error_and_is_not_created(location, gemm, cpu):
    won = book.winners(gemm.kernel, cpu)
    found, trouble = won.candidates, won.trouble
    assert found == ()
    assert "there is no store" in trouble
    assert not location.exists()


def test_a_corrupt_store_is_no_error(location, gemm, cpu):
    location.write_bytes(b"no database at all " * 400)
    won = book.winners(gemm.kernel, cpu)
    found, trouble = won.candidates, won.trouble
    assert found == ()
    assert trouble.startswith("store not used: ")


def test_a_directory_is_no_error(tmp_path, monkeypatch, gemm, cpu):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path))
    assert book.winners(gemm.kernel, cpu).candidates == ()


def test_a_database_without_a_driver_is_no_error(monkeypatch, gemm, cpu):
    monkeypatch.setenv("HOTLOOP_STORE", "nonsense://somewhere/else")
    won = book.winners(gemm.kernel, cpu)
    found, trouble = won.candidates, won.trouble
    assert found == ()
    assert trouble


def test_undecodable_winners_are_no_error(location, gemm, cpu, caplog):
    import sqlite3

    record(location, gemm, cpu)
    with sqlite3.connect(location) as raw:
        raw.execute("DROP TRIGGER IF EXISTS winners_no_update")
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE winners SET config = '{broken'")
    raw.close()
    with caplog.at_level(logging.WARNING, "hotloop.ops"):
        won = book.winners(gemm.kernel, cpu)
    found, trouble = won.candidates, won.trouble
    assert found == ()
    assert "cannot be read" in trouble
    assert "cannot be read" in caplog.text
