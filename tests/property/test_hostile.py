"""Hostile input: whatever a store, a worker or a kernel's name holds, it is shown or refused, never obeyed."""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib.util
import io
import json
import re
import sqlite3
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotloop.app.run.attempt import Attempt
from hotloop.errors import HotloopError
from hotloop.model.codec import decode, encode
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, Measured, Outcome, Sample
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.model.step import Step
from hotloop.model.trial import Trial
from hotloop.model.verdict import Comparison
from hotloop.ports import Dataset, Timed
from hotloop.report.pages.html import run as html
from hotloop.report.pages.markdown import run as markdown
from hotloop.report.run import json as json_report
from hotloop.report.run import terminal
from hotloop.report.view import build
from hotloop.store import Store, schema

SOURCE = Path(__file__).parents[2] / "src" / "hotloop"
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # a whole store is an argument
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# --- nothing is executed that came as data -----------------------------------------------------------------------------

EXECUTING_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
EXECUTING_CALLS = {"eval", "exec", "compile", "__import__"}
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "yaml.load"}
SWITCHES = {"shell", "allow_pickle"}
WORDS = re.compile(
    rf"(?<!\.)\b(?:{'|'.join((*EXECUTING_MODULES, *EXECUTING_CALLS, 'os', 'subprocess', 'yaml', *SWITCHES))})\b"
)
"""One of them is in every text that could execute data: only such texts are parsed."""

OWN_SOURCES = {
    # The user's kernel file, in a child process of its own, which the compiler may end: missing packages get stand-ins there.
    "compilers/loading.py: __import__",
    "compilers/loading.py: compile",
    "compilers/loading.py: exec",
    # One expression out of places and flags of a call, all of them numbers that hotloop counted.
    "dispatch/guarded.py: eval",
    # Formulas of instructions, texts of the package's own tables; nothing of a listing reaches them.
    "emulate/semantics/row.py: eval",
    # Runs the functions of a kernel source that is shipped in the package beside it; nothing from outside reaches it.
    "kernels/gemm/ladders/execute.py: compile",
    "kernels/gemm/ladders/execute.py: exec",
    # Values of compile-time parameters, as Python, in the worker that imports the candidate's source anyway.
    "drivers/jit.py: eval",
    # The text of a Triton or Gluon program, in the worker that runs its kernels, or hotloop's own in a user's process.
    "drivers/jit.py: compile",
    "drivers/jit.py: exec",
}
"""What executes code that is no data."""


def suspicious(text):
    """Yield what in a module could execute data: imports of unpicklers, eval, shells, pickled arrays, unsafe YAML."""
    for node in ast.walk(ast.parse(text)) if WORDS.search(text) else ():
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (name for name in names if name.partition(".")[0] in EXECUTING_MODULES)
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in EXECUTING_CALLS:
            yield node.func.id
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            called = f"{node.func.value.id}.{node.func.attr}"
            yield from [called] * (called in SHELLS)
        for keyword in node.keywords:
            if keyword.arg in SWITCHES and getattr(keyword.value, "value", None) is not False:
                yield keyword.arg


def test_no_module_executes_data():
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 100
    found = {f"{file.relative_to(SOURCE)}: {what}" for file in files for what in suspicious(file.read_text("utf-8"))}
    assert found - OWN_SOURCES == set()


@pytest.mark.parametrize(
    "bad",
    ["import pickle", "from marshal import loads", "eval(x)", "exec(x)", "os.system(x)", "run(x, shell=True)",
     "np.load(x, allow_pickle=True)", "yaml.load(x)", "import a.b, pickle.c", "from dill.x import y", "subprocess.getoutput(x)"],
)  # fmt: skip
def test_the_search_for_executed_data_finds_it(bad):
    assert list(suspicious(bad))


# --- JSON that a worker, a journal or a file gave -----------------------------------------------------------------------

