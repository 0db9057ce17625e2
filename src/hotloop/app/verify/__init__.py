"""Checking the checker, and checking on a simulator."""
