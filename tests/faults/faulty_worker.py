"""A worker on the fake device that misbehaves in every way we know of, at the stage that is asked for.

A program's source may say ``"plant"`` (a name of `FAULTS`), ``"stage"`` (``build``, ``execute``, ``time``, ``binary``: the
request during which it happens) and ``"after"`` (how many times that stage passes unharmed first). Devices and selecting
have no program: there the environment's ``HOTLOOP_PLANT`` says ``STAGE:NAME``.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from hotloop.backends import null
from hotloop.engine import worker

ROOM_BYTES = 64 << 20
stage = ""
passed = {}


def segfault():
    ctypes.string_at(0)


def spin():
    """An endless loop that ignores every polite request to end."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def hog():
    """Take memory until the system refuses more."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM_BYTES, resource.RLIM_INFINITY))
    taken = []
    try:
        while True:
            taken.append(np.ones(ROOM_BYTES // 64))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)


def once_killed():
    """Be killed by somebody else, the first time only: the file outlives this process."""
    told = Path(os.environ["TMPDIR"], f"killed-once-{stage}")
    if not told.exists():
        told.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def flood():
    while True:
        os.write(2, b"flood " * 10_000)


def flood_and_go_on():
    for _ in range(64):
        os.write(2, b"flood " * 10_000)


def child():
    """Leave a process behind, in the same process group, with the parent's socket open."""
    if os.fork() == 0:
        time.sleep(3600)


def daemon():
    """Leave a process behind that has left the process group and lost its parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(3600)
        os._exit(0)


def tool():
    """Leave a program behind that was started as compilers are."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)


def zombies():
    for _ in range(20):
        if os.fork() == 0:
            os._exit(0)


def temporary_files():
    for _ in range(5):
        Path(tempfile.mkdtemp(), "left").write_bytes(b"x" * 10_000)
    Path(tempfile.gettempdir(), "core").write_bytes(b"x" * 10_000)
    segfault()


def hang_up():
    os.close(int(sys.argv[1]))


def garbage():
    os.write(int(sys.argv[1]), b"\x00\x00\x00\x05{bad}")


def half_an_answer():
    os.write(int(sys.argv[1]), b"\x00\x00\xff\xff{")
    time.sleep(3600)


def defect():
    raise RuntimeError("something that nobody thought of\nin two lines")


def refuse():
    raise null.LaunchError("the device was lost")


def compile_error():
    raise null.BuildError("1:3:5: error: planted compile error")


def then(first, last):
    def both():
        first()
        last()

    return both


FAULTS = {
    "compile error": compile_error,
    "segfault": segfault,
    "abort": os.abort,
    "exit": lambda: os._exit(0),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "killed once": once_killed,
    "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hang": lambda: time.sleep(3600),
    "spin": spin,
    "out of memory": hog,
    "huge allocation": lambda: bytearray(1 << 60),
    "endless output": flood,
    "much output": flood_and_go_on,
    "child": child,
    "daemon": daemon,
    "child, then segfault": then(child, segfault),
    "daemon, then segfault": then(daemon, segfault),
    "tool, then hang": then(tool, lambda: time.sleep(3600)),
    "zombies": zombies,
    "temporary files": temporary_files,
    "hang up": hang_up,
    "garbage": garbage,
    "half an answer": half_an_answer,
    "defect": defect,
    "device lost": refuse,
}


def trip(plant, at=""):
    """Do what a program, or the environment, asks for at this stage; programs are built when they are first run, too."""
    if plant.get("plant") and plant.get("stage") == (at or stage):
        key = json.dumps(plant)
        passed[key] = passed.get(key, 0) + 1
        if passed[key] > plant.get("after", 0):
            FAULTS[plant["plant"]]()


class Worker(worker.Worker):
    """Knows which request is being served."""

    def handle(self, message):
        global stage
        stage = message["op"]
        wanted, _, plant = os.environ.get("HOTLOOP_PLANT", "").partition(":")
        trip({"plant": plant, "stage": wanted} if wanted in ("select", "devices") else {})
        return super().handle(message)


class Null(null.Null):
    """The fake device, its compiler faulty too."""

    def build(self, program):
        recipe = json.loads(program.source)
        if stage in ("build", "execute"):
            trip(recipe, at="build")
        return super().build(program)

    def binary(self, program):
        trip(json.loads(program.source))
        return b"code"


class NullProgram(null.NullProgram):
    """A program that trips before it runs."""

    def enqueue(self):
        trip(self._recipe)
        super().enqueue()


if __name__ == "__main__":
    null.BACKEND = Null
    null.NullProgram = NullProgram
    worker.Worker = Worker
    worker.main()
