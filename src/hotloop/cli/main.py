"""The ``hotloop`` command: finds verbs lazily, turns errors into one sentence and an exit code."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import click

from hotloop import registry
from hotloop.errors import HotloopError, MachineError
from hotloop.host import clock, guardian, interrupt
from hotloop.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

COMMANDS = "hotloop.cli.commands"
_SENTENCE = 1000
"""Longer than what any verb does in one sentence."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
COMPLETING = "_HOTLOOP_COMPLETE"
"""Environment variable by which a shell's completion script asks for words instead of a verb."""
INTERRUPTED = interrupt.CODE
EPILOG = """\b
Exit codes: 0 done · 1 the answer is bad news (wrong result, slower, failed) · 2 usage or input error ·
3 something is missing on this machine · 130 stopped by Ctrl-C.
\b
Examples:
  hotloop optimize gemm --shape 1024x1024x1024
  hotloop check my_kernel.py
  hotloop compare 'gemm@MWI=4' 'gemm@MWI=8'
  hotloop doctor
"""


class Verbs(click.Group):
    """Loads a verb's module only when it is run or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the verbs, most used first."""
        names = [name.replace("_", "-") for name in registry.names(COMMANDS)]
        order = [
            "optimize",
            "tune",
            "bench",
            "check",
            "compare",
            "explain",
            "isa",
            "profile",
            "history",
            "report",
            "doctor",
            "init",
        ]
        return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a verb, or None when there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = registry.load(COMMANDS, cmd_name.replace("-", "_"), "COMMAND")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; refuse empty arguments, which an unset shell variable gives and which must not mean the default."""
        name, command, rest = super().resolve_command(ctx, args)
        for before, text in pairwise(["", *takewhile(lambda text: text != "--", rest)]):
            option, equals, value = text.partition("=")
            if not option or (option.startswith("--") and equals and not value):
                what = option or (before if before.startswith("-") else "an argument")
                raise click.UsageError(f"{what} is empty; give it a value, or leave it out")
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each verb does as a whole sentence, over as many lines as it takes."""
        with formatter.section("Commands"):
            verbs = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
            formatter.write_dl([(name, verb.get_short_help_str(_SENTENCE)) for name, verb in verbs if verb])


