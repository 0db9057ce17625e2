"""What front ends that compile for a GPU that is not here share."""
