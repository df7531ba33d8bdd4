"""Everything that crosses the boundary of the process: links, commands, recordings, the observer."""
