"""How long a kernel takes on a machine that is not here: exact counts of interior work-groups, memory levels, units, a bound."""
