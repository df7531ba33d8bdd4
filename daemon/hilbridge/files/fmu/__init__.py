"""FMUs of somebody else: what is in one, within bounds."""
