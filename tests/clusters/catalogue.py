"""All clusters of which there is a table."""

from typing import Final

from .table import Cluster
from .tables import (
    bmw_e9x,
    bmw_e46,
    bmw_f,
    dacia,
    ford_focus_mk3,
    honda_civic8,
    hyundai_kia,
    mazda_rx8,
    mercedes_w204,
    mustang_s550,
    nissan,
    psa_2004,
    psa_2010,
    toyota_gt86,
    vw_mqb,
    vw_pq,
)

CLUSTERS: Final[dict[str, Cluster]] = {
    module.CLUSTER.name: module.CLUSTER
    for module in (
        bmw_e9x,
        bmw_e46,
        bmw_f,
        dacia,
        ford_focus_mk3,
        honda_civic8,
        hyundai_kia,
        mazda_rx8,
        mercedes_w204,
        mustang_s550,
        nissan,
        psa_2004,
        psa_2010,
        toyota_gt86,
        vw_mqb,
        vw_pq,
    )
}
