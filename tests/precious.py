"""The files whose content nobody can make anew, who reads and writes them, and the tests with calls that fail.

An error of reading is never taken for "there is none", and a part of a file never for the whole: the reader says why,
and what is there stays as it is. A file that one program alone can lose belongs here. tests/habits/test_precious.py
looks whether the tests of this table are there.
"""

from typing import Final, NamedTuple


class Precious(NamedTuple):
    """Files, the modules that read or replace them, what an error of reading is to those, and the tests of it."""

    files: str
    modules: tuple[str, ...]
    an_error_is: str
    tests: tuple[str, ...]


_STATE: Final = "tests/daemon/boundary/record/test_state_faults.py"
_LASTING: Final = "tests/daemon/base/common/test_lasting_files.py"
_FAULTS: Final = "tests/daemon/base/common/test_precious_files.py"

PRECIOUS: Final = (
    Precious(
        "stored state: odometer, hours, fuel, trim, trouble codes, identifiers, memory; its copies and its lock",
        (
            "hilbridge.boundary.record.state",
            "hilbridge.boundary.record.state_start",
            "hilbridge.boundary.record.state_backup",
            "hilbridge.boundary.record.state_lock",
            "hilbridge.boundary.observe.state_writer",
            "hilbridge.commands.state",
        ),
        "no start, no backup, no restoring; in a run NOT STORED",
        (
            f"{_STATE}::test_a_call_that_fails_loses_nothing",
            f"{_STATE}::test_a_disk_that_fails_from_one_call_on_loses_nothing",
            f"{_STATE}::test_the_reason_of_the_system_is_told",
            f"{_STATE}::test_a_short_reading_is_no_damage",
        ),
    ),
    Precious(
        "manifests of recordings",
        (
            "hilbridge.boundary.record.manifest",
            "hilbridge.boundary.record.recording",
            "hilbridge.boundary.record.catalog",
        ),
        "no change of it; no recording into that folder; in the list a row with the reason",
        (
            f"{_LASTING}::test_no_manifest_is_lost_by_a_call_that_fails",
            f"{_FAULTS}::test_a_folder_that_cannot_be_looked_into_is_not_free_for_a_recording",
            f"{_FAULTS}::test_a_recording_that_cannot_be_read_is_listed_with_the_reason",
        ),
    ),
    Precious(
        "segments of recordings, when a new observer goes on with them",
        ("hilbridge.boundary.record.segments",),
        "no recording any more; nothing is cut off",
        (f"{_FAULTS}::test_a_segment_that_is_not_read_whole_is_not_cut_off",),
    ),
    Precious(
        "full segments of recordings, while they are packed",
        ("hilbridge.boundary.record.packed", "hilbridge.boundary.record.packer"),
        "the segment stays as it is",
        ("tests/daemon/boundary/record/test_packed.py::test_no_call_that_fails_costs_a_record",),
    ),
    Precious(
        "rows and manifests of campaigns",
        ("hilbridge.runs.campaign.results", "hilbridge.runs.campaign.rows"),
        "no campaign into that folder",
        (f"{_FAULTS}::test_no_row_of_a_campaign_is_lost_by_a_call_that_fails",),
    ),
    Precious(
        "the list of trusted code",
        ("hilbridge.base.trust.store",),
        "nothing is trusted, nothing added",
        (f"{_LASTING}::test_no_trust_is_lost_by_a_call_that_fails",),
    ),
    Precious(
        "bench files that a calibration, the page or a command changes, with their tokens and other secrets",
        (
            "hilbridge.faces.calibrate.bench_change",
            "hilbridge.files.configuration.yamlfile",
            "hilbridge.base.common.lasting_files",
        ),
        "no change of it; owner and permissions stay",
        (
            f"{_FAULTS}::test_no_calibration_costs_the_bench_file",
            f"{_LASTING}::test_what_cannot_be_written_whole_leaves_the_old_one",
        ),
    ),
    Precious(
        "this machine's own files in place of those that were shipped under the same name",
        ("hilbridge.base.resources",),
        "no start with the shipped one; it may pass, so the service tries again",
        (f"{_FAULTS}::test_a_disk_that_fails_does_not_put_a_shipped_file_in_the_place_of_an_own_one",),
    ),
)
"""Tokens of a run are in memory alone. What `learn`, `clone` and `fit` find is written as the bench files here are."""
