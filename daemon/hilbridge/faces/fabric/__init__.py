"""A bench on Zenoh: seen, followed and commanded from elsewhere, by a process beside the tick."""
