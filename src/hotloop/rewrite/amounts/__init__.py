"""What numbers expressions of C take: intervals, real and whole ones, rounds of loops."""