texts = st.text(max_size=12) | st.sampled_from(
    ["is", "samples", "Measured", "../../etc/passwd", "\x1b[2J", "__class__"]
)
scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | texts
trees = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
KINDS = (Attempt, Outcome, Step, Comparison, Program, Timed, Artifact, Device, Dataset, Trial)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), trees)
def test_decoding_anything_gives_a_noun_or_one_kind_of_error(kind, data):
    try:
        decode(data, kind)
    except ValueError:
        return


def attempt():
    sample = Sample(wall_ns=1e6, calls=2, device_ns=None, cpu_ns=9e5)
    from hotloop.model.outcome import Conditions

    return Attempt(outcome=Measured(samples=(sample, sample), conditions=Conditions("f")), created="2030-01-01")


def places(data, at=()):
    """Yield the way to every value in a tree."""
    yield at
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*at, key))


def changed(data, at, value):
    if not at:
        return value
    copy = data.copy()
    copy[at[0]] = changed(data[at[0]], at[1:], value)
    return copy


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_attempt_is_an_attempt_or_one_kind_of_error(data):
    whole = json.loads(json.dumps(encode(attempt())))
    assert decode(whole, Attempt) == attempt()
    at = data.draw(st.sampled_from(list(places(whole))))
    try:
        found = decode(changed(whole, at, data.draw(trees)), Attempt)
    except ValueError:
        return
    assert isinstance(found, Attempt)


# --- stores ------------------------------------------------------------------------------------------------------------

cells = (
    scalars.filter(lambda v: not isinstance(v, int) or abs(v) < 2**63) | st.binary(max_size=8) | st.just("[" * 50_000)
)


@pytest.fixture(scope="module")
def whole_store(tmp_path_factory):
    from hotloop.model.finding import Gain
    from hotloop.store import Calibration, Winner

    path = tmp_path_factory.mktemp("hostile") / "store.sqlite"
    trial = Trial(
        family="f", problem="p", sizes=Config(m=1), implementation="i", config=Config(w=2), fingerprint="x", device="d",
        device_fingerprint="g", outcome=CompileFailed("log", 3), created="2030",
    )  # fmt: skip
    with Store.open(path) as store:
        with store.begin_run("tune", "{}", "t") as run:
            run.record("step 1", '{"elapsed_s": 1, "data": {}}')
            run.trial(trial)
        store.add_winner(
            Winner(
                family="f",
                problem="p",
                sizes=Config(m=1),
                device="d",
                device_fingerprint="g",
                implementation="i",
                config=Config(w=2),
                call_ns=5.0,
                run=run.id,
            )
        )
        store.add_calibration(
            Calibration(
                technique="t", rule="r", target="x", predicted=Gain(1, 2), measured=1.5, verdict="FASTER", run=run.id
            )
        )
    return path.read_bytes()


def read_everything(store):
    for info in store.runs():
        store.journal_entries(info.id)
        store.run(info.id)
    store.trials()
    store.all_best()
    store.winners_near("f", "d")
    store.calibration()


CELLS = [(table.name, column.name) for table in schema.metadata.sorted_tables for column in table.c]


