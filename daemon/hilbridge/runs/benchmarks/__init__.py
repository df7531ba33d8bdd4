"""The measurements of `hilbridge benchmark`, a file each; suite.py has their order, rig.py what all of them use.

Load rigs and comparisons with other programs are tests of the project: `tests/bench`.
"""
