"""Inputs from datagrams, as games send them: each one is a sample."""

from typing import Final

from hilbridge.base.common.datagrams import unpack
from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.inputs.binding import FieldDescription, bind, build_conditioner
from hilbridge.bench.inputs.layout import Layout
from hilbridge.bench.inputs.signal_conditioner import Refused
from hilbridge.bench.inputs.source import PortSource
from hilbridge.files.settings.inputs import UdpInput
from hilbridge.files.settings.layouts import LayoutSettings
from hilbridge.frames.codec.database import unknown
from vehiclesim.entries import STANDARD, Entries


class UdpSource(PortSource):
    """The samples of one UDP port."""

    port_kind = "telemetry port"

    def __init__(
        self, settings: UdpInput, layout: LayoutSettings, place: KeyPath = (), entries: Entries = STANDARD
    ) -> None:
        """`place`: key path of this input in the bench file.

        ConfigurationError: see `bind` and `build_conditioner`; a field that the layout does not have; no signal at all.
        """
        signals = {**layout.uses(settings.use), **settings.signals}
        if not signals:
            why = f"{settings.layout} has none for 'use: {settings.use}'" if settings.use else "give 'use' or 'signals'"
            raise ConfigurationError(f"no signal: {why}", place)
        bindings = bind(signals, place, entries)
        for binding in bindings:
            for field in binding.fields:
                if field not in layout.fields:
                    raise unknown(f"field of {settings.layout}", field, layout.fields, binding.place)
        units = [FieldDescription(layout.fields[binding.fields[0]].unit) for binding in bindings]
        super().__init__(
            f"{settings.layout} on UDP port {settings.port}",
            bindings,
            [build_conditioner(binding, unit) for binding, unit in zip(bindings, units, strict=True)],
            timeout=settings.timeout,
            recovery=settings.recovery,
        )
        self._layout: Final = Layout(layout, self.fields)

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take the datagrams of a tick, as `pack` of base/common/datagrams.py packs them."""
        for datagram in unpack(data):
            try:
                readings = self._layout.decode(datagram, t)
            except Refused as refused:
                self._reject(refused.reason, t, what=refused.what)
            else:
                self._accept(readings, t)
