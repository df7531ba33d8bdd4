"""FMUs in processes of their own, as ports of the bench."""
