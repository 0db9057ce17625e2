"""Patching machine code: a recipe on a listing, assembled, compared with what it was, and proven equal by execution."""
