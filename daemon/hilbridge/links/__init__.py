"""Hardware, one file each: how a bus, or a serial port, leaves the process."""
