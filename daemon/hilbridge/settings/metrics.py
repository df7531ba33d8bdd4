"""Settings of metrics."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Settings


class MetricsSettings(Settings):
    """On the loopback address 127.0.0.1: /metrics for Prometheus; /healthz and /readyz say how the run is."""

    port: Annotated[int, Field(ge=1, le=65535, description="TCP port")] = 8099
