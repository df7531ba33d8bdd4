"""The formats of logs, one file for each."""
