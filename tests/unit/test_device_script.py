"""The script for machines with an AMD Instinct card, run with a stand-in for the interpreter that records what it is asked."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "device" / "mi300x.sh"
STAND_IN = """#!/bin/sh
# As Python: hotloop, PyTorch and a card are there unless a variable says otherwise.
echo "$@" >> "$LOG"
case "$*" in
    *"import hotloop'"* | "-c import hotloop") exit "${NO_HOTLOOP:-0}" ;;
    "-c import torch") exit "${NO_TORCH:-0}" ;;
    *torch.version.hip*) exit "${NO_ROCM:-0}" ;;
    *is_available*) exit "${NO_GPU:-0}" ;;
    *gcnArchName*) echo "${ARCH:-gfx942}" ;;
    *ladder_data*) echo "attention gemm" ;;
    *--confirm*) echo '{}'; exit "${CONFIRM:-0}" ;;
    *"ladder_once.py --kernels"*) echo "first attention"; echo "best attention"; exit 0 ;;
    *"-m hotloop ladder"*) exit "${COMPILE:-0}" ;;
esac
"""
PROFILER = """#!/bin/sh
# As rocprofv3: runs the command behind -- and leaves counters.
while [ "$1" != -- ]; do
    [ "$1" = --output-directory ] && mkdir -p "$2/host" && echo x > "$2/host/1_counter_collection.csv"
    shift
done
shift
exec "$@"
"""

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")


class Machine:
    """Runs the script in a folder with stand-ins."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.tools = folder / "tools"
        self.tools.mkdir()
        self.card = folder / "kfd"
        self.card.touch()
        self.add("python", STAND_IN)

    def add(self, name: str, text: str) -> None:
        program = self.tools / name
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def run(self, target: str = "gfx942", **variables: object) -> subprocess.CompletedProcess[str]:
        given = {name: str(value) for name, value in variables.items()}
        standing = {
            "PATH": f"{self.tools}:{os.environ['PATH']}", "PYTHON": str(self.tools / "python"), "LOG": str(self.log),
            "KFD": str(self.card), "HOME": str(self.folder),
        }  # fmt: skip
        command = ["sh", str(SCRIPT), target, str(self.out)]
        return subprocess.run(command, env=standing | given, capture_output=True, text=True, timeout=600, check=False)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def summary(self) -> list[str]:
        return (self.out / "summary.txt").read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize(
    ("variables", "code", "words"),
    [
        ({"NO_HOTLOOP": 1}, 3, "has no hotloop"),
        ({"KFD": "/nowhere/kfd"}, 3, "no AMD GPU or its driver is not loaded; DRY=1"),
        ({"NO_TORCH": 1}, 3, "has no PyTorch"),
        ({"NO_ROCM": 1}, 3, "not built for ROCm"),
        ({"NO_GPU": 1}, 3, "PyTorch sees no AMD GPU"),
        ({"ARCH": "gfx950"}, 3, "the first GPU is a gfx950, not gfx942"),
        ({"target": "gfx90a"}, 2, "TARGET is gfx942"),
    ],
)
def test_what_is_missing_is_one_sentence(machine: Machine, variables: dict[str, object], code: int, words: str) -> None:
    found = machine.run(**variables)
    assert (found.returncode, words in found.stderr) == (code, True)
    assert len(found.stderr.strip().splitlines()) == 1


def test_everything_is_done_for_every_family(machine: Machine) -> None:
    machine.add("rocprofv3", PROFILER)
    found = machine.run()
    assert found.returncode == 0, found.stderr
    steps = ("compile", "check and compare", "profile")
    assert machine.summary == [f"{family}, {step}: held" for family in ("attention", "gemm") for step in steps]
    asked = machine.log.read_text()
    for family in ("attention", "gemm"):
        for rung in ("first", "best"):
            assert asked.count(f"ladder_once.py {family} gfx942 {rung}\n") == 4  # groups of counters
            assert f"out/{family}/profile/{rung}/pass4/host/1_counter_collection.csv --kernel attention" in asked
        assert asked.count(f"hotloop ladder {family} --target gfx942 --confirm") == 1  # measured once


@pytest.mark.parametrize(("variables", "code"), [({"COMPILE": 1}, 1), ({"CONFIRM": 1}, 1), ({"CONFIRM": 3}, 3)])
def test_bad_news_and_what_could_not_be_done_differ(machine: Machine, variables: dict[str, object], code: int) -> None:
    machine.add("rocprofv3", PROFILER)
    found = machine.run(**variables)
    assert found.returncode == code
    assert ("DID NOT HOLD" in found.stdout) == (code == 1)
    assert ("could not be done (exit code 3)" in found.stdout) == (code == 3)


def test_bad_news_count_more_than_what_is_missing(machine: Machine) -> None:
    found = machine.run(CONFIRM=1)  # and no profiler
    assert found.returncode == 1
    assert "rocprofv3 is not in PATH" in found.stderr
    assert "attention, profile: could not be done (exit code 3)" in machine.summary


def test_a_failed_pass_of_the_profiler_is_told(machine: Machine) -> None:
    machine.add("rocprofv3", "#!/bin/sh\nexit 7\n")
    found = machine.run(FAMILIES="gemm")
    assert found.returncode == 1
    assert "pass 1 of first failed, see" in found.stderr
    assert machine.summary[-1] == "gemm, profile: DID NOT HOLD"


def test_dry_run_needs_no_card(machine: Machine) -> None:
    found = machine.run(DRY=1, KFD="/nowhere/kfd", CONFIRM=3, FAMILIES="attention")
    assert found.returncode == 3  # a comparison needs the card
    assert found.stdout.count("would run: rocprofv3 --pmc SQ_WAVES") == 8
    assert machine.summary == [
        "attention, compile: held", "attention, check and compare: could not be done (exit code 3)",
    ]  # fmt: skip
