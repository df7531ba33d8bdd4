"""Tools that make benches and vehicles, and run none."""
