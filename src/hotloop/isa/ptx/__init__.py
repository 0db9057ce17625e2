"""PTX as text: statements, and what instructions do by their names. The dialect `ptx` is the door."""
