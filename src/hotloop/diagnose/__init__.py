"""From evidence to findings: rules that cite what they saw, say what it costs, and name the techniques that answer it.

`rule` is the form of a rule, `engine` evaluates all of them, and each module of `rules` is one rule.
"""
