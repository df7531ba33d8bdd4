"""The bench of these tests."""

from .cluster import bench

__all__ = ["bench"]
