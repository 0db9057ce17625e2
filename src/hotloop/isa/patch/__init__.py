"""Patching a listing of an AMD GPU: rules, edits, moves and waits that go, each with the proof that registers allow it; pure."""
