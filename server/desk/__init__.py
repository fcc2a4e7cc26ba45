"""The desk: the one process of a server in which sweeps run, on an embedded cluster or on one somewhere else."""
