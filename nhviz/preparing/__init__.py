"""Compiled code, made ready before it is needed: what a system needs, who compiles it, how far it is.

Everything is told by files in the folder of compiled code (`nhviz.kernels.cache`): a note for each part that is on the
disk, a wish for each system that somebody waits for, a lock of the one process that leads, the pace of its crew. So any
number of processes can look on, and one that is killed leaves what it has done.
"""
