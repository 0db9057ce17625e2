"""Write what follows from plug-ins: rules.md, techniques.md, labels in kernel-file.md, names of hotloop.ops, extras in pyproject.toml.

    python docs/generate.py

A test compares the committed pages with what this writes.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from hotloop import ops
from hotloop.diagnose.engine import rules
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.language import extras
from hotloop.ops.functions import public
from hotloop.techniques.moves import techniques

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hotloop.diagnose.docs import Doc
    from hotloop.diagnose.example import Example
    from hotloop.diagnose.rule import Rule
    from hotloop.techniques.case import Case
    from hotloop.techniques.illustration import Effect
    from hotloop.techniques.technique import Technique

FOLDER = Path(__file__).parent
LABELS, LABELS_END = "<!-- labels: written by docs/generate.py -->", "<!-- end of labels -->"
OPS = "../src/hotloop/ops/__init__.py"
"""The public names of `hotloop.ops`, which type checkers must find as imports."""
PROJECT = "../pyproject.toml"
"""The packages that languages need, and the modules whose types mypy does not know."""
EXTRAS, EXTRAS_END = "# What a single language needs:", "# end of the languages' extras"
MODULES, MODULES_END = "# The modules of the languages' extras:", "ignore_missing_imports"
NOTE = "<!-- written by docs/generate.py from the modules' docstrings: edit those -->"


def pages() -> dict[str, str]:
    """Return the text of each generated page by file name."""
    modules = {"rules.md": _rules(), "techniques.md": _techniques(), "kernel-file.md": _kernel_file(), OPS: _ops()}
    return {**modules, PROJECT: _project()}


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def _kernel_file() -> str:
    """Return the page about kernel files with the labels that parameters may carry."""
    head, begin, rest = (FOLDER / "kernel-file.md").read_text(encoding="utf-8").partition(LABELS)
    _, end, tail = rest.partition(LABELS_END)
    labels = fill(", ".join(f"`{name}`" for name in sorted(techniques())) + ".", 118, break_on_hyphens=False)
    return f"{head}{begin}\n{labels}\n{end}{tail}"


def _ops() -> str:
    """Return the module `hotloop.ops` with an import for type checkers of every public name."""
    homes = {name: f"hotloop.{home}" for name, home in ops.HOMES.items()}
    homes |= {name: function.__module__ for name, function in public().items()}
    head, begin, rest = (FOLDER / OPS).read_text(encoding="utf-8").partition("if TYPE_CHECKING:\n")
    _, blank, tail = rest.partition("\n\n")
    lines = sorted(f"    from {home} import {name} as {name}" for name, home in homes.items())
    return head + begin + "\n".join(lines) + blank + tail


def _project() -> str:
    """Return pyproject.toml with an extra for each language that needs packages of its own."""
    text = (FOLDER / PROJECT).read_text(encoding="utf-8")
    text = _between(text, EXTRAS, EXTRAS_END, [f"{extra.name} = {_strings(extra.requires)}" for extra in extras()])
    modules = sorted({f"{module}.*" for extra in extras() for module in extra.modules})
    return _between(text, MODULES, MODULES_END, ["[[tool.mypy.overrides]]", f"module = {_strings(modules)}"])


def _between(text: str, begin: str, end: str, lines: Iterable[str]) -> str:
    """Return a text with other lines between the line that starts with `begin` and the next that starts with `end`."""
    head, _, rest = text.partition(f"\n{begin}")
    note, _, rest = rest.partition("\n")
    tail = rest[rest.index(end) :]
    return "\n".join((f"{head}\n{begin}{note}", *lines, tail))


def _strings(values: Iterable[str]) -> str:
    return f"[{', '.join(map(json.dumps, values))}]"


def _rules() -> str:
    every = rules()
    rows = (f"| [{r.name}](#{r.name}) | {r.title} | {_answers(r) or '–'} |" for r in every)
    table = "\n".join(("| rule | bottleneck | answered by |", "|---|---|---|", *rows))
    intro = (
        "# Bottleneck rules\n\n"
        "A rule reads facts about a variant and estimates the share of run time that its bottleneck explains, never more\n"
        "than the distance from the roofline. A rule whose facts are not known is skipped, with the reason.\n\n"
    )
    return f"{NOTE}\n{intro}{table}\n\n" + "\n".join(_rule(rule) for rule in every)


def _rule(rule: Rule) -> str:
    facts = "\n".join(f"- `{name}`: {_meaning(name)}" for name in rule.needs)
    optional = "".join(f"\n- `{name}` (if known): {_meaning(name)}" for name in rule.optional)
    told = rule.examples
    examples = "\n".join((*_examples("fires", told.fires), *_examples("stays silent", told.silent)))
    return (
        f"## {rule.name}\n\n**{rule.title}.**\n\n{_sections(rule.doc)}"
        f"### Facts\n\n{facts}{optional}\n\n### Examples\n\n{examples}\n"
    )


def _examples(verb: str, examples: Iterable[Example]) -> Iterator[str]:
    for example in examples:
        numbers = ", ".join(f"`{name}` {value:g}" for name, value in example.facts)
        share = f" for at least {100 * example.at_least:.0f} %" if verb == "fires" else ""
        yield f"- {verb}{share}: {example.text} ({numbers})"


def _techniques() -> str:
    every = techniques().values()
    asking = {t.name: [r.name for r in rules() if t.name in r.suggests or r.name in t.answers] for t in every}
    rows = (
        f"| [{t.name}](#{t.name}) | {t.category} | {t.title} | {_links(asking[t.name], 'rules.md')} |" for t in every
    )
    table = "\n".join(("| technique | works on | what it does | asked for by |", "|---|---|---|---|", *rows))
    intro = (
        "# Techniques\n\n"
        "A technique moves the parameters that carry its name as label, in any kernel. Each move predicts an interval of\n"
        "gain from the share of time that the finding explains; measured gains correct later predictions. Effects are time\n"
        "before over time after, each with its source: below 1 it was slower. `hotloop techniques show NAME --target gfx942`\n"
        "checks the preconditions on one processor.\n\n"
    )
    return f"{NOTE}\n{intro}{table}\n\n" + "\n".join(_technique(technique) for technique in every)


def _technique(technique: Technique) -> str:
    cases = "\n".join(_case(case) for case in technique.cases)
    return (
        f"## {technique.name}\n\n**{technique.title}.**\n\n{_sections(technique.doc)}"
        f"{_listed('Preconditions that are checked', (need.text for need in technique.requires))}"
        f"### Predicted effect\n\n{_effect(technique)}\n\n"
        f"{_listed('How to see that it worked', map(str, technique.signals))}"
        f"### Examples\n\n{cases}\n"
    )


def _effect(technique: Technique) -> str:
    least, most = (f"{100 * part:g} %" for part in technique.removes)
    believed = f"It is believed to remove {least} to {most} of the time that a finding explains."
    reported = "\n".join(f"- {_interval(effect)}: {effect.source}" for effect in technique.effects)
    return "\n\n".join(filter(None, (believed, reported)))


def _interval(effect: Effect) -> str:
    return f"{effect.low:g} times" if effect.low == effect.high else f"{effect.low:g} to {effect.high:g} times"


def _listed(heading: str, lines: Iterable[str]) -> str:
    rows = "\n".join(f"- {line}" for line in lines)
    return f"### {heading}\n\n{rows}\n\n" if rows else ""


def _case(case: Case) -> str:
    moves = "; ".join(f"`{change}`" for change in case.expects)
    return f"- {case.text}: {moves or 'no move'}"


def _sections(doc: Doc) -> str:
    return "".join(f"### {heading}\n\n{text}\n\n" for heading, text in doc.sections)


def _meaning(name: str) -> str:
    term = BY_NAME.get(name)
    if term is None:
        return name.partition(".")[2].replace("_", " ")
    return term.meaning if term.unit == "1" else f"{term.meaning} ({term.unit})"


def _answers(rule: Rule) -> str:
    """Return links to the techniques that answer a rule; a suggestion that nobody has written stays a word."""
    known = techniques()
    named = (_links([name], "techniques.md") if name in known else name for name in rule.suggests)
    others = _links((t.name for t in known.values() if rule.name in t.answers), "techniques.md")
    return ", ".join(filter(None, (*named, others)))


def _links(names: Iterable[str], page: str) -> str:
    return ", ".join(f"[{name}]({page}#{name})" for name in names)


if __name__ == "__main__":
    main()
