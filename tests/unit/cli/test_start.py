"""Ctrl-C while the command starts: real processes and real signals."""

import re
import signal
import subprocess
import sys
import time

import pytest

STARTED = "from hotloop.cli.start import main; main()"
AT_IMPORT = """
import os, signal, sys
left = int(sys.argv.pop(1))
def count(event, _):
    global left
    if event == "import":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
import hotloop.cli.start
sys.addaudithook(count)
hotloop.cli.start.main()
"""
"""Interrupts itself when that many more modules are about to be imported."""
OURS = re.compile(r'File "[^"]*hotloop.(?!__init__|__main__|cli.__init__)\w')
"""A line of a traceback in what runs once `hotloop.cli.start` has begun; finding it is still Python's."""


def optimize(folder):
    return [
        *["optimize", "gemm", "--shape", "64x64x64", "--budget", "1", "--quiet", "--no-peers", "--store"],
        str(folder / "store.sqlite"),
    ]


def interrupted_at_import(number, *arguments):
    command = [sys.executable, "-c", AT_IMPORT, str(number), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.parametrize("number", [*range(1, 12), *range(12, 70, 12)])
def test_an_interrupt_while_the_help_is_imported_is_one_word_and_a_code(number):
    ended = interrupted_at_import(number, "--help")
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "\nstopped.\n")


@pytest.mark.parametrize("number", [1, 40, 90, 150, 250])
def test_an_interrupt_while_a_verb_is_imported_is_one_word_and_a_code(number, tmp_path):
    ended = interrupted_at_import(number, *optimize(tmp_path))
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "\nstopped.\n")


def test_an_interrupt_when_all_is_said_is_no_traceback():
    program = "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGINT); "
    ended = subprocess.run(
        [sys.executable, "-c", program + STARTED, "--version"], capture_output=True, text=True, check=False
    )
    assert ended.stdout.startswith("hotloop, version ")
    assert (ended.returncode, ended.stderr) == (130, "\nstopped.\n")


def test_a_process_that_was_started_to_ignore_it_goes_on_ignoring_it():
    program = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    ended = subprocess.run(
        [sys.executable, "-c", program + AT_IMPORT, "5", "--help"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_importing_hotloop_leaves_the_signal_alone():
    program = (
        "import signal, hotloop, hotloop.cli.main; "
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler; "
        "hotloop.cli.main.main(['techniques']) "
    )
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.parametrize("verb", ["help", "optimize"])
@pytest.mark.parametrize("began", [["-m", "hotloop"], ["-c", STARTED]], ids=["module", "script"])
def test_an_interrupt_at_any_moment_of_the_start(began, verb, tmp_path):
    arguments = ["--help"] if verb == "help" else optimize(tmp_path)
    for moment_ms in range(20, 301, 20 if began[0] == "-m" else 10):
        process = subprocess.Popen(
            [sys.executable, *began, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        time.sleep(moment_ms / 1000)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=600)[1]
        if "Traceback" in told or "runpy" in told or process.returncode < 0:  # Python had not come to us
            assert not OURS.search(told), f"after {moment_ms} ms: {told}"
        else:
            assert process.returncode in (0, 130), f"after {moment_ms} ms: {told}"


def test_a_thread_that_a_file_left_behind_does_not_keep_the_command():
    """The answer was printed, and the command stayed until somebody stopped it."""
    left = "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()"
    patience = "from hotloop.cli import start; start._PATIENCE_S = 0.2; start._end(1)"
    ended = subprocess.run(
        [sys.executable, "-c", f"{left}\n{patience}"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr.count("did not end; it is left behind")) == (1, 1)
