"""A recorded run of the loop: its steps, findings, peers and conditions, in each medium."""