@settings(FEW, max_examples=80)
@given(cell=st.sampled_from(CELLS), value=cells)
def test_any_value_in_any_cell_of_a_store_is_read_or_refused_in_one_sentence(whole_store, tmp_path, cell, value):
    path = tmp_path / "store.sqlite"
    path.write_bytes(whole_store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        value = value.encode("utf-8", "surrogatepass") if isinstance(value, str) and not value.isprintable() else value
        try:
            connection.execute(f"UPDATE {cell[0]} SET {cell[1]} = ?", (value,))
        except sqlite3.IntegrityError:
            return  # SQLite itself refuses it
        connection.commit()
    refused(path)


@settings(FEW, max_examples=60)
@given(
    damage=st.lists(st.tuples(st.floats(0, 0.9999), st.integers(0, 255)), max_size=20),
    length=st.sampled_from([1.0, 0.9999, 0.5, 0.05, 0.001]),
)
def test_any_damaged_bytes_of_a_store_are_read_or_refused_in_one_sentence(whole_store, tmp_path, damage, length):
    path = tmp_path / "store.sqlite"
    damaged = bytearray(whole_store)
    for place, byte in damage:
        damaged[int(place * len(damaged))] = byte
    path.write_bytes(damaged[: round(length * len(damaged))])
    refused(path)


def refused(path):
    """Read a damaged store; every complaint is one of hotloop's sentences."""
    for read_only in (True, False):
        try:
            with Store.open(path, read_only=read_only, busy_timeout_s=0.1) as store:
                read_everything(store)
        except HotloopError as error:
            one_sentence(str(error))


def one_sentence(text):
    assert "\n" not in text
    assert text.endswith(".")
    assert len(text) < 1000


# --- reports -----------------------------------------------------------------------------------------------------------

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "</style></title><h1>owned</h1>",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "abc\r\x08\x08\x00\x7fdef",
    "\u202egnp.exe\u2066",
    "`` ``` | a | [link](http://x) ![i](x) # head\n# head\n- item\n<b>",
    "$(reboot) `reboot` ; rm -rf /",
    "../../../../etc/passwd",
    "[bold red]markup[/bold red] [link=http://x]y[/link]",
    "\ud800 lone surrogate",
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
TAGS = frozenset(
    """html head meta title link style body header footer main section nav figure figcaption svg g path rect circle line
    text tspan use defs desc h1 h2 h3 h4 p ul ol li dl dt dd div span a b i em strong code pre small table thead tbody tr
    th td caption details summary br hr abbr time polyline polygon symbol marker clippath mark sub sup""".split()  # noqa: SIM905
)


def record_of_a_run():
    """Return the run that the report's own tests use."""
    file = Path(__file__).parents[1] / "unit" / "report" / "conftest.py"
    spec = importlib.util.spec_from_file_location("report_conftest", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.record.__wrapped__()


def hostile(value, payload):
    """Return a noun with a payload in front of every text, enumerations left alone."""
    if isinstance(value, enum.Enum) or value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return payload + value
    if isinstance(value, Config):
        return Config({f"{payload}{key}": hostile(item, payload) for key, item in value.items()})
    if isinstance(value, tuple):
        return tuple(hostile(item, payload) for item in value)
    if dataclasses.is_dataclass(value):
        fields = {
            field.name: hostile(getattr(value, field.name), payload)
            for field in dataclasses.fields(value)
            if field.init and (type(value).__name__, field.name) not in MEANINGFUL
        }
        return dataclasses.replace(value, **fields)
    return value


MEANINGFUL = {
    ("Conditions", "clock"), ("Fact", "name"), ("Finding", "rule"), ("Device", "kind"),
}  # fmt: skip
"""Texts that hotloop itself chooses and that select what is computed."""


@pytest.fixture(scope="module")
def benign():
    return record_of_a_run()


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.text.append(data)


def seen(text):
    page = Page()
    page.feed(text)
    return page


@pytest.mark.parametrize("payload", PAYLOADS)
def test_html_shows_untrusted_text_and_obeys_none_of_it(benign, payload):
    plain, page = seen(html.render(build(benign))), seen(html.render(build(hostile(benign, payload))))
    assert set(page.tags) <= TAGS
    assert set(page.tags) == set(plain.tags)
    assert page.tags.count("h1") == plain.tags.count("h1")
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    links = [value for name, value in page.attributes if name in ("href", "src", "xlink:href", "action")]
    assert all(re.fullmatch(r"#[\w-]*|data:,", value or "") for value in links)
    assert not CONTROLS.search("".join(page.text))
    assert not any(CONTROLS.search(value or "") for _, value in page.attributes)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markdown_shows_untrusted_text_and_obeys_none_of_it(benign, payload):
    from markdown_it import MarkdownIt

    text = markdown.render(build(hostile(benign, payload)))
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    plain = [token for token in reader.parse(markdown.render(build(benign))) if token.type == "heading_open"]
    tokens = reader.parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inner)}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "s_open"}
    headings = [token for token in tokens if token.type == "heading_open"]
    assert [token.tag for token in headings] == [token.tag for token in plain]
    assert not CONTROLS.search(text)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("colour", [None, "truecolor"])
