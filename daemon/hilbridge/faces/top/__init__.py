"""`hilbridge top`: a running bench on a terminal, over ssh as well. It asks the daemon's control socket."""
