"""Counters and checksums of frames, described by data: filled in what is sent, checked in what is received."""

from hilbridge.frames.protection.build import build_checker, build_protector
from hilbridge.frames.protection.checker import REASONS, Checker
from hilbridge.frames.protection.protector import NumberFault, Protector

__all__ = ["REASONS", "Checker", "NumberFault", "Protector", "build_checker", "build_protector"]
