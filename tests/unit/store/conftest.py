from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import util
from pathlib import Path

import pytest

from hotloop.model.outcome import Conditions, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.trial import Trial
from hotloop.model.verdict import Comparison, Verdict
from hotloop.store import Store, Winner

WRITER = Path(__file__).parent / "_writer.py"
NOBODY = 65534


class Ticks:
    """A clock that moves one second each time it is read."""

    def __init__(self) -> None:
        self.seconds = 0

    def monotonic_s(self) -> float:
        return float(self.seconds)

    def utc(self) -> str:
        self.seconds += 1
        return f"2030-01-01T00:{self.seconds // 60:02}:{self.seconds % 60:02}+00:00"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


@pytest.fixture
def store(path):
    with Store.open(path, clock=Ticks()) as opened:
        yield opened


@pytest.fixture
def make_trial():
    def make(index: int = 0, **changes) -> Trial:
        samples = (Sample(wall_ns=1000.0 + index, calls=2, cpu_ns=1800.5), Sample(wall_ns=1200.0 + index, calls=2))
        values = {
            "family": "gemm",
            "problem": "gemm[m=64 n=64]",
            "sizes": Config(m=64, n=64),
            "implementation": "tile",
            "config": Config(WG=index, VW=4, fast=True, name="x"),
            "fingerprint": f"{index:012x}",
            "device": "intel:cpu:avx2:2",
            "device_fingerprint": "f1",
            "outcome": Measured(samples=samples, conditions=Conditions("f1", load_average=0.5)),
            "created": "2030-01-01T00:00:00+00:00",
        }
        return Trial(**{**values, **changes})

    return make


@pytest.fixture
def make_winner():
    def make(call_ns: float, **changes) -> Winner:
        ratios = (0.1, 0.12, 0.11)
        comparison = Comparison(
            verdict=Verdict.FASTER, speedup=1.1, low=1.05, high=1.2, confidence=0.95, margin=0.02, log_ratios=ratios
        )
        values = {
            "family": "gemm",
            "problem": "gemm[m=64 n=64]",
            "sizes": Config(m=64, n=64),
            "device": "intel:cpu:avx2:2",
            "device_fingerprint": "f1",
            "implementation": "tile",
            "config": Config(VW=4),
            "comparison": comparison,
        }
        return Winner(call_ns=call_ns, **{**values, **changes})

    return make


@pytest.fixture
def spawn():
    """Start the writer script; whatever is still running at the end is killed."""
    started = []

    def start(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, str(WRITER), *map(str, arguments)]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


@pytest.fixture
def open_folder():
    """A folder that other users can enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="hotloop-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def unprivileged():
    """A context in which permissions count, even when the tests run as root."""

    @contextlib.contextmanager
    def drop():
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return drop


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of the tests' own; they skip where none is installed."""
    pytest.importorskip("psycopg")
    specification = util.spec_from_file_location("hotloop_tests_server", Path(__file__).with_name("_server.py"))
    module = util.module_from_spec(specification)
    specification.loader.exec_module(module)
    if (found := module.Server.begin()) is None:
        pytest.skip("no PostgreSQL server is installed (initdb)")
    yield found
    found.end()
