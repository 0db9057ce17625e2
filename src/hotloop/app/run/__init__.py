"""Optimizing, tuning, checking, comparing, benchmarking: everything that runs variants."""
