"""Executing AMD code on this machine's CPU: what is run, with which arguments, and what came of it."""
