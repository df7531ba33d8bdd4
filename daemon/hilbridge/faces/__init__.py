"""Views of a running bench for people and for other programs."""
