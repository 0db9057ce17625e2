"""Counters, formulas and architecture constants as data; every row names its source."""
