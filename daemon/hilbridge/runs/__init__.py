"""Runs of a bench: the loop, one run, its reload, many runs, benchmarks."""
