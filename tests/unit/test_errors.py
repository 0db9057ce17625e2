from hotloop.errors import UnknownNameError


def test_a_name_in_other_letters_is_suggested():
    assert str(UnknownNameError("technique", "PAD", ("pad", "path"))).endswith("; did you mean pad?")
