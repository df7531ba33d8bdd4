"""A vehicle as a Functional Mock-up Unit: co-simulation, FMI 2.0 or 3.0, with an interpreter of its own inside.

    variables.py     the entries of the data bus as variables
    description.py   modelDescription.xml of either version
    runtime.py       the interpreter and those modules that the model needs
    archive.py       compiles the library, and packs all of it
    worker.py        the process inside an FMU that has the vehicle
    native/          the library that an importer loads, in C: it starts the worker and passes values to and fro

A network unit is a bench, whose buses are connected to the units of others (FMI-LS-BUS):

    bus_operations.py      the operations of the standard, as bytes
    fault_confinement.py   the error counters of a node
    bus_terminal.py        the link of a bus: operations in place of frames
    terminals.py           the buses in the files of a unit
    network_archive.py     packs bench and library
    network_worker.py      the process that has the bench

The worker is a process of its own because an importer may be a Python program itself: two interpreters in one process
share the names of their libraries, and extension modules of one then call functions of the other.
"""
