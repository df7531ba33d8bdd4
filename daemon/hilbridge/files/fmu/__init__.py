"""Foreign FMUs: what is in one, within bounds."""
