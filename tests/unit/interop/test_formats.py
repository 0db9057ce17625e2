"""Other tools' formats: what is read and written again says the same, whatever it holds."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.interop import format as formats
from hotloop.interop import written
from hotloop.interop.formats import clblast, kerneltuner, moe, t1, t4, tunableop
from hotloop.interop.recording import STATES, FormatError, Measurement, Recording

SPACES = Path(__file__).resolve().parents[4] / "shared" / "spaces"
NAMES = st.sampled_from(["block_size_x", "TILE", "VW", "use_padding", "a b", "größe"])
SCALARS = st.one_of(
    st.integers(-(2**40), 2**40), st.booleans(), st.text(max_size=6), st.floats(allow_nan=False, allow_infinity=False)
)
TIMES = st.floats(1e-9, 1e9)
REST = st.dictionaries(st.sampled_from(["compile_time", "GFLOP/s", "clock"]), SCALARS, max_size=2)


@st.composite
def caches(draw):
    """Draw a document as Kernel Tuner writes it."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    rows = {}
    for _ in range(draw(st.integers(0, 5))):
        row = {name: draw(SCALARS) for name in names}
        key = ",".join(str(row[name]) for name in names)
        if draw(st.booleans()):
            row |= {"time": draw(TIMES), "times": draw(st.lists(TIMES, max_size=3))}
        else:
            error = draw(
                st.sampled_from(
                    ["InvalidConfig", "CompilationFailedConfig", "RuntimeFailedConfig", "ComputationFailed"]
                )
            )
            row |= draw(st.sampled_from([{"time": error, "__error__": error}, {"time": error}, {"__error__": error}]))
        rows[key] = {**row, **draw(REST)}
    params = {name: draw(st.lists(SCALARS, max_size=3)) for name in names}
    head = {
        "device_name": "d",
        "kernel_name": "k",
        "problem_size": draw(st.sampled_from([7, [4096, 4096]])),
        "objective": "time",
    }
    return {**head, **draw(REST), "tune_params_keys": names, "tune_params": params, "cache": rows}


@st.composite
def results(draw):
    """Draw a T4 document."""
    row = st.fixed_dictionaries(
        {
            "configuration": st.dictionaries(NAMES, SCALARS, min_size=1, max_size=3),
            "times": st.fixed_dictionaries({}, optional={"runtimes": st.lists(TIMES, max_size=3), "framework": TIMES}),
            "invalidity": st.sampled_from(STATES),
            "correctness": st.sampled_from([0, 1]),
        },
        optional={
            "timestamp": st.just("2030-01-01T00:00:00"),
            "objectives": st.just(["time"]),
            "measurements": st.lists(
                st.fixed_dictionaries(
                    {"name": st.sampled_from(["time", "dram"]), "value": TIMES, "unit": st.just("ms")}
                ),
                max_size=2,
            ),
        },
    )
    head = draw(st.sampled_from([{}, {"metadata": {"timeunit": "microseconds", "device": "x"}}]))
    return {"schema_version": "1.1.0", **head, "results": draw(st.lists(row, max_size=4))}


@settings(max_examples=60, deadline=None)
@given(caches())
def test_a_cache_of_kernel_tuner_comes_back(document):
    assert json.loads(kerneltuner.write(kerneltuner.read(json.dumps(document)))) == document


@settings(max_examples=60, deadline=None)
@given(results())
def test_t4_results_come_back(document):
    assert json.loads(t4.write(t4.read(json.dumps(document)))) == document


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.dictionaries(NAMES, SCALARS, min_size=1), TIMES, REST), max_size=4), REST)
def test_what_a_tuner_of_clblast_wrote_comes_back(rows, head):
    made = [{**rest, "parameters": config, "time": time} for config, time, rest in rows]
    document = {"kernel_family": "xgemm_1", "clblast_device_name": "d", "arg_m": "1024", **head, "results": made}
    assert json.loads(clblast.write(clblast.read(json.dumps(document)))) == document


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.integers(1, 10**6).map(str), st.dictionaries(NAMES, SCALARS), max_size=4), st.booleans())
def test_fused_moe_configurations_come_back(rows, newer):
    document = {**({"triton_version": "3.4.0"} if newer else {}), **rows}
    assert json.loads(moe.write(moe.read(json.dumps(document)))) == document


