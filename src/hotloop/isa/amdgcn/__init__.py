"""Machine code of AMD GPUs: GCN from gfx9, CDNA and RDNA."""
