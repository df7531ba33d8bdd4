"""What every wing needs, and knows no bench."""
