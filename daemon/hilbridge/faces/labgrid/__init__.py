"""A bench as a resource of labgrid, and its driver.

An environment file of labgrid names this package:

    imports: [hilbridge.faces.labgrid]

labgrid is installed by its user, in an environment of its own: it brings a fork of pyserial with it, which takes
the place of pyserial. Nothing else in hilbridge imports this package.
"""

from hilbridge.faces.labgrid.driver import HilbridgeDriver
from hilbridge.faces.labgrid.resources import HilbridgeBench, NetworkHilbridgeBench

__all__ = ["HilbridgeBench", "HilbridgeDriver", "NetworkHilbridgeBench"]
