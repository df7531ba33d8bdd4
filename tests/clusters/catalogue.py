"""All clusters of which there is a table."""

from typing import Final

from .table import Cluster
from .tables import (
    bmw_e9x,
    bmw_e46,
    bmw_f,
    bmw_g30,
    dacia,
    ecu,
    ford_focus_mk3,
    honda_civic8,
    hyundai_kia,
    mazda_rx8,
    mercedes_w204,
    mustang_s197,
    mustang_s550,
    nissan,
    opel_corsa_e,
    porsche,
    psa_2004,
    psa_2010,
    subaru_wrx,
    toyota_gt86,
    vw_mqb,
    vw_pq,
)

CLUSTERS: Final[dict[str, Cluster]] = {
    cluster.name: cluster
    for cluster in (
        bmw_e9x.CLUSTER,
        bmw_e46.CLUSTER,
        bmw_f.CLUSTER,
        bmw_g30.CLUSTER,
        dacia.CLUSTER,
        *ecu.CLUSTERS,
        ford_focus_mk3.CLUSTER,
        ford_focus_mk3.CM5T,
        honda_civic8.CLUSTER,
        *hyundai_kia.CLUSTERS,
        mazda_rx8.CLUSTER,
        mercedes_w204.CLUSTER,
        mercedes_w204.BODY,
        mercedes_w204.W221,
        mustang_s197.CLUSTER,
        mustang_s197.BODY,
        mustang_s550.CLUSTER,
        nissan.CLUSTER,
        opel_corsa_e.CLUSTER,
        porsche.PANAMERA,
        porsche.P997,
        psa_2004.CLUSTER,
        psa_2010.CLUSTER,
        subaru_wrx.CLUSTER,
        toyota_gt86.CLUSTER,
        vw_mqb.CLUSTER,
        vw_pq.CLUSTER,
    )
}
