"""Bottleneck rules, one file each: explanation, condition and examples together."""
