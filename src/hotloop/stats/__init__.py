"""Statistics of timings: summaries, paired comparison, sequential stopping; pure functions of numbers."""
