"""The documentation says what is true: verbs, examples, links, paths, layers, settings, and the commands of the README."""

from __future__ import annotations

import configparser
import re
import runpy
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import numpy as np
import pytest
from markdown_it import MarkdownIt

from hotloop import registry
from hotloop.app import spec, userfile
from hotloop.cli.main import COMMANDS, hotloop
from hotloop.diagnose.engine import rules
from hotloop.host import settings
from hotloop.metrics.vocabulary import TERMS
from hotloop.model.program import Program
from hotloop.techniques.moves import techniques
from hotloop.version import VERSION

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
VERBS = [name.replace("_", "-") for name in registry.names(COMMANDS)]
RECORD_SECTIONS = ["Context", "Decision", "Cost", "How we would know that it is wrong"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def verb(name: str) -> click.Command:
    return registry.load(COMMANDS, name.replace("-", "_"), "COMMAND")


def blocks(page: Path, language: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info == language]


def links(page: Path) -> list[str]:
    """Targets of links and pictures, code left out."""
    inline = [t for t in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")) if t.children]
    attributes = [child.attrs for token in inline for child in token.children]
    return [str(found[key]) for found in attributes for key in ("href", "src") if key in found]


def anchors(page: Path) -> set[str]:
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(text: str) -> list[list[str]]:
    """Every call of hotloop in a console block or among the examples of an epilog, as arguments."""
    found = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        for start, word in enumerate(words):
            if word.rpartition("/")[2] == "hotloop" and (start == 0 or words[start - 1] == "&&"):
                rest = words[start + 1 :]
                ends = [i for i, w in enumerate(rest) if w in ("&&", ">", ">>", "|")]
                found.append(rest[: min(ends, default=len(rest))])
    return found


def parses(arguments: list[str]) -> None:
    """Raise click's usage error unless verb and options exist and their values have the right form."""
    with hotloop.make_context("hotloop", list(arguments), resilient_parsing=False) as context:
        if arguments[0].startswith("-"):
            return
        name, command, rest = hotloop.resolve_command(context, list(arguments))
        assert name in VERBS
        assert command is not None
        command.make_context(name, rest, parent=context)


# --- verbs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VERBS)
def test_verb_has_help_and_examples(name):
    command = verb(name)
    assert command.name == name
    assert (command.help or "").strip().endswith(".")
    assert "Examples:" in (command.epilog or "")
    # What an example does follows after two spaces; the documentation page writes it behind a #.
    examples = commands("\n".join(re.split(r"(?<=\S) {2,}", line.strip())[0] for line in lines(command)))
    assert examples
    assert any(example[0] == name for example in examples)
    for example in examples:
        parses(example)


def lines(command: click.Command) -> list[str]:
    return [line for line in (command.epilog or "").splitlines() if line.strip().startswith("hotloop ")]


def test_variants_of_families_in_help_and_documentation_exist():
    """All that is printed for pasting: a configuration that a later constraint rules out is a defect of the page."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    text = "\n".join((*sources, *(page.read_text(encoding="utf-8") for page in PAGES)))
    names = "|".join((*userfile.families(), "conv3d"))
    told = {found[0].rstrip(".,") for found in re.finditer(rf"\b(?:{names})@[\w=,.-]*\w", text)}
    assert len(told) > 5
    for variant in (spec.parse(one) for one in told):
        if not variant.best:
            userfile.starting(variant.kernel, variant.implementation, dict(variant.changes))


@pytest.mark.parametrize("name", VERBS)
def test_every_option_says_what_it_does(name):
    options = [p for p in verb(name).params if isinstance(p, click.Option)]
    assert all(option.help for option in options), [o.name for o in options if not o.help]


@pytest.mark.parametrize(
    ("name", "page"), sorted(runpy.run_path(str(ROOT / "docs" / "executed.py"))["pages"]().items())
)
def test_the_ladders_pages_say_what_was_executed(name, page):
    assert read(f"docs/ladders/{name}") == page, f"docs/ladders/{name} is stale: run python docs/executed.py"
    assert " rungs executed on a CPU by `hotloop emulate` in two orders" in page


def test_command_line_page_is_up_to_date():
    fresh = runpy.run_path(str(ROOT / "docs" / "reference.py"))["page"]()
    assert read("docs/cli.md") == fresh, "docs/cli.md is stale: run python docs/reference.py"
    assert all(f"\n## {name}\n" in fresh for name in VERBS)
    assert all(f"`{setting.name}`" in fresh for setting in settings.ALL)


def test_options_of_unknown_names_are_noticed():
    with pytest.raises(click.UsageError):
        parses(["optimize", "gemm", "--no-such-option"])
    with pytest.raises(click.UsageError):
        parses(["no-such-verb"])


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_commands_on_the_page_parse(name):
    for block in blocks(ROOT / name, "console"):
        for arguments in commands(block):
            parses(arguments)


@pytest.mark.parametrize("name", NAMES)
def test_links_resolve(name):
    page = ROOT / name
    for link in links(page):
        if re.match(r"https?://", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


@pytest.mark.parametrize("name", NAMES)
def test_paths_that_the_page_names_exist(name):
    named = re.findall(r"`((?:src|tests|docs|benchmarks|examples|\.ci)/[\w./<>-]*)`", read(name))
    missing = [path for path in named if "<" not in path and not (ROOT / path).exists()]
    assert not missing


def test_every_rule_and_technique_has_a_section():
    assert all(f"\n## {rule.name}\n" in read("docs/rules.md") for rule in rules())
    assert all(f"\n## {name}\n" in read("docs/techniques.md") for name in techniques())


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("docs/decisions/")])
def test_decision_records_have_their_parts(name):
    parts = re.findall(r"^## (.*)$", read(name), re.MULTILINE)
    assert [part for part in parts if part != "Evidence"] == RECORD_SECTIONS


@pytest.mark.parametrize("picture", sorted((ROOT / "docs" / "img").glob("*.svg")), ids=lambda path: path.name)
def test_pictures_are_self_contained(picture):
    root = ET.parse(picture).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label")
    assert not [e for e in root.iter() if e.tag.endswith(("script", "image", "foreignObject"))]
    assert "url(http" not in picture.read_text(encoding="utf-8")


# --- the README and the kernel file ----------------------------------------------------------------------------------


def marked(name: str) -> str:
    found = re.search(f"<!-- {name}:begin -->\n```console\n(.*)\n```\n<!-- {name}:end -->", read("README.md"))
    assert found, f"README.md has no one-line block {name!r}"
    return found[1]


def test_the_two_commands_use_extras_that_exist():
    extras = read("pyproject.toml").partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    for name, last in (
        ("run", ".venv/bin/hotloop optimize gemm"),
        ("test", ".venv/bin/pytest -n auto --dist loadfile"),
    ):
        make, install, use = marked(name).split(" && ")
        assert make == "python3 -m venv .venv"
        extra = re.fullmatch(r"\.venv/bin/pip install -e '\.\[(\w+)\]'", install)
        assert extra
        assert f"\n{extra[1]} = [" in extras
        assert use == last


def test_ci_runs_the_commands_of_the_readme():
    script = read(".ci/run")
    assert 'run_line=$(readme run "$user")' in script
    assert 'test_line=$(readme test "$venv")' in script
    assert script.rstrip().endswith('bash -c "${test_line##* && }"')


def test_readme_names_the_verbs_and_has_an_output():
    text = read("README.md")
    shown = {arguments[0] for line in re.findall(r"`(hotloop [^`]*)`", text) for arguments in commands(line)}
    assert set(VERBS) - {"completion"} <= shown
    assert re.search(r"<!-- output:begin -->.*```.*<!-- output:end -->", text, re.DOTALL)


def test_the_kernel_file_of_the_page_is_one(tmp_path):
    page = ROOT / "docs" / "kernel-file.md"
    (tmp_path / "saxpy.py").write_text(blocks(page, "python")[0])
    (tmp_path / "saxpy.cl").write_text(blocks(page, "c")[0])
    kernel = userfile.load(tmp_path / "saxpy.py")
    inputs = dict(kernel.inputs(kernel.problem, np.random.default_rng(1)))
    x, y = inputs["x"], inputs["y"]
    np.testing.assert_allclose(kernel.reference(kernel.problem, inputs)["y"], 2.0 * x.astype("f8") + y)
    variant = userfile.starting(kernel, changes={"ITEMS": 4})
    program = variant.program(kernel.problem, None)
    assert isinstance(program, Program)
    assert program.launches[0].global_size == (kernel.problem.sizes["n"] // 4,)
    assert "-DITEMS=4" in program.options


def test_the_kernel_page_lists_labels_and_traits():
    text = read("docs/kernel-file.md")
    assert all(f"`{name}`" in text for name in techniques())
    traits = {term.name for term in TERMS if term.name.startswith("config.")}
    assert set(re.findall(r"^\| `(config\.\w+)` \|", text, re.MULTILINE)) == traits


# --- architecture and changes ----------------------------------------------------------------------------------------


def test_layers_are_those_that_the_linter_proves():
    parser = configparser.ConfigParser()
    parser.read_string(read(".importlinter"))
    proved = parser["importlinter:contract:layers"]["layers"].split("\n")[1:]
    drawn = blocks(ROOT / "ARCHITECTURE.md", "text")[0].splitlines()
    assert [re.split(r" {2,}", line)[0] for line in drawn] == [layer.strip() for layer in proved]


def test_plug_in_packages_of_the_recipes_exist():
    table = read("ARCHITECTURE.md").partition("## Where do I add")[2].partition("## Nouns")[0]
    for folder, attribute in re.findall(r"`src/(hotloop/[\w/]+)/`[^|]*\| `([A-Z]+)` \|", table):
        package = folder.replace("/", ".")
        for name in registry.names(package):
            module = ROOT / "src" / folder / f"{name}.py"
            source = module if module.exists() else ROOT / "src" / folder / name / "__init__.py"
            if (folder, name) != ("hotloop/kernels", "ceiling"):
                assert re.search(rf"^(def )?{attribute}\b", source.read_text(), re.MULTILINE), (folder, name)


def test_changelog_knows_this_version():
    assert f"## [{VERSION}]" in read("CHANGELOG.md")
