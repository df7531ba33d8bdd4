"""Messages that no frame holds, in J1939: cut into packets, and put together again. Sans-IO: nothing is opened here."""
