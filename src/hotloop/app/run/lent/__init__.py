"""Whether a lead is owed to what groups or calls leave for others: in variables, on the stack, in local memory, in the results."""
