"""What shows a running bench to people and to other programs."""
