"""A vehicle as a Functional Mock-up Unit: co-simulation, FMI 2.0 or 3.0, with an interpreter of its own inside.

    variables.py     the entries of the data bus as variables
    description.py   modelDescription.xml of either version
    runtime.py       the interpreter and those modules that the model needs
    archive.py       compiles the library, and packs all of it
    worker.py        the process inside an FMU that has the vehicle
    native/          the library that an importer loads, in C: it starts the worker and passes values to and fro

The worker is a process of its own because an importer may be a Python program itself: two interpreters in one process
share the names of their libraries, and extension modules of one then call functions of the other.
"""
