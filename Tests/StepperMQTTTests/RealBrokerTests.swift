import FoundationEssentials
import TestSupport
import Testing

/// What the other side of the bridge needs.
private enum OtherSide {
  static let python = "\(builtProgram(""))../../python/bin/python"

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto")
      && FileManager.default.fileExists(atPath: "\(builtProgram(""))../../python/paho-version")
  }
}

/// The real programs with a real broker: tests of `Tests/MQTT`, each in a process. They wait most of the time, so that many run at once.
@Suite(.enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct RealBrokerTests {
  @Test(arguments: [
    "Bridge.test_a_board_appears", "Bridge.test_values_go_both_ways",
    "Bridge.test_hostile_messages_do_no_harm", "Bridge.test_a_retained_set_is_ignored",
    "Bridge.test_a_button_is_told_as_a_moment",
    "Bridge.test_an_adjusted_range_is_announced_before_its_states",
    "Bridge.test_a_reload_removes_and_adds", "Bridge.test_a_birth_is_answered",
    "Bridge.test_a_reload_is_announced_without_a_pause", "Bridge.test_another_table_is_used",
    "Bridge.test_many_groups_are_followed", "Bridge.test_a_certificate_ends_soon",
    "Bridge.test_it_ends_while_a_change_is_due",
    "Bridge.test_a_file_with_an_error_while_it_connects_anew",
    "Bridge.test_a_password_and_a_certificate_are_changed",
    "Bridge.test_a_password_in_a_busy_directory",
    "Bridge.test_a_change_is_found_where_nothing_can_be_watched",
    "Bridge.test_what_others_write_is_repaired",
    "Bridge.test_stepperctl_shows_it", "Bridge.test_forget_clears_everything",
    "Bridge.test_forget_clears_former_names", "Bridge.test_other_names_leave_nothing_behind",
    "Bridge.test_names_of_another_board_are_left", "Bridge.test_access_list_of_the_guide",
    "Bridge.test_check_says_what_would_be", "Bridge.test_one_thread",
  ])
  func `a board is at a broker`(test: String) async throws { try await play("test_bridge.py", [test]) }

  @Test(arguments: [
    "Losses.test_the_broker_is_killed", "Losses.test_the_daemon_is_killed",
    "Losses.test_the_bridge_is_killed", "Losses.test_all_in_any_order",
    "Failures.test_unreachable", "Failures.test_password", "Failures.test_certificate_of_a_stranger",
    "Failures.test_name", "Failures.test_another_name", "Failures.test_no_certificate",
    "Failures.test_no_tls", "Failures.test_access", "Failures.test_a_problem_after_a_loss",
    "Failures.test_states_may_not_be_written",
    "Failures.test_quality_of_service_2",
    "Failures.test_a_message_larger_than_all_memory",
    "Failures.test_what_the_broker_says", "Failures.test_retaining_is_allowed_again",
    "Failures.test_retaining_is_refused_later",
    "Failures.test_files", "Takeover", "Fleet",
    "Words",
  ])
  func `a board has trouble with a broker`(tests: String) async throws {
    try await play("test_bridge.py", [tests])
  }

  /// Knobs of radio networks, whose messages come through the broker.
  @Test(arguments: [
    "Remotes.test_detents", "Remotes.test_retained_of_before", "Remotes.test_a_hold",
    "Remotes.test_a_lost_stop", "Remotes.test_the_broker_is_lost", "Remotes.test_the_bridge_is_killed",
    "Remotes.test_the_daemon_is_killed", "Remotes.test_the_daemon_stands_still",
    "Remotes.test_an_unknown_word_is_logged", "Remotes.test_two_boards",
    "Guide",
  ])
  func `a knob behind a broker is a device`(test: String) async throws {
    try await play("test_remotes.py", [test])
  }

  @Test(arguments: ["Identities", "Enrol"])
  func `a board is known by its certificate`(tests: String) async throws {
    try await play("test_identities.py", [tests])
  }

  @Test func `a board is at a NATS server`() async throws {
    try await play("test_brokers.py")
  }

  /// A few rounds of `Scripts/stress/mqtt`.
  @Test func `nothing is lost with the network`() async throws {
    try await play("test_losses.py", more: ["STEPPERD_MQTT_ROUNDS": "3"])
  }

  /// A few schedules of `Tests/Stress/ends.py`.
  @Test func `it ends with exit status 0 while everything happens at once`() async throws {
    try await play("../Stress/ends.py", ["mqtt", "--seeds", "8"])
  }

  @Test(arguments: ["Sent", "RolledBack", "Kept", "Killed", "Words"])
  func `a board is sent its configuration`(tests: String) async throws {
    try await play("test_configuration.py", [tests])
  }

  /// The example of guides/shadows.md with a simulated shadow service.
  @Test(arguments: ["Shadow", "Order", "Losses", "OneBroker", "Functions"])
  func `a shadow has the values of a board`(tests: String) async throws {
    try await play("test_shadow.py", [tests])
  }

  /// The example of guides/shadows.md for Azure with a simulated twin.
  @Test(arguments: ["Twin", "Order", "Losses", "Functions"])
  func `a twin has the values of a board`(tests: String) async throws {
    try await play("test_twin.py", [tests])
  }
}

private func play(_ file: String, _ arguments: [String] = [], more: [String: String] = [:]) async throws {
  let program = builtProgram("stepperd-mqtt")
  let build = String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.endIndex))
  let script = TemporaryFolder.path(ofSource: "Tests/MQTT/\(file)")
  // The other parts run at the same time, so that what waits for something waits longer.
  let environment = [
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "STEPPERD_BUILD": build, "STEPPERD_PATIENCE": "4",
  ].merging(more) { $1 }
  // On a thread of its own: a test that blocks would keep one of the few that all tests share.
  let result = try await onThread {
    try run(OtherSide.python, [script] + arguments, environment: environment, within: 1_500)
  }
  #expect(result.status == 0, "\(result.output)")
}
