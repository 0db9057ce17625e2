"""Configuration search: enumerating and repairing configurations, and asking for the next one to try.

`grid` gives configurations integer coordinates, `catalogue` lists the valid ones, `neighbours` and `repair` move
between them, `strategy` is the ask/tell protocol, and each module of `strategies` is one way to search.
"""
