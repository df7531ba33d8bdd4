"""Diagnostic databases (ODX, ISO 22901-1) as keys of a control unit."""
