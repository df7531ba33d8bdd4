"""Decides whether Python code may run here: docs/trust.md has the rule for users."""
