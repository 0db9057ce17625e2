"""Where the lanes of a wave access memory relative to each other: addresses as sums of the lane's number and of values that all share."""
