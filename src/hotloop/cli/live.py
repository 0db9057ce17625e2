"""Live progress of a run on standard error: what is being tried, the incumbent, verdicts, roofline, budget left."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, redirect_stdout
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hotloop import units
from hotloop.app.events import Began, Counted, Diagnosed, Event, Notice, Searched, Stage, Took, Trying, Worker, Working
from hotloop.cli import output
from hotloop.model.step import Decision, Step
from hotloop.report import plain

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.live import Live

_MARKS = {Decision.BASELINE: "•", Decision.KEEP: "✓", Decision.REVERT: "↺", Decision.REFUSE: "✗"}
_STYLES = {Decision.BASELINE: "bold", Decision.KEEP: "green", Decision.REVERT: "yellow", Decision.REFUSE: "red"}
_MOST_ROWS = 16
"""Largest number of devices that are shown with a row each."""
_TELL_S = 10.0
"""Interval in s between progress lines when the output is a log."""


class Progress:
    """A listener that shows steps as lines and the current activity below them."""

    def __init__(self, budget_s: float, *, quiet: bool = False) -> None:
        self._console: Console = output.console(err=True)
        self._quiet = quiet or output.hushed()
        self._budget_s = budget_s
        self._began_s = time.monotonic()
        self._activity = "starting the worker"
        self._incumbent = ""
        self._search = ""
        self._workers: tuple[Worker, ...] = ()
        self._told_s = self._began_s
        self._live: Live | None = None
        self._aside = ExitStack()

    def __enter__(self) -> Self:
        self._aside.enter_context(redirect_stdout(sys.stderr))  # what a user's functions print
        if self._console.is_terminal and not self._quiet:
            from rich.live import Live

            self._live = Live(console=self._console, get_renderable=self._status, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._aside:
            if self._live is not None:
                self._live.stop()

    def notify(self, event: Event) -> None:
        """Show an event."""
        if self._quiet:
            return
        match event:
            case Stage(text=text):
                self._activity, self._search, self._workers = text, "", ()
                if self._live is None:
                    self._line(f"  {text} …", "dim")
            case Trying(index=index, move=move):
                self._activity = f"step {index}: {move.technique}: {move.change}"
            case Took(step=step, call_ns=call_ns, roof_fraction=fraction):
                self._took(step, call_ns, fraction)
            case Diagnosed(findings=findings):
                for finding in findings[:3]:
                    self._line(f"    {finding.share:4.0%}  {finding.rule}: {finding.message}", "cyan")
            case Searched(evaluated=evaluated, failed=failed, best_ratio=best):
                gain = f", best {1 / best:.2f}× the incumbent" if best else ""
                self._search = f"{evaluated} tried, {failed} failed{gain}"
                self._now_and_then()
            case Counted():
                self._counted(event)
            case Notice(text=text):
                self._line(f"  {text}", "magenta")
            case _:
                self._others(event)

    def _others(self, event: Event) -> None:
        """Show events that are no steps."""
        if isinstance(event, Working):
            self._working(event.workers)
        elif isinstance(event, Began):  # earlier than this object by Python's start, or later by a cluster's
            self._began_s = event.began_s

    def _took(self, step: Step, call_ns: float | None, fraction: float | None) -> None:
        if call_ns:
            roof = f", {fraction:.0%} of the roofline" if fraction is not None and fraction <= 1 else ""
            self._incumbent = f"{units.duration(call_ns)} per call{roof}"
        verdict = f"{step.comparison.word:8} {step.comparison.speedup:5.2f}×" if step.comparison else " " * 15
        head = f"{_MARKS[step.decision]} {step.index:2} {step.decision.value:8} {verdict}"
        tail = step.reason if step.comparison is None else (self._incumbent if step.decision is Decision.KEEP else "")
        self._line(f"{head}  {step.technique}: {step.change}" + (f" — {tail}" if tail else ""), _STYLES[step.decision])

    def _counted(self, event: Counted) -> None:
        """Show progress below the steps."""
        self._search = f"{event.done} of {event.whole} {event.what}"
        self._now_and_then()

    def _now_and_then(self) -> None:
        """Show progress in a log, as a line every ten seconds."""
        now_s = time.monotonic()
        if self._live is None and now_s - self._told_s >= _TELL_S:
            self._told_s = now_s
            self._line(f"  {self._search}", "dim")

    def _working(self, workers: tuple[Worker, ...]) -> None:
        """Show the state of each device, or in a log a line every ten seconds and one for each device that is lost."""
        fresh = {worker.place for worker in workers if worker.lost} - {
            worker.place for worker in self._workers if worker.lost
        }
        for lost in sorted(fresh):
            self._line(f"  {lost} is lost; what it was measuring goes to another device", "yellow")
        self._workers = workers
        now_s = time.monotonic()
        if self._live is None and now_s - self._told_s >= _TELL_S:
            self._told_s = now_s
            busy = sum(bool(worker.doing) for worker in workers)
            told = f"{busy} of {len(workers)} devices at work"
            self._line(f"  {self._search}; {told}" if self._search else f"  {told}", "dim")

    def _line(self, text: str, style: str) -> None:
        from rich.text import Text

        self._console.print(Text(plain.visible(text), style=style, overflow="fold"), soft_wrap=False)

    def _status(self) -> Group:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        spent_s = time.monotonic() - self._began_s
        doing = Text.assemble(("▸ ", "bold blue"), plain.line(self._activity), f"  {self._search}")
        if not self._budget_s:  # a verb that takes as long as it takes
            return Group(doing)
        left = max(0.0, self._budget_s - spent_s)
        reached = Text.assemble("  ", (self._incumbent, "bold"), f"  budget left {left:.0f} s ")
        bar = ProgressBar(total=self._budget_s, completed=min(spent_s, self._budget_s), width=60)
        rows = [Text(row, style="dim", no_wrap=True, overflow="ellipsis") for row in _rows(self._workers)]
        return Group(doing, *rows, reached, bar)


def _rows(workers: tuple[Worker, ...]) -> list[str]:
    """Return a row for each device, where there are several; of very many the first ones."""
    if len(workers) < 2:
        return []
    width = max(len(worker.place) for worker in workers)
    rows = [
        f"    {plain.line(worker.place):{width}}  {worker.done:4} done  {'lost' if worker.lost else plain.line(worker.doing) or 'waits'}"
        for worker in workers[:_MOST_ROWS]
    ]
    return rows + ([f"    and {len(workers) - _MOST_ROWS} more"] if len(workers) > _MOST_ROWS else [])
