"""An explanation of one kernel from whatever evidence there is: the data (`page`), and one module for each medium."""
