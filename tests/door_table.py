"""The table of the doors: what is read that others have made, by which modules with which primitives, and its tests.

tests/doors.py checks it against the sources and writes it into SECURITY.md. A foreign door has tests of hostile input;
one that is not foreign says why nobody else can have written what is read there.
"""

from typing import Final, NamedTuple


class Door(NamedTuple):
    """A thing that is read. `modules`: the readers, each with its primitives (tests/doors.py)."""

    reads: str
    modules: dict[str, str]
    tests: tuple[str, ...] = ()
    is_foreign: bool = True


_HOSTILE: Final = "tests/daemon/commands/test_hostile_files.py::test_a_hostile_file_is_answered"
_FUZZED: Final = "tests/fuzz/test_targets.py::test_a_target_stands_random_input"

DOORS: Final = [
    Door(
        "YAML: benches, vehicles, scenarios, campaigns, profiles, templates, layouts, targets of an engine",
        {
            "hilbridge.configuration.benchfile": "yaml",
            "hilbridge.configuration.campaignfile": "yaml",
            "hilbridge.configuration.layouts": "yaml",
            "hilbridge.configuration.profiles": "yaml",
            "hilbridge.configuration.scenariofile": "file yaml",
            "hilbridge.configuration.units": "yaml",
            "hilbridge.configuration.vehiclefile": "yaml",
            "hilbridge.configuration.yamledit": "yaml",
            "hilbridge.configuration.yamlfile": "file yaml",
            "hilbridge.configuration.yamlsyntax": "yaml",
            "hilbridge.cockpit.data_sheet": "yaml",
            "hilbridge.cockpit.decoding": "yaml",
            "hilbridge.cockpit.engine_file": "file yaml",
            "hilbridge.commands.trust": "yaml",
            "hilbridge.draft.from_bench": "file",
            "hilbridge.fit.targets": "yaml",
        },
        (
            _HOSTILE,
            "tests/daemon/configuration/test_yamlfile.py::test_tags_are_refused_and_run_nothing",
            "tests/daemon/configuration/test_yamlfile.py::test_an_alias_bomb_is_refused",
        ),
    ),
    Door(
        "code by a name in a file: blocks, components, checksums, identifiers, routines, keys, authentication, "
        "units under test",
        {
            "hilbridge.trust.code": "file",
            "hilbridge.trust.installed": "file json socket",
            "hilbridge.trust.user_function": "code",
        },
        (
            "tests/scenarios/test_strangers_code.py::test_no_command_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_campaign_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_recording_and_no_reload_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_vehicle_runs_it",
            "tests/daemon/trust/test_installed.py::test_what_a_file_cannot_name_is_refused",
            "tests/daemon/trust/test_user_function.py::test_what_is_not_of_its_kind_is_refused_and_never_called",
            "tests/daemon/trust/test_code.py::test_a_file_without_end_is_no_code",
        ),
    ),
    Door(
        "the interface of python-can that a bench names, and its channel",
        {"hilbridge.links.python_can": "can code", "hilbridge.testing.real_wire": "can"},
        (
            "tests/daemon/links/test_python_can.py::test_a_channel_that_writes_files_is_refused",
            "tests/daemon/links/test_python_can.py::test_a_parameter_that_loads_a_library_is_refused",
        ),
    ),
    Door(
        "databases: DBC, KCD, ARXML, SYM",
        {"hilbridge.codec.database": "can file", "hilbridge.codec.dbc_repair": "can"},
        (_HOSTILE, _FUZZED),
    ),
    Door(
        "tables of values (CSV): speed traces, curves, measured values",
        {
            "hilbridge.configuration.csvfile": "file table",
            "hilbridge.drive.cycles": "file table",
            "hilbridge.drive.series": "file table",
            "hilbridge.learn.known_values": "file table",
        },
        (
            "tests/daemon/drive/test_trace.py::test_what_is_no_text_is_refused",
            "tests/daemon/learn/test_correlation.py::test_values_that_cannot_be_used_are_refused_with_their_line",
        ),
    ),
    Door(
        "images of memory (S-record, Intel HEX, plain bytes)",
        {"hilbridge.diagnostics.uds.memory_file": "file"},
        ("tests/daemon/diagnostics/uds/test_memory_file.py::test_whatever_a_file_holds_it_is_read_or_refused",),
    ),
    Door(
        "logs of a bus, by a process of its own",
        {
            "hilbridge.record.traffic_log": "archive can file program",
            "hilbridge.record.export": "can",
            "hilbridge.record.text_logs": "can",
        },
        (
            _HOSTILE,
            "tests/daemon/learn/test_log.py::test_a_damaged_log_is_read_or_refused",
            "tests/daemon/clone/test_clone.py::test_a_damaged_log_is_read_or_refused",
            "tests/daemon/explain/test_log_check.py::test_no_log_does_harm",
        ),
    ),
    Door(
        "recordings, and their archives",
        {
            "hilbridge.record.boundary_records": "json",
            "hilbridge.record.command_history": "json",
            "hilbridge.record.manifest": "file json",
            "hilbridge.record.playback": "json",
            "hilbridge.record.recording": "file",
            "hilbridge.record.segments": "file",
            "hilbridge.record.values_file": "can file table",
            "hilbridge.observe.bench_archive": "archive json",
            "hilbridge.run.replay": "archive",
        },
        (
            "tests/daemon/record/test_recording.py::test_an_archive_writes_nothing_outside_of_its_folder",
            "tests/daemon/record/test_recording.py::test_a_manifest_that_cannot_be_one_is_refused",
            "tests/daemon/record/test_recording.py::test_an_archive_that_is_none_ends_the_replay",
        ),
    ),
    Door(
        "files that a bench takes with it into a recording or a campaign",
        {
            "hilbridge.common.bundle_files": "file",
            "hilbridge.configuration.bundle": "yaml",
            "hilbridge.record.zipped": "archive",
        },
        (
            "tests/daemon/campaign/test_runs.py::test_what_cannot_be_run_is_refused_before_the_first_run",
            "tests/daemon/campaign/test_runs.py::test_a_campaign_writes_nothing_beside_its_results",
        ),
    ),
    Door(
        "rows and manifests of campaigns, and runs on their way to workers",
        {
            "hilbridge.campaign.prepared": "file json program terminal",
            "hilbridge.campaign.results": "file socket",
            "hilbridge.campaign.rows": "json",
            "hilbridge.campaign.ssh_worker": "cluster json terminal",
        },
        (
            "tests/daemon/campaign/test_runs.py::test_trusted_code_travels_with_its_trust",
            "tests/daemon/campaign/test_rows.py::test_a_line_that_is_no_row_is_not_believed",
            "tests/daemon/campaign/test_rows.py::test_a_row_of_another_run_is_not_believed",
        ),
    ),
    Door(
        "workers of a campaign, whom the user names: Dask, SSH, SLURM",
        {
            "hilbridge.campaign.cluster_runs": "cluster",
            "hilbridge.campaign.clusters": "cluster",
            "hilbridge.campaign.slurm": "cluster yaml",
            "hilbridge.campaign.ssh": "cluster file program",
        },
        ("tests/daemon/campaign/test_engines.py::test_a_wrong_engine_is_refused",),
    ),
    Door(
        "stored state, and the list of trusted code",
        {
            "hilbridge.common.lasting_files": "file",
            "hilbridge.record.state": "json",
            "hilbridge.commands.state": "yaml",
            "hilbridge.common.owner_lock": "file",
            "hilbridge.record.state_lock": "file",
            "hilbridge.observe.state_writer": "json",
        },
        (
            "tests/daemon/record/test_state.py::test_a_changed_number_is_damage",
            "tests/daemon/record/test_state.py::test_a_format_that_is_none_is_damage",
            "tests/scenarios/test_stored_state.py::test_on_a_state_that_cannot_be_read_no_run_begins",
            "tests/daemon/trust/test_gate.py::test_a_list_that_others_may_write_counts_for_nothing",
            "tests/daemon/trust/test_gate.py::test_a_damaged_list_trusts_nothing_and_takes_the_next",
        ),
    ),
    Door(
        "control socket: commands to a bench, and its answers",
        {
            "hilbridge.control.commands": "json",
            "hilbridge.control.fault_words": "json",
            "hilbridge.control.lines": "json",
            "hilbridge.control.server": "json socket",
            "hilbridge.client.sync_client": "socket",
            "hilbridge.common.shape": "json",
            "hilbridge.control.socket_file": "socket",
            "hilbridge.commands.explain": "json",
            "hilbridge.links.control_socket": "socket",
        },
        (
            "tests/daemon/control/test_server.py::test_no_line_that_is_no_command_reaches_the_tick",
            "tests/daemon/links/test_control_socket.py::test_idle_clients_make_room",
            "tests/daemon/control/test_answers.py::test_one_bad_row_of_a_part_costs_itself_and_is_told",
            "tests/daemon/commands/test_hostile_answers.py::test_what_is_no_answer_ends_a_command_in_words",
        ),
    ),
    Door(
        "page: requests of browsers",
        {
            "hilbridge.cockpit.access": "socket",
            "hilbridge.cockpit.process": "socket",
            "hilbridge.cockpit.recordings": "program socket",
            "hilbridge.cockpit.server": "socket terminal",
            "hilbridge.cockpit.viewer": "socket",
            "hilbridge.cockpit.wire": "json",
            "hilbridge.cockpit.workshop_pages": "json socket",
        },
        (
            "tests/daemon/cockpit/test_wire.py::test_any_json_is_a_command_or_refused",
            "tests/daemon/cockpit/test_workshop_pages.py::test_what_no_page_asks_is_refused",
        ),
    ),
    Door(
        "fabric: queries of viewers, answers of benches, and Zenoh's configuration that a bench names",
        {
            "hilbridge.fabric.door": "json",
            "hilbridge.fabric.feed": "socket",
            "hilbridge.fabric.lab": "socket",
            "hilbridge.fabric.process": "json socket",
            "hilbridge.fabric.server": "socket",
            "hilbridge.fabric.session": "socket",
        },
        (
            "tests/daemon/fabric/test_door.py::test_what_is_no_command_is_answered",
            "tests/daemon/fabric/test_door.py::test_what_is_not_allowed_by_name_never_reaches_the_bench",
            "tests/daemon/fabric/test_summaries.py::test_what_is_none_costs_its_own_line",
        ),
    ),
    Door(
        "metrics: requests",
        {"hilbridge.observe.http_port": "socket"},
        ("tests/daemon/observe/test_http_port.py::test_nonsense_is_refused",),
    ),
    Door(
        "SLCAN, ELM327 and pseudo terminals",
        {
            "hilbridge.links.client_server": "file",
            "hilbridge.links.doors": "file socket",
            "hilbridge.links.socket_link": "socket",
            "hilbridge.links.tty_reader": "file",
        },
        (
            "tests/daemon/diagnostics/elm327/test_interpreter.py::test_ten_thousand_lines_of_noise_are_survived",
            "tests/scenarios/test_bad_input.py::test_a_megabyte_of_random_serial_bytes_is_survived_and_counted",
        ),
    ),
    Door(
        "datagrams of games",
        {"hilbridge.links.udp_port": "socket"},
        ("tests/daemon/inputs/test_udp.py::test_any_bytes_are_survived_by_every_layout",),
    ),
    Door(
        "serial lines, and game controllers (event devices)",
        {
            "hilbridge.links.event_device": "file",
            "hilbridge.links.event_port": "file",
            "hilbridge.links.serial_line": "file serial",
        },
        ("tests/scenarios/test_bad_input.py::test_a_megabyte_of_random_serial_bytes_is_survived_and_counted",),
    ),
    Door(
        "CAN frames",
        {
            "hilbridge.links.can_interface": "file socket",
            "hilbridge.links.helper": "program socket",
            "hilbridge.links.helper_process": "can json socket",
            "hilbridge.links.socketcan": "socket",
        },
        ("tests/scenarios/test_bad_input.py::test_ten_thousand_random_frames_are_survived_and_counted",),
    ),
    Door(
        "lockstep programs: their lines, and the program itself",
        {"hilbridge.lockstep.client": "program socket", "hilbridge.lockstep.opening": "file program socket"},
        (
            "tests/daemon/lockstep/test_lines.py::test_a_wrong_line_is_told_in_words",
            "tests/scenarios/test_lockstep.py::test_a_program_that_nobody_trusts_is_not_run",
        ),
    ),
    Door(
        "labgrid: benches that a coordinator names",
        {
            "hilbridge.labgrid.driver": "cluster",
            "hilbridge.labgrid.exporter": "cluster",
            "hilbridge.labgrid.resources": "cluster file socket",
            "hilbridge.labgrid.ways": "cluster program",
        },
        ("tests/labgrid/test_labgrid.py::test_a_bench_that_is_killed_is_no_longer_available",),
    ),
    Door(
        "nothing foreign: code that is generated from numbers and own identifiers, or has a name in the program",
        {
            "hilbridge.cli": "code file",
            "hilbridge.client": "code",
            "hilbridge.codec.generated": "code",
            "hilbridge.commands": "code",
            "hilbridge.model_build": "code",
            "hilbridge.testing": "code",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: what a process of the run has written for another one, by a pipe or memory of their own",
        {
            "hilbridge.cockpit.setup_message": "file json",
            "hilbridge.control.process": "socket",
            "hilbridge.fabric.setup": "json",
            "hilbridge.links.doorbell": "socket",
            "hilbridge.observe.events": "json",
            "hilbridge.observe.public": "socket",
            "hilbridge.observe.recording_status": "json",
            "hilbridge.observe.recordings": "json program",
            "hilbridge.observe.rings": "file",
            "hilbridge.plan.rest_bus": "code",
            "hilbridge.process.child_process": "code file program",
            "hilbridge.reload.transfer": "code file",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: the kernel, the service manager, and what belongs to whoever started the program",
        {
            "hilbridge.commands.calibrate": "terminal",
            "hilbridge.commands.consent": "terminal",
            "hilbridge.commands.doctor_host": "file program",
            "hilbridge.commands.doctor_machine": "code serial socket",
            "hilbridge.commands.top": "terminal",
            "hilbridge.observe.output": "file socket",
            "hilbridge.observe.process": "file",
            "hilbridge.process.notify": "socket",
            "hilbridge.run.realtime": "code file",
            "hilbridge.process.scheduling": "code",
            "hilbridge.process.signals": "file",
            "hilbridge.run.service": "file",
            "hilbridge.top.keyboard": "file terminal",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: files that are written there, or were a moment ago, and those of the package",
        {
            "hilbridge.benchmarks.child": "code json program",
            "hilbridge.benchmarks.cyclictest": "file json program",
            "hilbridge.benchmarks.daemon": "file json program",
            "hilbridge.benchmarks.report": "file",
            "hilbridge.benchmarks.rig": "file yaml",
            "hilbridge.calibrate.bench_change": "file",
            "hilbridge.campaign.columns": "table",
            "hilbridge.campaign.page": "file",
            "hilbridge.campaign.verdicts": "xml",
            "hilbridge.commands.campaign": "file",
            "hilbridge.commands.new": "file",
            "hilbridge.commands.suite": "file json program",
            "hilbridge.configuration.reference": "file",
            "hilbridge.fit.output": "yaml",
            "hilbridge.scenario.report": "xml",
            "hilbridge.testing.daemon_process": "file json program",
            "hilbridge.testing.pytest_plugin": "code file",
            "hilbridge.testing.real_bench": "file",
        },
        is_foreign=False,
    ),
]
