"""What float32 arithmetic explains of errors: of sums, of formulas, and of values that are equal but for rounding."""