LINE = st.tuples(
    st.sampled_from(
        ["GemmTunableOp_float_NT", "GemmAndBiasTunableOp_BFloat16_TN", "ScaledGemmTunableOp_Float8_e4m3fnuz_TN"]
    ),
    st.sampled_from(["nt_4096_64_32", "tn_1_2_3_ld_3_3_1", "nn_odd"]),
    st.sampled_from(["Default", "Gemm_Rocblas_21", "1219"]),
    st.lists(TIMES.map(repr), max_size=2),
).map(lambda row: ",".join([*row[:3], *row[3]]))


@settings(max_examples=30, deadline=None)
@given(st.lists(LINE, min_size=1, max_size=5), st.sampled_from(["", "\n"]))
def test_tunableop_results_come_back_to_the_letter(lines, end):
    text = "\n".join(["Validator,PT_VERSION,2.8.0", "Validator,GCN_ARCH_NAME,gfx942:sramecc+:xnack-", *lines]) + end
    assert tunableop.recognises(text)
    assert tunableop.write(tunableop.read(text)) == text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1, 2, 4]", [1, 2, 4]),
        ("(1, -2)", [1, -2]),
        ("['a', True, 1.5]", ["a", True, 1.5]),
        ("list(range(1, 9))", list(range(1, 9))),
        ("range(16, 49, 16)", [16, 32, 48]),
        ("[2**i for i in range(0, 4)]", [1, 2, 4, 8]),
        ("[32 * i for i in [1, 2]]", [32, 64]),
        ("list(-i for i in range(2))", [0, -1]),
        ("[1, 2, 4, 8, 16] + list(range(32, 1024 + 1, 496))", [1, 2, 4, 8, 16, 32, 528, 1024]),
        ("[1] + [2*i for i in range(1,3)] + [9]", [1, 2, 4, 9]),
        ("[*range(2), 7]", [0, 1, 7]),
    ],
)
def test_values_are_read_as_their_authors_write_them(text, values):
    assert written.values(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "[(-8) ** 0.5]",
        "",
        "7",
        "range(10**9)",
        "[9**9**9**9]",
        "[1 << 10**9]",
        "[1/0]",
        "[x for x in y]",
        "[open('f')]",
        "[().__class__]",
        "list(range('a'))",
        "[i for i in range(3) if i]",
        "['a' * i for i in range(3)]",
        "range(1)()",
        "[1] + 2",
        "[1] * 3",
        "[*'ab']",
    ],
)
def test_what_is_no_list_of_values_is_refused_and_nothing_is_executed(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the sentence is the caller's
        written.values(text)


def test_a_t1_space_comes_back_and_its_values_are_numbers():
    document = {
        "General": {"BenchmarkName": "conv"},
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "x", "Type": "int", "Values": "[1, 2, 4]", "Default": 1},
                {"Name": "y", "Type": "float", "Values": [0.5, 1], "Default": 1},
            ],
            "Conditions": [{"Expression": "x * y >= 1", "Parameters": ["x", "y"]}],
        },
        "KernelSpecification": {"KernelName": "k", "ProblemSize": [8, 8], "Arguments": []},
    }
    read = t1.read(json.dumps(document))
    assert json.loads(t1.write(read)) == document
    assert dict(read.parameters) == {"x": (1, 2, 4), "y": (0.5, 1)}
    assert t1.conditions(read) == ("x * y >= 1",)


