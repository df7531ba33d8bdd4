"""What `hilbridge benchmark` measures, a file each; suite.py has the order, rig.py what they all work with."""
