"""Write docs/cli.md from the command line itself: verbs, arguments, options, examples, environment variables, exit codes.

    python docs/reference.py

A test compares the committed page with what this writes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hotloop.cli.main import INTERRUPTED, hotloop
from hotloop.errors import HotloopError, MachineError, UsageError
from hotloop.host import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent / "cli.md"
NOTE = "<!-- written by docs/reference.py from the command line itself: edit the verbs in src/hotloop/cli/commands -->"
EXPLAINED = re.compile(r"^(hotloop .*?\S)( {2,})(\S.*)$")
"""An example followed by what it does."""
INTRO = """# The command line

Every verb takes `-h`. Results go to standard output, progress and remarks to standard error; `--json` shows no progress and replaces
tables by JSON. `hotloop --debug VERB ...` shows tracebacks. Names of variants: `gemm`, `gemm@NWI=8,VW=8` (parameters
changed from the start), `gemm@best` (best known for the device and shape), `file.py`, `file.py:name@VW=4`.
"""


def page() -> str:
    """Return the text of the page."""
    context = click.Context(hotloop, info_name="hotloop")
    verbs = [(name, hotloop.get_command(context, name)) for name in hotloop.list_commands(context)]
    rows = [f"| [`{name}`](#{name}) | {_summary(verb)} |" for name, verb in verbs if verb]
    sections = [_verb(name, verb) for name, verb in verbs if verb]
    table = "\n".join(("| verb | what it does |", "|---|---|", *rows))
    return "\n\n".join((f"{NOTE}\n{INTRO}\n{table}", *sections, _exit_codes(), _environment())) + "\n"


def _summary(verb: click.Command) -> str:
    return " ".join((verb.help or "").split())


def _verb(name: str, verb: click.Command) -> str:
    arguments = [p for p in verb.params if isinstance(p, click.Argument)]
    options = [p for p in verb.params if isinstance(p, click.Option) and not p.hidden]
    usage = " ".join(("hotloop", name, *("[OPTIONS]",) * bool(options), *(_metavar(a) for a in arguments)))
    parts = [f"## {name}", f"`{usage}`", _summary(verb)]
    if options:
        parts.append("\n".join(("| option | meaning |", "|---|---|", *(_option(o) for o in options))))
    parts.extend(_epilog(verb.epilog or ""))
    return "\n\n".join(parts)


def _metavar(argument: click.Argument) -> str:
    if argument.metavar:
        return argument.metavar
    if isinstance(argument.type, click.Choice):
        return "{" + ",".join(str(choice) for choice in argument.type.choices) + "}"
    name = (argument.name or "").upper()
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    if not option.is_flag:
        names += f" {_value(option)}"
    default = f" Default: {option.default}." if option.show_default and not option.is_flag else ""
    repeat = " Repeatable." if option.multiple and "repeatable" not in (option.help or "") else ""
    return f"| {names} | {_cell(option.help or 'Where to write.')}{default}{repeat} |"


def _value(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return _cell(" or ".join(f"`{choice}`" for choice in option.type.choices))
    return _cell(f"`{option.metavar or option.type.name.upper()}`")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _epilog(text: str) -> Iterator[str]:
    """Yield the examples as a block and the remarks after them as paragraphs."""
    for piece in text.split("\b\n"):
        if piece.startswith("Examples:"):
            examples = [EXPLAINED.sub(r"\1\2# \3", line.removeprefix("  ")) for line in piece.splitlines()[1:]]
            yield "\n".join(("```console", *examples, "```"))
        elif piece.strip():
            yield piece.strip()


def _exit_codes() -> str:
    rows = (
        (0, "done, and the answer is good news"),
        (
            HotloopError.exit_code,
            "the answer is bad news: wrong result, slower, unclear, nothing could be timed; or a defect",
        ),
        (UsageError.exit_code, "usage or input error: unknown name, bad shape, a kernel file that raises"),
        (
            MachineError.exit_code,
            "this machine lacks something: no OpenCL runtime, an extra, room on the disk, a usable store",
        ),
        (
            INTERRUPTED,
            (
                "stopped by Ctrl-C; the report of what a run had reached is printed and the run is in the store. Before hotloop's "
                "first line, in the hundredths of a second in which Python itself starts, the words and the code are Python's"
            ),
        ),
        (
            "128 + N",
            (
                "ended from outside by signal N, such as 143 by SIGTERM and 129 by SIGHUP; what was recorded is kept, and the same "
                "command goes on. With `--json` there may be no document then"
            ),
        ),
    )
    return "\n".join(("## Exit codes\n", "| code | meaning |", "|--:|---|", *(f"| {c} | {t} |" for c, t in rows)))


def _environment() -> str:
    rows = (f"| `{setting.name}` | {_cell(setting.doc)} |" for setting in settings.ALL)
    return "\n".join(("## Environment variables\n", "| name | meaning |", "|---|---|", *rows))


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
