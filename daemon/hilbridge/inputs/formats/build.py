"""The format that a bench file asks for."""

from collections.abc import Sequence

from hilbridge.common.errors import ConfigurationError
from hilbridge.inputs.binding import Binding
from hilbridge.inputs.formats.binary import BinaryFrames
from hilbridge.inputs.formats.columns import Columns
from hilbridge.inputs.formats.format import Format
from hilbridge.inputs.formats.json_lines import JsonLines
from hilbridge.inputs.formats.nmea import Sentences
from hilbridge.inputs.formats.pairs import Pairs
from hilbridge.settings import SerialInput


def build_format(settings: SerialInput, bindings: Sequence[Binding]) -> Format:
    """Reads the fields of all bindings, in their order.

    ConfigurationError, with the key path of the binding: a field that the format's columns or fields do not have.
    """
    for binding in bindings:
        try:
            _format(settings, binding.fields)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, binding.place) from None
    return _format(settings, [field for binding in bindings for field in binding.fields])


def _format(settings: SerialInput, fields: Sequence[str]) -> Format:
    match settings.format:
        case "pairs":
            return Pairs(fields)
        case "csv":
            return Columns(fields, settings.columns)
        case "json":
            return JsonLines(fields)
        case "nmea":
            return Sentences(fields, settings.columns, settings.sentence)
        case "cobs":
            return BinaryFrames(fields, settings.fields, settings.crc, settings.crc_byte_order)