@pytest.mark.skipif(not SPACES.is_dir(), reason="recorded spaces are not beside this repository")
@pytest.mark.parametrize("name", ["hubold-pnpoly-RTX_Titan", "hub-conv-A6000", "ktt-coulomb3d-RTX2080Ti"])
def test_recorded_spaces_come_back(name):
    text = gzip.decompress((SPACES / f"{name}.json.gz").read_bytes()).decode()
    read = formats.read(text, name)
    assert read.format == "kernel-tuner"
    document = json.loads(text)
    assert json.loads(kerneltuner.write(read)) == document
    assert len(read.measurements) == len(document["cache"])
    times = [row["time"] for row in document["cache"].values() if "__error__" not in row]
    assert read.time_ns(read.best) == pytest.approx(1e6 * min(times))


MADE = Recording(
    format="",
    kernel="gemm",
    device="some GPU",
    problem={"m": 64},
    unit="nanoseconds",
    measurements=(
        Measurement({"VW": 4, "WG": 64}, "correct", 2e6, (2e6, 2.5e6)),
        Measurement({"VW": 8, "WG": 64}, "compile"),
        Measurement({"VW": 1, "WG": 64}, "timeout"),
    ),
)


@pytest.mark.parametrize("name", ["kernel-tuner", "t4"])
def test_what_was_made_here_is_read_as_the_same(name):
    chosen = formats.named(name)
    text = chosen.write(MADE)
    assert chosen.recognises(text)
    read = formats.read(text, "x")
    assert read.format == name
    assert [dict(one.config) for one in read.measurements] == [dict(one.config) for one in MADE.measurements]
    assert read.time_ns(read.measurements[0]) == pytest.approx(2e6)
    assert [one.state == "correct" for one in read.measurements] == [True, False, False]
    assert read.values() == {"VW": (4, 8, 1), "WG": (64,)}


def test_repeats_that_have_no_time_are_left_out():
    """NaN becomes null in JSON, and older tools write 1e20 for a repeat that failed."""
    row = {"configuration": {"x": 1}, "times": {"runtimes": [2.0, None, 4.0, 1e20]}, "invalidity": "correct"}
    (read,) = t4.read(json.dumps({"results": [row]})).measurements
    assert (read.time, read.times) == (3.0, (2.0, 4.0))
    cache = {"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 2.0, "times": [None, 2.0, float("inf")]}}}
    assert kerneltuner.read(json.dumps(cache)).measurements[0].times == (2.0,)


def test_the_unit_of_a_whole_file_may_be_abbreviated():
    row = {"configuration": {"x": 1}, "times": {"runtimes": [2.0]}, "invalidity": "correct"}
    read = t4.read(json.dumps({"metadata": {"timeunit": "us"}, "results": [row]}))
    assert read.time_ns(read.measurements[0]) == 2e3


def test_a_cache_that_is_written_can_be_read():
    """Of configurations without a time a cache was written that has none, which no reader takes."""
    chosen = replace(MADE, measurements=(Measurement({"VW": 4, "WG": 64}), *MADE.measurements))
    assert len(kerneltuner.read(kerneltuner.write(chosen)).measurements) == 3
    with pytest.raises(FormatError, match="nothing in it has a time"):
        kerneltuner.write(moe.read('{"1": {"BLOCK_SIZE_M": 16}}'))


def test_clblast_is_told_milliseconds_and_only_what_was_timed():
    written = json.loads(clblast.write(MADE))
    assert written["results"] == [{"parameters": {"VW": 4, "WG": 64}, "time": pytest.approx(2.0)}]
    assert written["clblast_device_name"] == "some GPU"
    assert written["arg_m"] == "64"


def test_a_cache_whose_session_was_killed_is_read():
    whole = kerneltuner.write(MADE)
    cut = whole[: whole.rindex("}}")] + ",\n"
    assert len(kerneltuner.read(cut).measurements) == 3


@pytest.mark.parametrize("end", ["", "\n", ",\n"])
def test_a_killed_sessions_cache_is_read_where_its_last_value_is_an_object(end):
    """Its text ends in two brackets as a whole one does; they close the value and the entry."""
    whole = json.dumps(cache({"time": 1.0}, {"time": 2.0, "object": {}}))
    cut = whole.removesuffix("}}")
    assert cut.endswith("}}")
    assert [each.time for each in kerneltuner.read(cut + end).measurements] == [1.0, 2.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no format that hotloop can import"),
        ("[1, 2]", "no format that hotloop can import"),
        ('{"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": 5}}', "entry 1 is no object"),
        ('{"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": {"time": 3}}}', "has no x"),
        ('{"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": {"x": 1}}}', "has no time"),
        ('{"tune_params_keys": ["x"], "cache": {"1": ', "is no JSON"),
        ('{"results": [{"configuration": {}, "invalidity": "odd"}]}', "invalidity 'odd' is none of"),
        ('{"results": 7, "x": [{"configuration": {}, "invalidity": "odd"}]}', "results is no list"),
        ('{"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": "os.system()"}]}}', "are no list"),
        ("Validator,A,B\nGemmTunableOp_float_NT,nt_1_1_1", "line 2 has 2 fields"),
        ("Validator,A,B\nGemmTunableOp_float_NT,nt_1_1_1,Default,soon", "the time 'soon' is no number"),
    ],
)
def test_what_is_no_such_file_is_told_in_one_sentence(text, said):
    with pytest.raises(FormatError, match=said) as told:
        formats.read(text, "file.json")
    assert str(told.value).startswith("file.json")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("to", "said"), [("fused-moe", "number of tokens"), ("tunableop", "solutions of PyTorch"), ("odd", "no format")]
)
def test_what_a_format_cannot_hold_is_told(to, said):
    with pytest.raises(FormatError, match=said):
        formats.named(to).write(MADE)


