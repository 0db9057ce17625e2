"""From counters, traces and reports to an explanation, in pure functions."""
