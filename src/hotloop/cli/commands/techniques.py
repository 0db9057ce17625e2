"""``hotloop techniques``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from hotloop.techniques.entries import Entry
    from hotloop.techniques.illustration import Effect
    from hotloop.techniques.scores import Score

EPILOG = """\b
Examples:
  hotloop techniques                                     the whole menu
  hotloop techniques --category latency --arch gfx942    those of a kind, and which a processor does not allow
  hotloop techniques --for lds-bound                     answers to a finding, best first
  hotloop techniques show swizzle                        one technique in full
  hotloop techniques show warp-group-matrix --target gfx942
  hotloop techniques calibration                         predicted against measured, from the store
"""
SHOW_EPILOG = """\b
Examples:
  hotloop techniques show pad
  hotloop techniques show async-copy --target gfx950 --json
"""
CALIBRATION_EPILOG = """\b
Examples:
  hotloop techniques calibration
  hotloop techniques calibration --technique vectorize --json
"""


@click.group("techniques", epilog=EPILOG, invoke_without_command=True)
@click.option(
    "--category", default="", metavar="NAME", help="arithmetic, registers, memory, parallelism, algorithm, latency."
)
@click.option(
    "--arch", default="", metavar="NAME", help="Say which ones this processor does not allow, e.g. gfx942, sm_90."
)
@click.option("--for", "rule", default="", metavar="RULE", help="Only those that answer this rule, best first.")
@options.as_json
@click.pass_context
def COMMAND(context: click.Context, category: str, arch: str, rule: str, as_json: bool) -> int:
    """List what can be changed about a kernel: bottleneck, preconditions, reported effect and how to see that it worked."""
    if context.invoked_subcommand is not None:
        if category or arch or rule or as_json:
            raise click.UsageError(f"options go after {context.invoked_subcommand}", ctx=context)
        return 0
    from hotloop.cli import output
    from hotloop.techniques import entries

    menu = entries.menu(category, arch, rule)
    output.emit([entries.as_json(entry) for entry in menu]) if as_json else output.show(_menu(menu))
    return 0


@COMMAND.command("show", epilog=SHOW_EPILOG)
@click.argument("name", shell_complete=words.techniques)
@click.option("--target", default="", metavar="NAME", help="Check the preconditions on this processor, e.g. gfx942.")
@options.as_json
def show(name: str, target: str, as_json: bool) -> int:
    """Explain one technique, and say whether a processor allows it (exit code 1 when it does not)."""
    from hotloop.cli import output
    from hotloop.techniques import entries

    entry = entries.named(name, target)
    output.emit(entries.as_json(entry)) if as_json else output.show(_card(entry, target))
    return 1 if entry.unmet else 0


@COMMAND.command("calibration", epilog=CALIBRATION_EPILOG)
@click.option("--technique", default=None, metavar="NAME", help="Only this technique.")
@click.option("--rule", default=None, metavar="NAME", help="Only moves that answered this rule.")
@click.option("--target", default=None, metavar="NAME", help="Only this instruction set target, e.g. x86-64-avx512.")
@options.store
@options.as_json
def calibration(technique: str | None, rule: str | None, target: str | None, store: str, as_json: bool) -> int:
    """Show what techniques promised and what they brought, per rule, technique and target, from the store."""
    from dataclasses import asdict

    from hotloop.app.session import open_store
    from hotloop.cli import output
    from hotloop.techniques.scores import scores

    with open_store(options.options(store=store), read_only=True) as opened:
        scored = scores(opened.calibration(technique=technique, rule=rule, target=target))
    output.emit([asdict(score) for score in scored]) if as_json else output.show(_scores(scored))
    return 0


def _menu(entries: Sequence[Entry]) -> Group | Text:
    from rich.console import Group
    from rich.text import Text

    if not entries:
        return Text("no technique fits; leave an option out.")
    table = _table("technique", "works on", "what it does", "reported", "answers")
    for entry in entries:
        technique = entry.technique
        if entry.unmet:
            continue
        best = max(technique.effects, key=lambda e: (e.measured, e.high), default=None)
        head, _, rest = technique.title.partition(": ")
        table.add_row(
            technique.name, technique.category, rest or head, _interval(best) if best else "–", _few(entry.rules)
        )
    refused = (
        Text(f"not possible: {e.technique.name}: {'; '.join(e.unmet)}", style="yellow") for e in entries if e.unmet
    )
    return Group(table, *refused)


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _interval(effect: Effect) -> str:
    text = f"{effect.low:g}×" if effect.low == effect.high else f"{effect.low:g}–{effect.high:g}×"
    return text if effect.measured else f"({text})"


def _card(entry: Entry, target: str) -> Group:
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    rows = (Padding(Text(text, style=style), (0, 0, 0, 0 if style else 2)) for text, style in _lines(entry, target))
    return Group(*rows)


def _lines(entry: Entry, target: str) -> Iterator[tuple[str, str]]:
    from hotloop.metrics.vocabulary import meaning

    technique, doc = entry.technique, entry.technique.doc
    yield f"{technique.name} — {technique.title} [{technique.category}]", "bold"
    for reason in entry.unmet:
        yield f"not possible: {reason}", "bold red"
    if target and not entry.unmet:
        yield f"possible on {target}: no precondition that is checked fails there", "green"
    yield from _section("answers", [", ".join(entry.rules) or "no rule: " + doc.sentence("What it needs")])
    yield from _section("changes", [doc.sentence("What it changes")])
    yield from _section("parameters", [f"{p.name}: {', '.join(map(str, p.values))}" for p in technique.parameters])
    yield from _section(
        "needs", [doc.sentence("What it needs"), *(f"checked: {need.text}" for need in technique.requires)]
    )
    least, most = (f"{100 * part:g} %" for part in technique.removes)
    effects = [f"{_interval(e)} {e.source}" for e in technique.effects]
    yield from _section(
        "predicted effect", [f"removes {least} to {most} of the time that a finding explains", *effects]
    )
    yield from _section("costs", [doc.sentence("What it costs")])
    signals = [f"{signal}: {meaning(signal.fact)}" for signal in technique.signals]
    yield from _section("see that it worked", signals or ["only the time tells"])
    yield from _section("when it fails", [doc.sentence("When it fails")])
    yield from _section("sources", [doc.sentence("References")])


def _section(heading: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield heading, "cyan"
    yield from ((line, "") for line in lines)


def _scores(scores: Sequence[Score]) -> Group | Text:
    from rich.console import Group
    from rich.text import Text

    if not scores:
        return Text("the store holds no prediction yet: hotloop optimize makes some.")
    table = _table("technique", "rule", "target", "steps", "kept", "predicted", "measured", "in interval", "factor")
    for row in scores:
        table.add_row(
            row.technique,
            row.rule or "(search)",
            row.target,
            str(row.steps),
            str(row.kept),
            f"{row.predicted.low:.2f}–{row.predicted.high:.2f}×",
            f"{row.measured:.2f}×" if row.measured is not None else "never timed",
            f"{row.hits} of {row.timed}",
            f"{row.factor:.2f}",
        )
    timed, hits = sum(row.timed for row in scores), sum(row.hits for row in scores)
    share = f"{100 * hits / timed:.0f} %" if timed else "none"
    return Group(
        table, Text(f"{share} of {timed} timed predictions lay in their interval; means are geometric", style="dim")
    )


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table
