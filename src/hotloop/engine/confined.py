"""The worker process for a candidate that is not trusted: it can write to its arena and devices and reach nothing else.

It confines itself before it imports anything that starts threads.
"""

from __future__ import annotations

import os
from pathlib import Path

from hotloop.host.confine import confine
from hotloop.host.process import die_with_parent
from hotloop.host.strays import MARK

_DEVICES = ("null", "zero", "full", "random", "urandom", "nvidia*", "dri", "kfd")
"""Patterns of device files in /dev that runtimes open for writing; shared memory is not among them."""


def main() -> None:
    """Confine this process, then serve as any worker does."""
    die_with_parent()
    arena = Path(os.environ[MARK])
    devices = [device for pattern in _DEVICES for device in Path("/dev").glob(pattern)]
    confine((arena, *devices, Path("/proc/self")))
    from hotloop.engine import worker

    worker.main()


if __name__ == "__main__":
    main()
