"""Samples of what a search's threads are at: the functions of the main thread, and the stages of each look that is under way."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median

_SAMPLE_S, _LOOK_S = 0.02, 0.01
STAGES = (
    (("link", "_turn"), "turn"), (("turns", "__enter__"), "turn"), (("link", "within"), "compare"), (("ahead", "result"), "compiler"),
    (("layout", "read"), "read"), (("judge", "judge"), "judge"), (("local", "_answer"), "worker"), (("local", "execute_all"), "turn"),
    (("local", "time"), "turn"), (("checking", "check"), "check"), (("attempt", "_glance"), "other"),
)  # fmt: skip
"""Functions, the innermost first, and what a look is at while one of them is under way."""


@dataclass
class Look:
    """One look that was seen under way."""

    candidate: object
    stages: Counter = field(default_factory=Counter)


@cache
def named(code):
    """Return file and function of code; without a cache, naming would take a third of the interpreter's time from what is looked at."""
    return Path(code.co_filename).stem, code.co_name


class Looks:
    """What the threads that make looks are at, every 10 ms, by look."""

    def __init__(self):
        self.seen, self.done, self.main = {}, [], Counter()

    def sample(self, frames, main, took_s):
        under_way = set()
        # those that compile or read are many, and each glance at one delays all of them
        looking = {one.ident for one in threading.enumerate() if "_drive" in one.name} | {main}
        for thread in looking & frames.keys():
            top = frames[thread]
            frame, stack, candidate = top, [], None
            while frame is not None:
                stack.append(named(frame.f_code))
                if stack[-1] == ("attempt", "_glance"):
                    candidate = frame.f_locals.get("candidate")
                frame = frame.f_back
            if candidate is None:
                if thread == main:
                    self.main[self.parents(stack)] += took_s
                continue
            under_way.add(id(candidate))
            look = self.seen.setdefault(id(candidate), Look(candidate))
            look.stages[self.stage(stack)] += took_s
        for key in [one for one in self.seen if one not in under_way]:
            self.done.append(self.seen.pop(key))

    def stage(self, stack):
        named = set(stack)
        told = next(stage for function, stage in STAGES if function in named)
        if told != "worker":
            return told
        return "time" if ("local", "time") in named else "run"

    def parents(self, stack):
        """Return what the main thread is at in the search; empty elsewhere."""
        named = [f"{place}.{name}" for place, name in stack]
        if "polish._together" not in named and "polish._evaluated" not in named:
            return ""
        for word, told in (
            ("lanes._first", "wait"),
            ("strategy.ask", "propose"),
            ("desk.remember", "record"),
            ("attempt.programs", "plan"),
        ):
            if word in named:
                return told
        return "propose" if any(one.endswith(".ask") for one in named) else "other"

    def told(self):
        """Return medians in ms by stage, over looks that were timed."""
        looks = [look for look in self.done if look.stages["time"]] or self.done
        stages = {
            stage: median([1e3 * look.stages[stage] for look in looks])
            for stage in dict.fromkeys(s for look in looks for s in look.stages)
        }
        means = {stage: sum(1e3 * look.stages[stage] for look in looks) / len(looks) for stage in stages}
        whole = median([1e3 * sum(look.stages.values()) for look in looks]) if looks else 0.0
        return {
            "looks": len(looks),
            "median_ms": stages,
            "mean_ms": means,
            "look_ms": whole,
            "main_s": {k: v for k, v in self.main.items() if k},
        }


class Sampled:
    """Where the main thread stands, every 20 ms: seconds of each of the product's functions, by its callers, and by the second."""

    def __init__(self):
        self.main = threading.main_thread().ident
        self.stacks, self.seconds, self.over = Counter(), [], threading.Event()
        self.late_s = []
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.looks = Looks()

    def sample(self):
        began = last = noted = time.perf_counter()
        while not self.over.wait(_LOOK_S):
            frames, now = sys._current_frames(), time.perf_counter()  # noqa: SLF001 - there is no other way to look
            self.late_s.append(now - last - _LOOK_S)
            self.looks.sample(frames, self.main, now - last)
            last = now
            if now - noted < _SAMPLE_S:
                continue
            noted += _SAMPLE_S
            frame, names = frames.get(self.main), []
            while frame is not None:
                code = frame.f_code
                if "hotloop" in code.co_filename and "/cli/" not in code.co_filename:
                    names.append(".".join(named(code)))
                frame = frame.f_back
            names.reverse()
            self.stacks.update({tuple(names[:depth]) for depth in range(1, len(names) + 1)})
            while len(self.seconds) <= (at := int(time.perf_counter() - began)):
                self.seconds.append(Counter())
            self.seconds[at][" > ".join(names[1:9])] += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def told(self, least_s=0.25):
        """Return the tree of functions that took `least_s` and more."""
        rows = [(stack, count * _SAMPLE_S) for stack, count in self.stacks.items() if count * _SAMPLE_S >= least_s]
        return [f"{'  ' * (len(stack) - 1)}{stack[-1]} {seconds:.2f} s" for stack, seconds in sorted(rows)]

    def by_second(self):
        return [counter.most_common(2) for counter in self.seconds]
