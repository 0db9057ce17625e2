"""Verification: tolerances, comparisons and guards; pure functions of arrays, no kernel is run here."""
