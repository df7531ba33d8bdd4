"""Lists what Python's reader of ZIP archives raises for one that is damaged, encrypted or packed in an unknown way."""

import lzma
import struct
import zlib
from typing import Final
from zipfile import BadZipFile

ZIP_ERRORS: Final = (
    BadZipFile,
    EOFError,
    NotImplementedError,  # a method or version that it does not know
    OSError,  # bzip2, and seeking
    RuntimeError,  # encrypted
    ValueError,  # places and names
    lzma.LZMAError,
    struct.error,  # fields that are cut off
    zlib.error,
)
"""All that reading may raise; the errors of this program, which are ValueErrors too, are to be let through."""
