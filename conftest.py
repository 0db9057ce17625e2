"""Which modules the doctests leave out: kernels and backends in a language whose package is not installed here. Ctrl-C, and what begins first."""

import signal
from importlib.util import find_spec

import pytest

if find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # Wall time says nothing on a shared machine.
    settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("shared")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as a shell hands it to what runs in the background, and that to its children
    signal.signal(signal.SIGINT, signal.default_int_handler)

NEEDS = {
    "triton": (
        "src/hotloop/kernels/*/*/kernel.py",
        "src/hotloop/kernels/*/*/*jit.py",
        "src/hotloop/kernels/*/*/scaled*.py",
        "src/hotloop/kernels/*/*/weights4.py",
        "src/hotloop/kernels/attention/gluon/merge.py",
        "src/hotloop/kernels/attention/gluon/tiles.py",
        "src/hotloop/kernels/gemm/triton/tile.py",
        "src/hotloop/kernels/*/ladders/stages.py",
        "tests/golden/amdgcn/waits/generate.py",
        "tests/unit/kernels/*/compile_child.py",
    ),
    "torch": (
        "src/hotloop/kernels/*/tensors.py",
        "src/hotloop/kernels/attention/pytorch.py",
        "src/hotloop/kernels/_ruled.py",
        *(
            f"src/hotloop/ops/{name}.py"
            for name in ("apart", "dispatched", "intercepted", "model", "replaced", "shortcuts", "warmed")
        ),
        *(
            f"src/hotloop/dispatch/{name}.py"
            for name in (
                "arguments",
                "counters",
                "cuda",
                "finish",
                "guarded",
                "launch",
                "operator",
                "pace",
                "swift",
                "warming",
            )
        ),
    ),
    "cuda": ("src/hotloop/drivers/cuda.py", "src/hotloop/drivers/nvrtc.py", "src/hotloop/backends/cuda.py"),
    "hip": ("src/hotloop/drivers/hip.py", "src/hotloop/backends/hip.py"),
}

FAKES = "tests/fakes/*"
"""Stand-ins for drivers, imported by the tests that put them in place of the real ones."""

INTERPRETED = "tests/unit/kernels/*/interpreted.py"
"""Programs for processes of their own: importing one chooses Triton's interpreter for the whole process."""

collect_ignore_glob = [FAKES, INTERPRETED]
collect_ignore_glob += [
    pattern for package, patterns in NEEDS.items() if not find_spec(package) for pattern in patterns
]


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders of long files."""

    def turn(item: pytest.Item) -> int:
        return next((place for place, folder in enumerate(LONGEST) if item.nodeid.startswith(folder)), len(LONGEST))

    items.sort(key=turn)
