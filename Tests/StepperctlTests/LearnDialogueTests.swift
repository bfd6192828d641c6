import Glibc
import TestSupport
import Testing

/// `stepperctl learn` with a person at a terminal: each test of `Tests/Learn/test_learn.py` in a process.
@Suite(.serialized, .enabled(if: MockBed.isAvailable, "needs umockdev"))
struct LearnDialogueTests {
  @Test(arguments: [
    "Knob.test_knob_is_found_proved_and_written", "Knob.test_a_second_run_changes_what_the_first_wrote",
    "Knob.test_back_leads_to_the_question_before", "Knob.test_nothing_moves",
    "Knob.test_a_device_that_is_named_is_watched_alone", "Knob.test_print_writes_nothing",
    "Knob.test_interrupting_leaves_everything_as_it_was", "Knob.test_file_keeps_mode_and_link",
    "Knob.test_file_that_changed_meanwhile_is_not_overwritten", "Knob.test_json_is_a_stream_of_objects",
    "NoPermission", "Buttons", "Fader", "LogarithmicFader", "EqualDevices", "NoFile", "Included",
    "Knob.test_file_may_be_named_from_the_working_directory",
    "Knob.test_key_that_repeats_keeps_no_answer_away",
    "Knob.test_answer_at_the_time_of_a_key_is_not_read_silently",
    "Knob.test_device_that_is_unplugged_is_asked_for_again",
    "Knob.test_a_second_knob_that_moves_alike_is_named",
    "Knob.test_range_that_no_control_can_have_is_asked_again", "Knob.test_what_cannot_be_written_is_printed",
    "Knob.test_what_a_push_does_is_asked_once", "Knob.test_lost_connection_is_told",
    "Knob.test_json_ends_with_a_result_whatever_happens",
  ])
  func `a person connects an input to a control`(test: String) async throws {
    let stepperctl = builtProgram("stepperctl")
    let build = String(stepperctl.prefix(upTo: stepperctl.lastIndex(of: "/") ?? stepperctl.endIndex))
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let script = #filePath.replacing("StepperctlTests/LearnDialogueTests.swift", with: "Learn/test_learn.py")
    let run = try await Program.run(
      [script, test],
      environment: [
        "PATH": "/usr/bin:/bin", "TMPDIR": folder, "STEPPERD_BUILD": build, "STEPPERD_PATIENCE": "4",
      ],
      program: "/usr/bin/python3")
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
  }
}
