"""Names of counters: those that exist pass, in every form in which they can be asked for; others are told with what they resemble."""

import pytest

from hotloop.app.profile import plan as profile_plan
from hotloop.errors import UsageError
from hotloop.profiles.planning import known
from hotloop.profiles.planning.needed import default_counters
from hotloop.profiles.planning.plan import known_limits

LISTED = ("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950")


@pytest.mark.parametrize("architecture", LISTED)
def test_counters_of_metrics_are_known(architecture):
    known.check(default_counters(architecture), architecture)
    assert len(known.known(architecture)) > 200


@pytest.mark.parametrize("name", ["SQ_WAVES", "SQ_LEVEL_WAVES_ACCUM", "TCC_HIT_sum", "TCC_HIT[3]", "SQC_ICACHE_REQ"])
def test_every_form_of_a_known_counter_passes(name):
    known.check([name], "gfx942")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SQ_WAVEZ", r"^SQ_WAVEZ \(did you mean SQ_WAVES or .*\) is no counter of gfx942 .* --unlisted"),
        ("TCC_HITT_sum", r"TCC_HITT_sum \(did you mean TCC_HIT\b"),
        ("SQ_LEVEL_WAVE_ACCUM", r"\(did you mean SQ_LEVEL_WAVES\b"),
        ("TCC_EA_RDREQ_sum", r"\(did you mean TCC_EA0_RDREQ or"),  # of MI200: MI300 calls it TCC_EA0_RDREQ
        ("GRBM_0000000", r"^GRBM_0000000 is no counter"),
    ],
)
def test_what_is_not_known_is_told_with_what_it_resembles(name, words):
    with pytest.raises(UsageError, match=words):
        profile_plan.passes("gfx942", ("SQ_WAVES", name))
    assert name.removesuffix("_ACCUM") in str(profile_plan.passes("gfx942", (name,), unlisted=True).passes)


def test_many_unknown_names_are_one_sentence():
    with pytest.raises(UsageError, match=r"^SQ_QQ1, SQ_QQ2, SQ_QQ3 and 2 more are no counters of gfx90a"):
        known.check([f"SQ_QQ{n}" for n in range(1, 6)], "gfx90a")


def test_the_same_name_can_be_known_on_one_processor_only():
    known.check(["TCC_EA_RDREQ_sum"], "gfx90a")
    known.check(["TCC_EA0_RDREQ_sum"], "gfx950")
    with pytest.raises(UsageError, match="gfx90a"):
        known.check(["TCC_EA0_RDREQ_sum"], "gfx90a")


def test_what_was_added_later_is_known_on_top_of_the_nearest_that_was_recorded():
    known.check(["SQ_INSTS_LDS_LOAD", "SQ_WAVES", "GRBM_CP_BUSY"], "gfx950")
    with pytest.raises(UsageError, match="SQ_INSTS_LDS_LOAD "):
        known.check(["SQ_INSTS_LDS_LOAD"], "gfx942")


def test_without_a_list_nothing_is_refused():
    unlisted = {one.architecture for one in known_limits()} - set(LISTED)
    assert unlisted
    for architecture in unlisted:
        known.check(["SQ_WAVEZ"], architecture)
