"""Counters and traces that profilers write, read as evidence; parsing is apart from running a tool."""
