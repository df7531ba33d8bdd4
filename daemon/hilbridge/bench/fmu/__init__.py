"""FMUs as parts of a bench: which values they take, and which they give."""
