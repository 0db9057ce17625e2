"""What stands for several numbers as each of them: short vectors such as ``float4``, and neighbours of which one is left out."""
