from hotloop.isa.patch.rules import Found, Obstacle, Refused, Unfit
from hotloop.report.code.patch import needs


def test_places_that_are_left_alone_are_counted_by_what_keeps_the_rule_from_them():
    outcome = Found(
        refused=[
            Refused("dot", 6, Unfit(Obstacle.ORIGIN, "0x10 is no register")),
            Refused("dot", 9, Unfit(Obstacle.ORIGIN, "v1 was not made by v_and_b32")),
            Refused("dot", 12, Unfit(Obstacle.NEEDED, "line 14 needs the result of line 12")),
        ]
    )
    assert list(needs([("dot", outcome)])) == [
        "rule dot fits by its text in 3 more ways and is not applied: 2 with another origin, 1 where a result is needed in between",
        "  line 6: 0x10 is no register",
    ]
