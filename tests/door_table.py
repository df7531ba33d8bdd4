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
            "hilbridge.files.configuration.benchfile": "yaml",
            "hilbridge.files.configuration.campaignfile": "yaml",
            "hilbridge.files.configuration.layouts": "yaml",
            "hilbridge.files.configuration.profiles": "yaml",
            "hilbridge.files.configuration.scenariofile": "file yaml",
            "hilbridge.files.configuration.units": "yaml",
            "hilbridge.files.configuration.vehiclefile": "yaml",
            "hilbridge.files.configuration.vss": "yaml",
            "hilbridge.files.configuration.yamledit": "yaml",
            "hilbridge.files.configuration.yamlfile": "file yaml",
            "hilbridge.files.configuration.yamlsyntax": "yaml",
            "hilbridge.faces.cockpit.data_sheet": "yaml",
            "hilbridge.faces.cockpit.decoding": "yaml",
            "hilbridge.faces.cockpit.engine_file": "file yaml",
            "hilbridge.commands.file_kinds": "yaml",
            "hilbridge.commands.trust": "yaml",
            "hilbridge.desk.draft.from_bench": "file",
            "hilbridge.desk.fit.targets": "yaml",
        },
        (
            _HOSTILE,
            "tests/daemon/files/configuration/test_yamlfile.py::test_tags_are_refused_and_run_nothing",
            "tests/daemon/files/configuration/test_yamlfile.py::test_an_alias_bomb_is_refused",
        ),
    ),
    Door(
        "code by a name in a file: blocks, components, checksums, identifiers, routines, keys, authentication, "
        "units under test",
        {
            "hilbridge.base.trust.code": "file",
            "hilbridge.base.trust.installed": "file json socket",
            "hilbridge.base.trust.user_function": "code",
        },
        (
            "tests/scenarios/test_strangers_code.py::test_no_command_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_campaign_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_recording_and_no_reload_runs_it",
            "tests/scenarios/test_strangers_code.py::test_no_vehicle_runs_it",
            "tests/daemon/base/trust/test_installed.py::test_what_a_file_cannot_name_is_refused",
            "tests/daemon/base/trust/test_user_function.py::test_what_is_not_of_its_kind_is_refused_and_never_called",
            "tests/daemon/base/trust/test_code.py::test_a_file_without_end_is_no_code",
        ),
    ),
    Door(
        "the interface of python-can that a bench names, and its channel",
        {"hilbridge.boundary.links.python_can": "can code", "hilbridge.testing.real_wire": "can"},
        (
            "tests/daemon/files/settings/test_buses.py::test_a_channel_that_writes_files_is_refused",
            "tests/daemon/files/settings/test_buses.py::test_a_parameter_that_loads_a_library_is_refused",
        ),
    ),
    Door(
        "databases: DBC, KCD, ARXML, SYM",
        {
            "hilbridge.frames.codec.database": "can file",
            "hilbridge.frames.codec.dbc_file": "can",
            "hilbridge.frames.codec.dbc_repair": "can",
            "hilbridge.frames.codec.partial": "can xml",
        },
        (
            _HOSTILE,
            _FUZZED,
            "tests/daemon/frames/codec/test_dbc_statements.py::test_damage_costs_no_message_and_makes_none",
            "tests/daemon/frames/codec/test_partial.py::test_a_lost_message_is_named_when_it_is_asked_for",
        ),
    ),
    Door(
        "descriptions of LIN buses: LDF",
        {"hilbridge.desk.draft.from_ldf": "ldf"},
        ("tests/daemon/desk/draft/test_from_ldf.py::test_what_is_no_description_is_refused",),
    ),
    Door(
        "tables of values (CSV): speed traces, curves, measured values",
        {
            "hilbridge.files.configuration.csvfile": "file table",
            "hilbridge.bench.drive.cycles": "file table",
            "hilbridge.bench.drive.series": "table",
            "hilbridge.desk.learn.known_values": "file table",
        },
        (
            "tests/daemon/bench/drive/test_trace.py::test_what_is_no_text_is_refused",
            "tests/daemon/desk/learn/test_correlation.py::test_values_that_cannot_be_used_are_refused_with_their_line",
        ),
    ),
    Door(
        "images of memory (S-record, Intel HEX, plain bytes)",
        {"hilbridge.bench.diagnostics.uds.memory_file": "file"},
        ("tests/daemon/bench/diagnostics/uds/test_memory_file.py::test_whatever_a_file_holds_it_is_read_or_refused",),
    ),
    Door(
        "logs of a bus, by a process of its own",
        {
            "hilbridge.boundary.logs.account": "json",
            "hilbridge.boundary.logs.blf": "archive",
            "hilbridge.boundary.logs.frames": "json",
            "hilbridge.boundary.logs.mf4": "can file",
            "hilbridge.boundary.logs.process": "file program",
            "hilbridge.boundary.logs.reading": "program",
            "hilbridge.boundary.logs.signals_folder": "file table",
            "hilbridge.boundary.logs.source": "archive file",
            "hilbridge.boundary.logs.traffic": "json program",
            "hilbridge.boundary.record.export": "can",
            "hilbridge.boundary.record.quick_writers": "can",
        },
        (
            _HOSTILE,
            _FUZZED,
            "tests/daemon/boundary/logs/test_bounds.py::test_a_packed_log_that_grows_too_much_is_refused",
            "tests/daemon/boundary/logs/test_bounds.py::test_a_reader_that_makes_nothing_is_ended",
            "tests/daemon/boundary/logs/test_cut.py::test_a_log_cut_off_anywhere_gives_its_whole_frames_with_a_word",
            "tests/daemon/desk/learn/test_log.py::test_a_damaged_log_is_read_or_refused",
            "tests/daemon/desk/clone/test_clone.py::test_a_damaged_log_is_read_or_refused",
            "tests/daemon/faces/explain/test_log_check.py::test_no_log_does_harm",
        ),
    ),
    Door(
        "recordings, and their archives",
        {
            "hilbridge.boundary.record.boundary_records": "json",
            "hilbridge.boundary.record.command_history": "json",
            "hilbridge.boundary.record.manifest": "file json",
            "hilbridge.boundary.record.packed": "archive file",
            "hilbridge.boundary.record.playback": "json",
            "hilbridge.boundary.record.segments": "file",
            "hilbridge.boundary.record.values_file": "can file table",
            "hilbridge.boundary.observe.bench_archive": "archive json",
            "hilbridge.runs.run.replay": "archive",
        },
        (
            "tests/daemon/boundary/record/test_packed.py::test_a_size_that_cannot_be_is_not_believed",
            "tests/daemon/boundary/record/test_packed.py::test_a_block_that_unpacks_to_more_is_none",
            "tests/daemon/boundary/record/test_recording.py::test_an_archive_writes_nothing_outside_of_its_folder",
            "tests/daemon/boundary/record/test_recording.py::test_a_manifest_that_cannot_be_one_is_refused",
            "tests/daemon/boundary/record/test_recording.py::test_an_archive_that_is_none_ends_the_replay",
            "tests/daemon/boundary/record/test_seek.py::test_damage_hides_no_row",
        ),
    ),
    Door(
        "files that a bench takes with it into a recording or a campaign",
        {
            "hilbridge.base.common.bundle_files": "file",
            "hilbridge.boundary.record.zipped": "archive",
        },
        (
            "tests/daemon/runs/campaign/test_runs.py::test_what_cannot_be_run_is_refused_before_the_first_run",
            "tests/daemon/runs/campaign/test_runs.py::test_a_campaign_writes_nothing_beside_its_results",
        ),
    ),
    Door(
        "packages of profiles and layouts, as files or installed: data alone",
        {
            "hilbridge.base.common.archives": "archive",
            "hilbridge.base.packs": "file table",
            "hilbridge.desk.packs.pack": "archive yaml",
        },
        (
            "tests/daemon/desk/packs/test_pack.py::test_a_pack_that_is_not_data_alone_is_refused",
            "tests/daemon/desk/packs/test_pack.py::test_what_is_no_pack_is_refused_and_nothing_is_written",
            "tests/daemon/base/test_packs.py::test_a_package_with_code_is_left_out_and_nothing_of_it_is_run",
        ),
    ),
    Door(
        "rows and manifests of campaigns, and runs on their way to workers",
        {
            "hilbridge.runs.campaign.prepared": "file json program terminal",
            "hilbridge.runs.campaign.results": "file socket",
            "hilbridge.runs.campaign.rows": "json",
            "hilbridge.runs.campaign.ssh_worker": "cluster json terminal",
            "hilbridge.runs.campaign.trials": "json",
        },
        (
            "tests/daemon/runs/campaign/test_runs.py::test_trusted_code_travels_with_its_trust",
            "tests/daemon/runs/campaign/test_rows.py::test_a_line_that_is_no_row_is_not_believed",
            "tests/daemon/runs/campaign/test_rows.py::test_a_row_of_another_run_is_not_believed",
        ),
    ),
    Door(
        "workers of a campaign, whom the user names: Dask, SSH, SLURM",
        {
            "hilbridge.runs.campaign.cluster_runs": "cluster",
            "hilbridge.runs.campaign.clusters": "cluster",
            "hilbridge.runs.campaign.slurm": "cluster yaml",
            "hilbridge.runs.campaign.ssh": "cluster file program",
        },
        ("tests/daemon/runs/campaign/test_engines.py::test_a_wrong_engine_is_refused",),
    ),
    Door(
        "stored state, and the list of trusted code",
        {
            "hilbridge.base.common.lasting_files": "file",
            "hilbridge.boundary.record.state": "file json",
            "hilbridge.commands.state": "yaml",
            "hilbridge.base.common.owner_lock": "file",
            "hilbridge.faces.cockpit.page_token": "file",
            "hilbridge.boundary.record.state_lock": "file",
            "hilbridge.boundary.observe.state_writer": "json",
        },
        (
            "tests/daemon/boundary/record/test_state.py::test_a_changed_number_is_damage",
            "tests/daemon/boundary/record/test_state.py::test_a_format_that_is_none_is_damage",
            "tests/daemon/faces/cockpit/test_page_token.py::test_one_that_others_may_know_is_made_anew",
            "tests/scenarios/test_stored_state.py::test_on_a_state_that_cannot_be_read_no_run_begins",
            "tests/daemon/base/trust/test_gate.py::test_a_list_that_others_may_write_counts_for_nothing",
            "tests/daemon/base/trust/test_gate.py::test_a_damaged_list_trusts_nothing_and_takes_the_next",
        ),
    ),
    Door(
        "control socket: commands to a bench, and its answers",
        {
            "hilbridge.boundary.control.commands": "json",
            "hilbridge.boundary.control.fault_words": "json",
            "hilbridge.boundary.control.lines": "json",
            "hilbridge.boundary.control.server": "json socket",
            "hilbridge.client.sync_client": "socket",
            "hilbridge.faces.xcp.command_stream": "socket",
            "hilbridge.base.common.shape": "json",
            "hilbridge.boundary.control.socket_file": "socket",
            "hilbridge.commands.explain": "json",
            "hilbridge.boundary.links.control_socket": "socket",
        },
        (
            "tests/daemon/boundary/control/test_server.py::test_no_line_that_is_no_command_reaches_the_tick",
            "tests/daemon/boundary/links/test_control_socket.py::test_idle_clients_make_room",
            "tests/daemon/boundary/control/test_answers.py::test_one_bad_row_of_a_part_costs_itself_and_is_told",
            "tests/daemon/commands/test_hostile_answers.py::test_what_is_no_answer_ends_a_command_in_words",
        ),
    ),
    Door(
        "page: requests of browsers",
        {
            "hilbridge.faces.cockpit.access": "socket",
            "hilbridge.faces.cockpit.mending_page": "socket yaml",
            "hilbridge.faces.cockpit.process": "socket",
            "hilbridge.faces.cockpit.recordings": "program socket",
            "hilbridge.faces.cockpit.server": "socket terminal",
            "hilbridge.faces.cockpit.viewer": "socket",
            "hilbridge.faces.cockpit.wire": "json",
            "hilbridge.faces.cockpit.workshop_pages": "json socket",
        },
        (
            "tests/daemon/faces/cockpit/test_wire.py::test_any_json_is_a_command_or_refused",
            "tests/daemon/faces/cockpit/test_workshop_pages.py::test_what_no_page_asks_is_refused",
            "tests/daemon/faces/cockpit/test_mending_page.py::test_the_rules_of_the_cockpit_hold",
        ),
    ),
    Door(
        "fabric: queries of viewers, answers of benches, and Zenoh's configuration that a bench names",
        {
            "hilbridge.faces.fabric.door": "json",
            "hilbridge.faces.fabric.feed": "socket",
            "hilbridge.faces.fabric.lab": "socket",
            "hilbridge.faces.fabric.process": "json socket",
            "hilbridge.faces.fabric.server": "socket",
            "hilbridge.faces.fabric.session": "socket",
        },
        (
            "tests/daemon/faces/fabric/test_door.py::test_what_is_no_command_is_answered",
            "tests/daemon/faces/fabric/test_door.py::test_what_is_not_allowed_by_name_never_reaches_the_bench",
            "tests/daemon/faces/fabric/test_summaries.py::test_what_is_none_costs_its_own_line",
        ),
    ),
    Door(
        "metrics: requests",
        {"hilbridge.boundary.observe.http_port": "socket"},
        ("tests/daemon/boundary/observe/test_http_port.py::test_nonsense_is_refused",),
    ),
    Door(
        "SLCAN, socketcand, ELM327 and pseudo terminals",
        {
            "hilbridge.boundary.links.client_server": "file",
            "hilbridge.boundary.links.doors": "file socket",
            "hilbridge.boundary.links.socket_link": "socket",
            "hilbridge.boundary.links.tty_reader": "file",
        },
        (
            "tests/daemon/bench/diagnostics/elm327/test_interpreter.py::test_ten_thousand_lines_of_noise_are_survived",
            "tests/daemon/boundary/links/test_socketcand.py::test_any_bytes_are_survived",
            "tests/scenarios/test_bad_input.py::test_a_megabyte_of_random_serial_bytes_is_survived_and_counted",
        ),
    ),
    Door(
        "diagnostic databases: PDX, ODX",
        {
            "hilbridge.files.odx.child": "json terminal xml",
            "hilbridge.files.odx.package": "archive xml",
            "hilbridge.files.odx.reader": "file json program",
        },
        (
            _FUZZED,
            "tests/daemon/files/odx/test_reader.py::test_a_hostile_package_is_refused_in_bounds",
        ),
    ),
    Door(
        "diagnostic databases that `hilbridge export` writes",
        {"hilbridge.desk.odx.document": "xml", "hilbridge.desk.odx.export": "archive xml"},
        is_foreign=False,
    ),
    Door(
        "units that `hilbridge fmu` writes: their process, and states that an importer gives back",
        {
            "hilbridge.desk.fmu.archive": "archive code file program",
            "hilbridge.desk.fmu.description": "xml",
            "hilbridge.desk.fmu.runtime": "json program",
            "hilbridge.desk.fmu.worker": "code file json socket",
        },
        (
            "tests/daemon/desk/fmu/test_worker.py::test_any_bytes_are_no_state",
            "tests/daemon/desk/fmu/test_worker.py::test_a_state_brings_no_code",
            "tests/fmi/test_fmpy.py::test_bytes_that_are_no_state_are_refused_and_the_unit_goes_on",
        ),
    ),
    Door(
        "network units that `hilbridge fmu` writes: their process, and operations of FMI-LS-BUS from an importer",
        {
            "hilbridge.desk.fmu.network_archive": "archive",
            "hilbridge.desk.fmu.network_worker": "file json socket",
            "hilbridge.desk.fmu.terminals": "xml",
        },
        (
            _FUZZED,
            "tests/daemon/desk/fmu/test_bus_operations.py::test_any_bytes_are_operations_or_told_as_wrong",
            "tests/daemon/desk/fmu/test_bus_terminal.py::test_any_bytes_are_survived",
            "tests/daemon/desk/fmu/test_network_worker.py::test_any_bytes_on_a_bus_are_survived",
        ),
    ),
    Door(
        "datagrams of games",
        {"hilbridge.boundary.links.udp_port": "socket"},
        ("tests/daemon/bench/inputs/test_udp.py::test_any_bytes_are_survived_by_every_layout",),
    ),
    Door(
        "XCP: connections, datagrams and CAN frames of masters",
        {
            "hilbridge.faces.xcp.can_port": "can socket",
            "hilbridge.faces.xcp.process": "socket",
            "hilbridge.faces.xcp.server": "socket",
            "hilbridge.faces.xcp.tcp_port": "socket",
            "hilbridge.faces.xcp.udp_port": "socket",
        },
        (
            _FUZZED,
            "tests/daemon/faces/xcp/test_slave.py::test_any_packets_are_answered_in_bounds",
            "tests/daemon/faces/xcp/test_ports.py::test_connections_that_say_nothing_shut_no_one_out",
            "tests/daemon/faces/xcp/test_ports.py::test_bytes_that_are_no_packets_end_their_connection",
            "tests/daemon/faces/xcp/test_can.py::test_the_identifier_of_the_master_is_answered_and_no_other",
        ),
    ),
    Door(
        "MCP: messages of an assistant's program, on standard input",
        {"hilbridge.commands.mcp": "terminal", "hilbridge.faces.mcp.server": "json"},
        (
            "tests/daemon/faces/mcp/test_server.py::test_any_bytes_are_answered_by_a_message_or_none",
            "tests/daemon/faces/mcp/test_server.py::test_wrong_arguments_reach_no_bench",
            "tests/daemon/faces/mcp/test_server.py::test_a_line_without_end_is_passed_over",
        ),
    ),
    Door(
        "VSS: what a databroker answers, and the file with the token for it",
        {"hilbridge.faces.vss.broker": "socket", "hilbridge.faces.vss.target": "file"},
        (
            "tests/vss/test_hostile.py::test_any_metadata_are_matched_or_left_out",
            "tests/vss/test_hostile.py::test_strange_answers_are_passed_over_and_printed_plainly",
            "tests/vss/test_hostile.py::test_a_databroker_that_says_nothing_is_given_up",
            "tests/daemon/faces/vss/test_target.py::test_a_file_that_has_no_token_is_refused",
        ),
    ),
    Door(
        "DoIP: connections and datagrams of testers",
        {"hilbridge.boundary.links.doip_server": "socket"},
        (
            _FUZZED,
            "tests/daemon/bench/doip/test_messages.py::test_any_bytes_are_read_in_bounds",
            "tests/daemon/boundary/links/test_doip_server.py::test_connections_that_say_nothing_shut_nobody_out",
        ),
    ),
    Door(
        "serial lines, K-bus and LIN among them, and game controllers (event devices)",
        {
            "hilbridge.boundary.links.event_device": "file",
            "hilbridge.boundary.links.event_port": "file",
            "hilbridge.boundary.links.serial_line": "file serial",
        },
        (
            "tests/scenarios/test_bad_input.py::test_a_megabyte_of_random_serial_bytes_is_survived_and_counted",
            "tests/daemon/bench/lines/test_part.py::test_noise_and_floods_are_counted_and_survived",
        ),
    ),
    Door(
        "CAN frames",
        {
            "hilbridge.boundary.links.adapter": "file socket",
            "hilbridge.boundary.links.can_interface": "file socket",
            "hilbridge.boundary.links.helper": "program socket",
            "hilbridge.boundary.links.helper_process": "can json socket",
            "hilbridge.boundary.links.socketcan": "socket",
        },
        (
            "tests/scenarios/test_bad_input.py::test_ten_thousand_random_frames_are_survived_and_counted",
            "tests/daemon/boundary/links/test_adapter.py::test_an_answer_that_is_cut_off_is_never_a_virtual_interface",
        ),
    ),
    Door(
        "lockstep programs: their lines, and the program itself",
        {
            "hilbridge.boundary.lockstep.client": "socket",
            "hilbridge.boundary.lockstep.elf": "file",
            "hilbridge.boundary.lockstep.hilbridge_lockstep": "socket",
            "hilbridge.boundary.lockstep.labwired_chips": "file yaml",
            "hilbridge.boundary.lockstep.loader": "code",
            "hilbridge.boundary.lockstep.opening": "file program socket",
            "hilbridge.boundary.lockstep.program": "file program",
            "hilbridge.commands.lockstep": "file",
        },
        (
            "tests/daemon/boundary/lockstep/test_lines.py::test_a_wrong_line_is_told_in_words",
            "tests/scenarios/test_lockstep.py::test_a_program_that_nobody_trusts_is_not_run",
            "tests/scenarios/test_firmware.py::test_firmware_that_nothing_runs_is_refused_with_the_reason",
            "tests/scenarios/test_firmware.py::test_firmware_that_is_lost_fails_the_run_with_its_tick",
            "tests/clients/stm32/test_stm32.py::test_settings_that_mean_nothing_are_refused",
        ),
    ),
    Door(
        "FMUs that a bench names: archive, description, and what their processes answer",
        {
            "hilbridge.boundary.fmu.child": "file json socket",
            "hilbridge.boundary.fmu.opening": "socket",
            "hilbridge.boundary.fmu.port": "socket",
            "hilbridge.files.fmu.description": "xml",
            "hilbridge.files.fmu.package": "archive file",
        },
        (
            "tests/daemon/files/fmu/test_package.py::test_a_hostile_archive_is_refused_in_words",
            "tests/daemon/files/fmu/test_description.py::test_a_wrong_description_is_refused_in_words",
            "tests/daemon/boundary/fmu/test_port.py::test_what_is_no_answer_is_told_in_words",
            "tests/fmi/test_import.py::test_nobody_has_trusted_it_and_it_is_not_run",
        ),
    ),
    Door(
        "labgrid: benches that a coordinator names",
        {
            "hilbridge.faces.labgrid.driver": "cluster",
            "hilbridge.faces.labgrid.exporter": "cluster",
            "hilbridge.faces.labgrid.resources": "cluster file socket",
            "hilbridge.faces.labgrid.ways": "cluster program",
        },
        ("tests/labgrid/test_labgrid.py::test_a_bench_that_is_killed_is_no_longer_available",),
    ),
    Door(
        "nothing foreign: code that is generated from numbers and own identifiers, or has a name in the program",
        {
            "hilbridge.commands.cli": "code file",
            "hilbridge.client": "code",
            "hilbridge.frames.codec.generated": "code",
            "hilbridge.commands": "code",
            "hilbridge.base.model_build": "code",
            "vehiclesim.equipment.equipment": "code",
            "hilbridge.testing": "code",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: what a process of the run has written for another one, by a pipe or memory of their own",
        {
            "hilbridge.faces.cockpit.setup_message": "file json",
            "hilbridge.boundary.control.process": "socket",
            "hilbridge.faces.fabric.setup": "json",
            "hilbridge.faces.xcp.setup": "json",
            "hilbridge.bench.xcp.sample_memory": "file",
            "hilbridge.boundary.links.doorbell": "socket",
            "hilbridge.boundary.observe.events": "json",
            "hilbridge.boundary.observe.public": "socket",
            "hilbridge.boundary.observe.recording_status": "json",
            "hilbridge.boundary.observe.recordings": "json program",
            "hilbridge.boundary.observe.rings": "file",
            "hilbridge.frames.plan.rest_bus": "code",
            "hilbridge.base.process.child_process": "code file program",
            "hilbridge.runs.reload.transfer": "code file",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: the kernel, the service manager, and what belongs to whoever started the program",
        {
            "hilbridge.commands.calibrate": "terminal",
            "hilbridge.commands.consent": "terminal",
            "hilbridge.base.process.clock_sync": "code",
            "hilbridge.base.process.last_end": "file",
            "hilbridge.commands.doctor_host": "file",
            "hilbridge.commands.doctor_machine": "code file serial socket",
            "hilbridge.commands.doctor_service": "file",
            "hilbridge.commands.process_client": "file",
            "hilbridge.commands.mend": "file",
            "hilbridge.commands.service": "file",
            "hilbridge.commands.service_unit": "program",
            "hilbridge.commands.run": "program",
            "hilbridge.commands.top": "terminal",
            "hilbridge.boundary.observe.output": "file socket",
            "hilbridge.boundary.observe.process": "file",
            "hilbridge.base.process.notify": "socket",
            "hilbridge.base.process.phone": "socket",
            "hilbridge.runs.run.realtime": "code file",
            "hilbridge.base.process.scheduling": "code",
            "hilbridge.base.process.signals": "file",
            "hilbridge.runs.run.service": "file",
            "hilbridge.faces.top.keyboard": "file terminal",
        },
        is_foreign=False,
    ),
    Door(
        "nothing foreign: files that are written there, or were a moment ago, and those of the package",
        {
            "hilbridge.runs.benchmarks.benches": "json program",
            "hilbridge.runs.benchmarks.child": "code json program",
            "hilbridge.runs.benchmarks.cyclictest": "file json program",
            "hilbridge.runs.benchmarks.daemon": "file json program",
            "hilbridge.runs.benchmarks.idle": "file yaml",
            "hilbridge.runs.benchmarks.lockstep": "socket",
            "hilbridge.runs.benchmarks.report": "file",
            "hilbridge.runs.benchmarks.rig": "file yaml",
            "hilbridge.faces.calibrate.bench_change": "file",
            "hilbridge.runs.campaign.columns": "table",
            "hilbridge.runs.campaign.page": "file",
            "hilbridge.runs.campaign.verdicts": "xml",
            "hilbridge.commands.campaign": "file",
            "hilbridge.commands.new": "file",
            "hilbridge.commands.a2l": "file",
            "hilbridge.desk.a2l.file": "file",
            "hilbridge.commands.suite": "file json program",
            "hilbridge.files.configuration.reference": "file",
            "hilbridge.bench.scenario.report": "xml",
            "hilbridge.testing.daemon_process": "file json program",
            "hilbridge.testing.pytest_plugin": "code file",
            "hilbridge.testing.real_bench": "file",
            "vehiclesim.entries": "table",
            "vehiclesim.sensors": "table",
        },
        is_foreign=False,
    ),
]
