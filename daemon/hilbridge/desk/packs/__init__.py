"""Takes in profiles and layouts that others share."""
