"""The connections to the outside: a file for each kind of hardware and of port."""