def test_every_format_refuses_the_others_files():
    texts = {
        "kernel-tuner": kerneltuner.write(MADE),
        "t4": t4.write(MADE),
        "clblast": clblast.write(MADE),
        "t1": t1.write(MADE),
        "fused-moe": '{"1": {"BLOCK_SIZE_M": 16}}',
        "tunableop": "Validator,PT_VERSION,2.2.0\nGemmTunableOp_float_NT,nt_1_1_1,Default,1.0\n",
    }
    assert set(texts) == {one.name for one in formats.formats()}
    for name, text in texts.items():
        assert [one.name for one in formats.formats() if one.recognises(text)] == [name]


def cache(*rows, **head):
    keyed = {str(index): {"B": index, **row} for index, row in enumerate(rows)}
    return {"kernel_name": "k", "tune_params_keys": ["B"], "tune_params": {"B": [0, 1]}, **head, "cache": keyed}


@pytest.mark.parametrize(
    "document",
    [
        cache({"time": 1.0}, device_name="d"),  # no problem size
        cache({"times": [2.0], "extra": 1, "time": 2.0}, {"time": float("inf")}, note=None, problem_size=None),
        {
            "metadata": {"timeunit": "milliseconds"},
            "results": [{"timestamp": "", "configuration": {"B": 1}, "times": {}, "invalidity": "correct"}],
            "schema_version": "1.0.0",
        },
        {"16": {"BLOCK_SIZE_M": 16}, "32": None, "triton_version": "3.5.0", "64": {"BLOCK_SIZE_M": 32}},
    ],
)
def test_what_a_file_lacks_and_its_order_come_back_to_the_letter(document):
    text = json.dumps(document)
    read = formats.read(text, "file")
    assert json.dumps(json.loads(formats.named(read.format).write(read))) == text


@pytest.mark.parametrize("never", [float("inf"), float("nan"), 1e20, 0.0, -1.0])
def test_what_no_time_is_wins_nothing_and_is_not_written_as_one(never):
    """Kernel Tuner wrote 1e20 for a failure, TunableOp writes inf beside a default that nothing was timed against."""
    read = kerneltuner.read(json.dumps(cache({"time": never}, {"time": 2.0})))
    assert [each.state for each in read.measurements] == ["runtime", "correct"]
    assert read.best.config == {"B": 1}
    assert "RuntimeFailedConfig" in kerneltuner.write(t4.read(t4.write(read)))
    chosen = tunableop.read(f"GemmTunableOp_Half_TN,tn_4_4_4,Default,{never!r}\n")
    assert chosen.measurements[0].time is None
    assert chosen.best is None
