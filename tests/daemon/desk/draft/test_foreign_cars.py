"""Signals that are recognized in databases of opendbc, judged by its code for these cars (tests/corpora/signals.py)."""

from tests.corpora import signals


def test_four_of_five_signals_of_foreign_cars_are_found_and_next_to_none_is_wrong() -> None:
    verdicts = [verdict for _, verdict, _ in signals.verdicts()]
    assert len(verdicts) > 250
    assert verdicts.count("found") >= 0.8 * len(verdicts)
    assert verdicts.count("wrong") <= 0.02 * len(verdicts)
