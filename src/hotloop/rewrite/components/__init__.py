"""Short vectors such as ``float4`` as numbers of their own."""