def test_the_terminal_shows_untrusted_text_and_obeys_none_of_it(benign, payload, colour):
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour is not None, color_system=colour, width=100, highlight=False, markup=False,
        emoji=False, legacy_windows=False,
    )  # fmt: skip
    console.print(terminal.render(build(hostile(benign, payload))))
    styles_removed = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()) if colour else out.getvalue()
    assert not CONTROLS.search(styles_removed)
    assert "\x1b]" not in out.getvalue()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_json_is_json(benign, payload):
    made = json.dumps(json_report.render(build(hostile(benign, payload))), allow_nan=False)
    assert json.loads(made)["format"] == "hotloop-report"


@FEW
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_log_and_any_name_can_be_reported(benign, log, name):
    steps = (
        dataclasses.replace(benign.steps[0], change=name, reason=log),
        *benign.steps[1:-1],
        dataclasses.replace(benign.steps[-1], outcome=Crashed("execute", 11, log), config=Config({name: name})),
    )
    view = build(dataclasses.replace(benign, steps=steps, title=name))
    page = seen(html.render(view))
    assert set(page.tags) <= TAGS
    assert not CONTROLS.search("".join(page.text))
    markdown.render(view).encode()


# --- a whole run of a kernel with hostile names ------------------------------------------------------------------------

HOSTILE_KERNEL = """
import importlib.util
from dataclasses import replace

from hotloop import api
from hotloop.model.problem import Problem
from hotloop.model.program import Program

spec = importlib.util.spec_from_file_location("plain_kernel", {plain!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
made = api.DEFINED.pop()
family = {family!r}
implementation = replace(made.implementations[0], name=family)
api.DEFINED.append(
    replace(made, family=family, problem=Problem(family, made.problem.sizes), implementations=(implementation,))
)
"""


@pytest.mark.parametrize("family", ["../../../outside/<script>\x1b[2J\u202e", "a\nb|c`d`\x00$(touch outside)"])
def test_a_kernel_with_a_hostile_name_writes_only_where_it_is_told(tmp_path, family):
    import os
    import subprocess
    import sys

    home, temporary = tmp_path / "a" / "b" / "c", tmp_path / "tmp"
    home.mkdir(parents=True)
    temporary.mkdir()
    kernel = tmp_path / "kernel.py"
    kernel.write_text(HOSTILE_KERNEL.format(plain=str(SOURCE.parents[1] / "tests/loop/null_kernel.py"), family=family))
    before = set(tmp_path.rglob("*"))
    command = [sys.executable, "-m", "hotloop", "optimize", str(kernel), "--store", "store.sqlite", "--quiet",
               "--budget", "20", "--no-peers", "--html", "page.html", "--markdown", "page.md"]  # fmt: skip
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    environment |= {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    ended = subprocess.run(command, cwd=home, env=environment, capture_output=True, timeout=200, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    made = {str(path.relative_to(tmp_path)) for path in set(tmp_path.rglob("*")) - before}
    allowed = {"a/b/c/store.sqlite", "a/b/c/page.html", "a/b/c/page.md"}
    assert {path for path in made if not path.startswith(("cache", "data"))} == allowed
    assert not CONTROLS.search(ended.stdout.decode())
    page = seen((home / "page.html").read_text("utf-8"))
    assert set(page.tags) <= TAGS
    assert not CONTROLS.search((home / "page.md").read_text("utf-8"))
    with Store.open(home / "store.sqlite", read_only=True) as store:
        assert store.runs()[0].state == "finished"
        assert {trial.family for trial in store.trials()} == {family}
