"""What instructions compute: tables of rows, the functions their expressions use, and number formats."""
