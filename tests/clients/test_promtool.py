"""The alert rules as Prometheus itself reads them."""

import subprocess
from pathlib import Path

RULES = Path(__file__).parents[2] / "systemd/monitoring/hilbridge-alerts.yaml"

CASES = """\
rule_files: [{rules}]
evaluation_interval: 10s
tests:
  - interval: 10s
    input_series:
      - {{series: 'hilbridge_bus_up{{instance="desk", bus="can0"}}', values: '1 1 0 0 0 0'}}
      - {{series: 'hilbridge_ticks_total{{instance="desk"}}', values: '0+10000x90'}}
      - {{series: 'hilbridge_ticks_missed_total{{instance="desk"}}', values: '0+0x30 0+100x60'}}
      - {{series: 'hilbridge_bus_armed{{instance="desk", bus="can0"}}', values: '1x5 0x30'}}
      - {{series: 'hilbridge_start_time_seconds{{instance="desk"}}', values: '1000x5 1060x30'}}
      - {{series: 'hilbridge_bus_armed{{instance="idle", bus="can0"}}', values: '0x40'}}
      - {{series: 'hilbridge_start_time_seconds{{instance="idle"}}', values: '1000x5 1060x30'}}
      - {{series: 'hilbridge_bus_armed{{instance="hand", bus="can0"}}', values: '1x5 0x30'}}
      - {{series: 'hilbridge_start_time_seconds{{instance="hand"}}', values: '1000x40'}}
    alert_rule_test:
      - {{eval_time: 20s, alertname: HilbridgeBusDown, exp_alerts: []}}
      - eval_time: 40s
        alertname: HilbridgeBusDown
        exp_alerts:
          - exp_labels: {{severity: critical, instance: desk, bus: can0}}
            exp_annotations:
              summary: "desk: the link of bus can0 does not work"
              description: "ip -details link show; hilbridge ctl status says why"
      - {{eval_time: 50s, alertname: HilbridgeHeldBack, exp_alerts: []}}
      - eval_time: 150s
        alertname: HilbridgeHeldBack
        exp_alerts:
          - exp_labels: {{severity: warning, instance: desk, bus: can0}}
            exp_annotations:
              summary: "desk: can0 is not armed: held back"
              description: "armed before a start, and sends nothing until: hilbridge ctl arm can0"
      - {{eval_time: 5m, alertname: HilbridgeTicksMissed, exp_alerts: []}}
"""


SERIES = {
    'start_time_seconds{instance="desk"}': "1000x60 4600x3000",
    'bus_armed{instance="desk", bus="can0"}': "1x60 0x3000",
    'gate_held_back_total{instance="desk", bus="can0", reason="unarmed"}': "0x60 0+6000x3000",
    'output_armed{instance="desk", output="board"}': "1x60 0x3000",
    'output_packets_total{instance="desk", output="board", fate="unarmed"}': "0x60 0+60x3000",
    'line_armed{instance="desk", line="k"}': "1x60 0x3000",
    'line_telegrams_total{instance="desk", line="k", fate="unarmed"}': "0x60 0+60x3000",
    'bus_armed{instance="ears", bus="can0"}': "0x3060",
    'bus_armed{instance="swap", bus="can0"}': "1x60 0x3000",
    'start_time_seconds{instance="swap"}': "1000x3060",
    'link_events_total{instance="swap", bus="can0", event="replaced"}': "_x60 1x3000",
    'bus_armed{instance="hand", bus="can0"}': "1x1500 0x1560",
    'start_time_seconds{instance="hand"}': "1000x3060",
    'link_events_total{instance="hand", bus="can0", event="replaced"}': "1x3060",
}
"""A minute each: `desk` is dark after a start, `ears` only listens, `swap` gets another adapter, `hand` is disarmed."""

DAYS = """\
rule_files: [{rules}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
{series}
    promql_expr_test:
      - expr: count by (alertname, instance) (ALERTS{{alertstate="firing", alertname!="HilbridgeRestarted"}})
        eval_time: 90m
        exp_samples:
          - {{labels: '{{alertname="HilbridgeHeldBack", instance="desk"}}', value: 3}}
          - {{labels: '{{alertname="HilbridgeAdapterChanged", instance="swap"}}', value: 1}}
      - expr: count by (alertname, instance) (ALERTS{{alertstate="firing", alertname!="HilbridgeRestarted"}})
        eval_time: 49h
        exp_samples:
          - {{labels: '{{alertname="HilbridgeDark", instance="desk"}}', value: 3}}
"""


def promtool(*words: str | Path) -> str:
    done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rules_are_rules() -> None:
    assert "12 rules found" in promtool("check", "rules", RULES)


def test_an_alert_comes_in_its_time_and_names_the_bus(tmp_path: Path) -> None:
    """A link that does not work for ten seconds; a bench that misses no tick has no alert.

    A bus that was armed before a start is held back after it; one that was disarmed by hand, or never armed, is not.
    """
    cases = tmp_path / "cases.yaml"
    cases.write_text(CASES.format(rules=RULES), encoding="utf-8")
    assert "SUCCESS" in promtool("test", "rules", cases)


def test_a_bench_that_stays_dark_is_told_after_a_day_too_and_one_whose_adapter_was_exchanged(tmp_path: Path) -> None:
    """Buses, outputs and lines. A bench that has nothing to send is not dark; a hand that disarms is no accident."""
    cases = tmp_path / "cases.yaml"
    series = "\n".join(f"      - {{series: 'hilbridge_{name}', values: '{each}'}}" for name, each in SERIES.items())
    cases.write_text(DAYS.format(rules=RULES, series=series), encoding="utf-8")
    assert "SUCCESS" in promtool("test", "rules", cases)
