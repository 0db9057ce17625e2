"""Which counters there are, which are needed, and in how few passes they can be had."""
