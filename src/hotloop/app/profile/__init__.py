"""Collecting counters of a kernel or a program."""
