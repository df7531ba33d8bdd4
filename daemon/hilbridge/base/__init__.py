"""The ground of every wing, which knows no bench."""