@click.group(
    cls=Verbs, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(VERSION, prog_name="hotloop")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.pass_context
def hotloop(ctx: click.Context, debug: bool) -> None:
    """Make compute kernels faster: measure, verify, explain, change one thing, compare, keep or revert."""
    ctx.obj = debug
    interrupt.release()  # the verb is loaded, and what it begins is told that it shall end


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code; 1 when the reader of the output went away (``| head``).

    Without `arguments` this is the main program of the process; a guardian process reports if a kernel file's code ends it.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        clock.command()
        _open_streams()
        if _as_json(given):
            from hotloop.cli import output

            output.alone()
        guardian.allow(partial(_report, given))
    try:
        code = _run(given)
    except SystemExit as leave:
        if not isinstance(leave.__context__, BrokenPipeError):  # else of click: nobody reads standard output any more
            raise
        code = 1
    if arguments is None and _as_json(given):
        from hotloop.cli import output

        output.settle()
    if arguments is None:
        _settle_errors()
    guardian.ending(code)
    sys.exit(code)


def _open_streams() -> None:
    """Open what is closed, as after ``>&-``: a file that is opened later must not take its number; show tables in any encoding."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _settle_errors() -> None:
    """Write what waits for standard error; where that fails, as on a full disk, Python must not try again and end with a code of its own."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _run(given: list[str]) -> int:
    if _as_json(given):
        from hotloop.cli import output

        output.begin()
    try:
        code = hotloop.main(given, prog_name="hotloop", standalone_mode=False)
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.exceptions.NoArgsIsHelpError as page:
        page.show()
        code = 2
    except click.ClickException as error:
        code = _refuse(given, "UsageError", _misused(error, given), 2)
    except (KeyboardInterrupt, click.Abort):
        code = _stopped(given)
    except HotloopError as error:
        code = _report(given, error)
    except MemoryError as error:
        code = _report(given, MachineError(f"memory ran out ({error}); choose smaller sizes, or free memory."))
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # as Python 3.11 wraps what happens while a class is made
            return _stopped(given)
        if "--debug" in given:
            guardian.ending(1)
            raise
        code = _unforeseen(given, error)
    return code if isinstance(code, int) else 0


def _misused(error: click.ClickException, given: list[str]) -> str:
    """Return what is wrong with a command line, and where help is: a sentence."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else " ".join(_named(given))
    # click's own suggestions are left out
    sentence = error.message if hasattr(error, "possibilities") else error.format_message()
    message, alike = " ".join(sentence.split()).rstrip("."), _alike(error)
    return f"{message[:1].lower()}{message[1:]}" + (
        f", did you mean {alike}? See {path} --help." if alike else f"; see {path} --help."
    )


def _named(given: list[str]) -> Iterator[str]:
    """Yield the words of a command line that name hotloop, the verb, and the verb of a verb such as ``techniques show``."""
    yield "hotloop"
    command: click.Command | None = hotloop
    for word in given:
        if isinstance(command, click.Group) and (inner := command.get_command(click.Context(command), word)):
            command = inner
            yield word


def _alike(error: click.ClickException) -> str:
    """Return the option or verb whose spelling is closest to an unknown one; empty if none is close."""
    if isinstance(error, click.NoSuchOption):  # the dashes, which all have, would make short options alike
        options = {option.lstrip("-"): option for option in error.possibilities or ()}
        return options.get(_closest(error.option_name.lstrip("-"), options), "")
    unknown = re.match(r"No such command '(.+)'", error.message)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if unknown is None or context is None or not isinstance(context.command, click.Group):
        return ""
    return _closest(unknown[1], context.command.list_commands(context))


def _closest(unknown: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches  # slow to import, and most commands make no mistake

    return next(iter(get_close_matches(unknown, names, n=1)), "")


def _report(given: list[str], error: HotloopError) -> int:
    if "--debug" in given:
        import traceback

        traceback.print_exception(error)
    return _refuse(given, type(error).__name__, str(error), error.exit_code)


def _unforeseen(given: list[str], error: Exception) -> int:
    """Tell an error that nothing in hotloop raises on purpose: what the system refuses, or a defect."""
    if isinstance(error, OSError) and error.errno in _FULL:
        sentence = f"nothing more can be written: {error.strerror}; free some space, or write elsewhere."
        return _refuse(given, "MachineError", sentence, 3)
    if isinstance(error, FileNotFoundError) and "temporary directory" in str(error):  # of Python's tempfile
        sentence = "no folder for temporary files can be written: free some space, or set TMPDIR to a folder with room."
        return _refuse(given, "MachineError", sentence, 3)
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of os.getcwd
        return _refuse(given, "MachineError", "the folder in which this runs is gone; change to one that exists.", 3)
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        sentence = "no further file can be opened: allow more (ulimit -n), or close other programs."
        return _refuse(given, "MachineError", sentence, 3)
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        sentence = f"{error.filename} is longer than this system lets a name be; name an existing file or kernel."
        return _refuse(given, "UsageError", sentence, 2)
    if COMPLETING in os.environ and not os.environ.get("COMP_CWORD", "").isdecimal():
        sentence = f"{COMPLETING} is set, but COMP_WORDS and COMP_CWORD are not as a shell sets them; unset it."
        return _refuse(given, "UsageError", sentence, 2)
    sentence = f"defect: {type(error).__name__}: {error}; run again with --debug and report it."
    return _refuse(given, "Defect", sentence, 1)


def _stopped(given: list[str]) -> int:
    click.echo("stopped.", err=True)
    _answer(given, "Interrupted", "stopped.", INTERRUPTED)
    return INTERRUPTED


def _refuse(given: list[str], kind: str, sentence: str, code: int) -> int:
    """Print an error to standard error; names of files and kernels, and what compilers say, may hold terminal escapes."""
    from hotloop.report.plain import visible

    message = _spelled(sentence, given)
    with suppress(OSError, ValueError):  # nobody can read it: the exit code says what it would have said
        click.echo(f"hotloop: {visible(message)}", err=True)
    _answer(given, kind, message, code)
    return code


def _spelled(sentence: str, given: list[str]) -> str:
    """Return a sentence in which the line breaks of what was given, a path, its last part or an option's value, are spelled out."""
    broken = [text for text in given if len(text.splitlines()) > 1]
    parts = {part for text in broken for part in (text, text.rpartition("/")[2], text.partition("=")[2])}
    for part in sorted((part for part in parts if len(part.splitlines()) > 1), key=len, reverse=True):
        sentence = sentence.replace(part, "\\n".join(part.splitlines()))
    return sentence


def _answer(given: list[str], kind: str, sentence: str, code: int) -> None:
    """With ``--json``, print the error as an object too, so that standard output holds one document however a verb ends."""
    if _as_json(given):
        from hotloop.cli import output

        output.failed(kind, sentence, code)


def _as_json(given: list[str]) -> bool:
    return "--json" in takewhile(lambda text: text != "--", given)
