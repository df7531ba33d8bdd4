"""Logs of CAN buses from other programs: formats, blocks of frames, and the process that reads."""
