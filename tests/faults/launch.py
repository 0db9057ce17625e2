"""The command line with planted faults: ``python launch.py optimize ...``; what goes wrong is said in the environment.

HOTLOOP_FAULTY_WORKER=1    candidates run in `faulty_worker`
HOTLOOP_DIE_AFTER=N        SIGKILL of this process right after its N-th commit to a store (negative: right before the N-th)
HOTLOOP_CLOCK_JUMPS=SEED   the wall clock jumps by up to ten years, back or forth, every time it is asked
HOTLOOP_FILE_LIMIT=BYTES   no file may grow beyond this (RLIMIT_FSIZE)
HOTLOOP_PROCESS_LIMIT=1    no process can be started
"""

import os
import random
import resource
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent
TEN_YEARS_S = 3.2e8


def die_around_commit(number):
    """End this process as a power switch would, at one of its commits."""
    from hotloop.store import database

    plain, count = database.Database.write, 0

    def write(self, **how):
        return counted(plain(self, **how))

    class counted:
        def __init__(self, inner):
            self.inner = inner

        def __enter__(self):
            return self.inner.__enter__()

        def __exit__(self, *error):
            nonlocal count
            count += 1
            if count == -number:
                os.kill(os.getpid(), signal.SIGKILL)
            done = self.inner.__exit__(*error)
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

    database.Database.write = write


def jump(seed):
    from hotloop.host import clock

    chance = random.Random(seed)

    def utc(_self):
        jumped = datetime.now(UTC) + timedelta(seconds=chance.uniform(-TEN_YEARS_S, TEN_YEARS_S))
        return jumped.isoformat(timespec="seconds")

    clock.SystemClock.utc = utc


def main():
    told = {name: os.environ.get(f"HOTLOOP_{name}") for name in ("DIE_AFTER", "CLOCK_JUMPS", "FILE_LIMIT")}
    if os.environ.get("HOTLOOP_FAULTY_WORKER"):
        from hotloop.engine import local

        local.WORKER = "faulty_worker"
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
    if told["DIE_AFTER"]:
        die_around_commit(int(told["DIE_AFTER"]))
    if told["CLOCK_JUMPS"]:
        jump(int(told["CLOCK_JUMPS"]))
    if told["FILE_LIMIT"]:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(told["FILE_LIMIT"]),) * 2)
    if os.environ.get("HOTLOOP_PROCESS_LIMIT"):
        import subprocess

        def refused(*_, **__):
            raise BlockingIOError(11, "Resource temporarily unavailable")

        subprocess.Popen = refused
    from hotloop.cli.main import main as hotloop

    hotloop(sys.argv[1:])


if __name__ == "__main__":
    main()
