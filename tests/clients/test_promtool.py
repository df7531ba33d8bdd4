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
              summary: "desk: bus can0 is not armed: held back"
              description: "armed before a start, and sends nothing until: hilbridge ctl arm can0"
      - {{eval_time: 5m, alertname: HilbridgeTicksMissed, exp_alerts: []}}
"""


def promtool(*words: str | Path) -> str:
    done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rules_are_rules() -> None:
    assert "10 rules found" in promtool("check", "rules", RULES)


def test_an_alert_comes_in_its_time_and_names_the_bus(tmp_path: Path) -> None:
    """A link that does not work for ten seconds; a bench that misses no tick has no alert.

    A bus that was armed before a start is held back after it; one that was disarmed by hand, or never armed, is not.
    """
    cases = tmp_path / "cases.yaml"
    cases.write_text(CASES.format(rules=RULES), encoding="utf-8")
    assert "SUCCESS" in promtool("test", "rules", cases)
