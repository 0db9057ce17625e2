"""Counter tables of any form and length, read row by row."""
