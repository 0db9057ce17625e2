"""Stand-ins for packages that are not installed."""

from hotloop.compilers.absent import Meta, stand_in


def test_a_class_of_a_file_may_say_more_beside_its_bases():
    base = stand_in("package.Info")

    class Platform(base, frozen=True, kind="gpu"):
        here = 1

    assert isinstance(Platform, Meta)
    assert Platform.here == 1
