"""A local cluster of Ray with two devices: half of the cores each."""

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

INSTALLED = importlib.util.find_spec("ray") is not None and importlib.util.find_spec("ray").origin is not None
pytestmark = pytest.mark.skipif(not INSTALLED, reason="Ray is not installed: pip install 'hotloop[ray]'")
HERE = Path(__file__).parent
LIMIT_S = 400


START_S = 120
STARTS = (
    "import ray; ray.init(address='local', num_cpus=1, include_dashboard=False, log_to_driver=False); ray.shutdown()"
)


@pytest.fixture(scope="module", autouse=True)
def startable():
    """Ray needs shared memory, ports and a home folder that not every sandbox gives."""
    try:
        tried = subprocess.run(
            [sys.executable, "-c", STARTS], capture_output=True, text=True, timeout=START_S, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"no cluster of Ray starts on this machine within {START_S} s")
    if tried.returncode:
        pytest.skip(f"no cluster of Ray starts on this machine: {tried.stderr.strip().splitlines()[-1:]}")


@pytest.fixture
def environment(tmp_path):
    """A cluster of the test's own with two devices, whatever else runs on this machine."""
    (tmp_path / "work").mkdir()
    return {
        **os.environ,
        "HOTLOOP_STORE": str(tmp_path / "store.db"),
        "HOTLOOP_PARTS": "2",
        "RAY_ADDRESS": "local",
        "SLEEPING_BUSY_S": "0",
        "CLUSTER_TEST": str(tmp_path),
    }


def hotloop(environment, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "hotloop", *words],
        env=environment,
        cwd=Path(environment["CLUSTER_TEST"]) / "work",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def rows(environment, query):
    try:
        with sqlite3.connect(f"file:{environment['HOTLOOP_STORE']}?mode=ro", uri=True, timeout=30) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.OperationalError:  # not there yet
        return []


def left(environment):
    """Return the processes of this test's cluster that are there."""
    mark, found = f"CLUSTER_TEST={environment['CLUSTER_TEST']}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def hosts(environment):
    """Return the processes beside the devices."""
    return [one for one in left(environment) if b"ray::Host" in Path(f"/proc/{one}/cmdline").read_bytes()]


def wait_for(environment, process, looks, deadline):
    while len(rows(environment, SEARCH)) < looks and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.1)
    assert process.poll() is None, process.communicate()[0]


SEARCH = "select config from trials where purpose = 'search'"


def places(environment):
    """Return the devices whose looks are recorded."""
    outcomes = [json.loads(row) for (row,) in rows(environment, "select outcome from trials where purpose = 'search'")]
    return {one["conditions"]["place"].rpartition(":")[2] for one in outcomes}


def test_two_devices_search_and_one_whose_host_is_killed_goes_on(environment):
    """A cluster starts by itself and leaves nothing; what was recorded before the kill stays, and no look is made twice."""
    kernel = str(HERE.parents[1] / "benchmarks/cluster/sleeping.py")
    run = hotloop(environment, "tune", kernel, "--budget", "600", "--engine", "ray", "--seed", "3", "--no-peers")
    deadline = time.monotonic() + LIMIT_S
    wait_for(environment, run, 2, deadline)
    before = dict(rows(environment, "select key, data from journal"))
    victims = hosts(environment)
    assert len(victims) == 2
    os.kill(victims[0], signal.SIGKILL)
    wait_for(environment, run, len(rows(environment, SEARCH)) + 4, deadline)
    while len(hosts(environment)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    while (
        len(places(environment)) < 2 and run.poll() is None and time.monotonic() < deadline
    ):  # who is replaced comes later
        time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=LIMIT_S)[0]
    assert "stopped by hand" in " ".join(said.split())
    after = dict(rows(environment, "select key, data from journal"))
    assert {key: after[key] for key in before} == before
    looks = rows(environment, SEARCH)
    assert len(looks) == len([key for key in after if key.startswith("glance")]) == len(set(looks))
    assert places(environment) == {"cpu0", "cpu1"}
    while left(environment) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left(environment) == []
