"""Which files the doctests leave out, what begins first, and Ctrl-C."""

import gc
import signal
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

if find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # Wall time says nothing on a shared machine.
    settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("shared")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as a shell hands it to what runs in the background, and that to its children
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = (
    "tests/planted/",
    "tests/faults/",
    "tests/loop/",
    "tests/unit/emulate/",
    "tests/unit/kernels/",
    "tests/property/",
    "tests/golden/",
)
"""Where files take seconds to minutes each, in this order: they begin first, or one processor runs a last long one alone."""


def pytest_configure(config: pytest.Config) -> None:
    """Have pytest-xdist hand out files in the order below; by itself it takes those with most tests first, whatever they take."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected: nearly all of what is made then stays, and searching takes a tenth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out doctests of files without an example: looking for them imports every module, in every worker."""
    collectors = yield
    if not collectors or b">>>" in file_path.read_bytes():
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


def pytest_collection_finish() -> None:
    """Leave the thousands of collected items out of every later search for garbage; they stay to the end."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders of long files."""

    def turn(item: pytest.Item) -> int:
        return next((place for place, folder in enumerate(LONGEST) if item.nodeid.startswith(folder)), len(LONGEST))

    items.sort(key=turn)
