"""Public trouble with diagnostics that hilbridge had, too: what is right, by which clause, and the tests that show it.

The reports were tried one by one; those that were right at once have their tests beside the modules.
"""

from typing import Final, NamedTuple


class Case(NamedTuple):
    """One kind of trouble. `source`: a public report, or what was tried; `tests` of each part."""

    source: str
    right: str
    clause: str
    tests: tuple[str, ...]


_UDS: Final = "tests/daemon/bench/diagnostics/uds"
_CLONE: Final = "tests/daemon/desk/clone"
_ANSWERS: Final = "tests/daemon/bench/diagnostics/answers"
_HD: Final = "tests/daemon/bench/diagnostics/j1939/test_hd_reports.py"
_DTC: Final = "tests/daemon/bench/diagnostics/dtc"
_DRIVE: Final = "tests/daemon/bench/diagnostics/test_drive.py"

CASES: Final = (
    Case(
        "Ircama/ELM327-emulator#24",
        "service 21 is answered from data, and refused with 11 without",
        "ISO 14230-3, readDataByLocalIdentifier",
        (
            f"{_ANSWERS}/test_services_as_data.py::test_services_of_kwp",
            "tests/clients/test_electric_apps.py::test_what_no_app_asks_is_not_supported",
        ),
    ),
    Case(
        "Xaloqi/EDS#111, #115; session ends within a long answer",
        "S3 stops with the first frame of a request, and starts with the last one of its answer",
        "ISO 14229-2, S3Server: T_DataSOM.ind, T_Data.con",
        (
            "tests/daemon/bench/diagnostics/test_session_time.py::test_s3_begins_with_the_last_frame_of_an_answer",
            "tests/daemon/bench/diagnostics/test_session_time.py::test_s3_ends_between_an_answer_and_the_next_request",
            "tests/daemon/bench/diagnostics/test_session_time.py::test_s3_stops_with_the_first_frame_of_a_request",
        ),
    ),
    Case(
        "jacobschaer/python-doipclient#47, jumpstarter-dev/jumpstarter#295",
        "a DoIP entity that a client is tried with: identification, activation, alive check, messages",
        "ISO 13400-2, tables of payload types and of activation codes",
        (
            "tests/clients/test_doip.py::test_the_vehicle_is_found",
            "tests/clients/test_doip.py::test_routing_by_each_type",
            "tests/clients/test_doip.py::test_every_service_over_tcp",
            "tests/clients/test_doip.py::test_the_flash_of_the_guide",
            "tests/clients/test_doip.py::test_scapy_knows_each_byte",
            "tests/clients/test_doip.py::test_a_crowd_of_silent_and_wild_connections_disturbs_nobody",
        ),
    ),
    Case(
        "fesch/CanZE#405, Pytrex/NissanDefinitions#17, commaai/openpilot#28585; clone of KWP on CAN",
        "10 C0 is a session of its own; 21, 1A, 18 of a log are played, and what is not is named",
        "ISO 14230-3, startDiagnosticSession: bit 7 suppresses nothing",
        (
            f"{_ANSWERS}/test_server.py::test_a_session_beside_a_uds_server_is_the_same_session",
            f"{_CLONE}/test_others.py::test_a_clone_plays_what_was_said_to_the_last_answer",
            f"{_CLONE}/test_play.py::test_every_request_is_played_and_what_differs_has_its_reason",
            f"{_CLONE}/test_play.py::test_nothing_that_differs_is_called_sure",
        ),
    ),
    Case(
        "PowerBroker2/ELMduino#277, Equipment-and-Tool-Institute/j1939-84#1107; electric and hybrid cars",
        "fuel type, monitors, PIDs and codes are those of the drive; no support, nothing incomplete",
        "SAE J1979-DA, PIDs 01, 13, 15, 51, 9A; SAE J1939-73, DM5",
        (
            f"{_DRIVE}::test_python_obd_reads_the_drive_of_the_shipped_benches",
            f"{_DRIVE}::test_hydrogen_is_burnt_or_feeds_a_fuel_cell",
            f"{_DRIVE}::test_an_electric_car_has_nothing_of_an_engine",
            f"{_DRIVE}::test_a_traction_battery_has_its_pids_whatever_the_template",
            f"{_DRIVE}::test_an_electric_truck_says_so_in_dm5_and_dm20",
            f"{_DRIVE}::test_a_code_or_monitor_of_an_engine_is_an_error_on_an_electric_car",
            "tests/clients/test_drives.py::test_an_electric_car_is_ready_and_has_no_monitor_of_an_engine",
        ),
    ),
    Case(
        "scheduler of 2A over 10 03 in session 03",
        "it goes on where the new session supports it, and ends with the default session",
        "ISO 14229-1, service 10: transitions between non-default sessions",
        (
            f"{_UDS}/test_transitions.py::test_the_scheduler_goes_on_where_it_is_supported",
            f"{_UDS}/test_transitions.py::test_the_scheduler_ends_with_s3",
            f"{_UDS}/test_transitions.py::test_what_was_switched_goes_on_until_the_default_session",
        ),
    ),
    Case(
        "two testers ask one unit: 18DA28F1, 18DA28F2",
        "a bench may have both addresses; a clone makes one unit of them",
        "ISO 15765-2, 10.3: normal fixed addressing has the tester's address",
        (
            "tests/daemon/files/configuration/test_consistency.py::test_a_unit_may_hear_several_testers",
            f"{_CLONE}/test_pairing.py::test_a_unit_that_two_testers_ask_is_one_unit",
        ),
    ),
    Case(
        "clone of car-network",
        "each answer is equal, or named",
        "none: what the guide promises",
        (f"{_CLONE}/test_clone_network.py::test_seven_control_units_behind_a_gateway_are_cloned",),
    ),
    Case(
        "suite beside a tester that only reads",
        "what the tester shows no occasion for is not tried; a silent one ends the suite",
        "none: what the guide promises",
        (
            "tests/clients/test_tester_suite.py::test_what_a_reading_tester_cannot_show_is_not_tried",
            "tests/clients/test_tester_suite.py::test_a_silent_tester_is_told",
        ),
    ),
    Case(
        "faults without an occasion",
        "a fault waits for an answer that it changes; a length above 8 needs CAN FD; FF_DL stays above 7",
        "ISO 15765-2, 9.6: single frame, FF_DL and its escape",
        (
            "tests/daemon/bench/faults/test_faulty_unit.py::test_a_fault_waits_for_an_answer_that_it_can_change",
            "tests/daemon/bench/faults/test_faulty_unit.py::test_a_length_above_eight_needs_can_fd",
            "tests/daemon/bench/faults/test_faulty_unit.py::test_a_frame_that_the_answer_does_not_have_is_no_hit",
            "tests/daemon/bench/faults/test_answer_frames.py::test_the_announced_length_is_another_one",
        ),
    ),
    Case(
        "2C of a source that is not in this session",
        "31",
        "ISO 14229-1, service 2C, table of negative responses",
        (f"{_UDS}/test_dynamic_identifiers.py::test_a_source_that_this_session_has_not_is_out_of_range",),
    ),
    Case(
        "permanent code after a short idle",
        "it goes when its own monitor has passed in a driving cycle; a continuous one needs a general cycle for that",
        "SAE J1979, service 0A; 13 CCR 1968.2, erasure of permanent fault codes",
        (
            f"{_DTC}/test_trouble.py::test_a_cleared_code_stays_permanent_until_a_good_cycle",
            f"{_DTC}/test_trouble.py::test_a_continuous_monitor_needs_a_general_cycle",
            f"{_DTC}/test_drive_cycle.py::test_the_end_tells_whether_the_cycle_was_a_general_one",
        ),
    ),
    Case(
        "port open before anything answers",
        "a tester that comes early is refused, and the first one that is let in is answered",
        "ISO 14229-2, P2Server",
        (
            "tests/scenarios/test_early_testers.py::test_the_first_connection_that_is_not_refused_is_answered",
            "tests/daemon/boundary/links/test_doors.py::test_a_port_takes_no_client_before_somebody_answers",
        ),
    ),
    Case(
        "asynchronous routine",
        "71 at once, 31 03 says that it runs, 31 02 stops it",
        "ISO 14229-1, service 31",
        (
            f"{_UDS}/test_routines.py::test_an_asynchronous_routine_runs_beside_other_requests",
            f"{_UDS}/test_routines.py::test_an_asynchronous_routine_is_stopped",
        ),
    ),
    Case(
        "pylessard/python-udsoncan#281; 37 with a record, 34 compressed",
        "both are data of the bench",
        "ISO 14229-1, services 34 and 37",
        (
            f"{_UDS}/test_programming.py::test_the_exit_has_a_record_of_the_maker",
            f"{_UDS}/test_programming.py::test_the_exit_has_the_crc_of_the_download",
            f"{_UDS}/test_programming.py::test_compressed_data_is_complete_when_the_tester_says_so",
        ),
    ),
    Case(
        "14 with a group of systems",
        "it is cleared",
        "ISO 14229-1:2006, annex D.1",
        (f"{_UDS}/test_clear_information.py::test_groups_of_the_edition_of_2006_are_systems",),
    ),
    Case(
        "clone of requests with several PIDs",
        "the answer is taken apart where the lengths are known",
        "SAE J1979, service 01: up to six PIDs",
        (
            f"{_CLONE}/test_obd.py::test_pids_asked_together_are_taken_apart_by_the_lengths_of_the_standard",
            f"{_CLONE}/test_pairing.py::test_joint_answers_are_taken_apart_where_that_is_certain",
        ),
    ),
    Case(
        "DM24, 25, 27, 29, 30, 31, 56 are asked first",
        "they are answered",
        "SAE J1939-73",
        (f"{_HD}::test_the_first_questions_of_a_tool_are_answered_in_their_order",),
    ),
)
