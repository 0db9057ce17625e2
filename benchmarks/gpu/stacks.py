"""Where a command of hotloop spends its wall time: which of its functions its main thread is in, looked at fifty times a second.

    PYTHONPATH=src python3 benchmarks/gpu/stacks.py stacks.txt optimize program.capture --budget 60    # the command without the word hotloop
    PYTHONPATH=src python3 benchmarks/gpu/stacks.py --read stacks.txt                                  # seconds by function, and the order of things

Each line of the file is a second since the start, how long the main thread was there, and its functions of hotloop, the outermost first.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

_EVERY_S, _DEEPEST = 0.02, 9
_SKIPPED = ("cli", "__main__", "click")


def _functions(frame: FrameType | None) -> str:
    names: list[str] = []
    while frame is not None:
        place = frame.f_code.co_filename.partition("/hotloop/")[2].removesuffix(".py")
        if place and not place.startswith(_SKIPPED):
            names.append(f"{place}.{frame.f_code.co_name}")
        frame = frame.f_back
    return " ".join(reversed(names[:_DEEPEST]))


def watch(out: Path) -> None:
    """Write what this thread does, from now on, until the process ends."""
    main, began_s = threading.get_ident(), time.monotonic()

    def look() -> None:
        with out.open("w", encoding="utf-8") as record:
            place, since_s = "", began_s
            while True:
                time.sleep(_EVERY_S)
                now = _functions(sys._current_frames().get(main))  # noqa: SLF001 - there is no other way to a thread's frames
                if now != place:
                    moment_s = time.monotonic()
                    record.write(f"{since_s - began_s:.2f} {moment_s - since_s:.2f} {place}\n")
                    record.flush()
                    place, since_s = now, moment_s

    threading.Thread(target=look, daemon=True).start()


def read(path: Path) -> None:
    """Print seconds by function, and what took longer than a quarter of a second, in its order."""
    within: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        began, lasted, *names = line.split()
        for name in set(names):
            within[name] += float(lasted)  # type: ignore[assignment]
        if float(lasted) > 0.25:
            print(f"{began:>7} {lasted:>6} {' '.join(names[-4:])}")
    print()
    for name, seconds in within.most_common(70):
        print(f"{seconds:7.2f} s {name}")


def main() -> None:
    """Do what is asked for."""
    if sys.argv[1] == "--read":
        read(Path(sys.argv[2]))
        return
    out = Path(sys.argv.pop(1))
    sys.argv[0] = "hotloop"
    watch(out)
    from hotloop.cli.start import main as begin

    begin()


if __name__ == "__main__":
    main()
