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

/// The real programs with a real broker: each test of `Tests/MQTT/test_bridge.py` in a process.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
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
  ])
  func `a board is at a broker`(test: String) throws { try play("test_bridge.py", [test]) }
}

/// The rest of them, beside it.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct RealBrokerEndTests {
  @Test(arguments: [
    "Bridge.test_what_others_write_is_repaired",
    "Bridge.test_stepperctl_shows_it", "Bridge.test_forget_clears_everything",
    "Bridge.test_forget_clears_former_names", "Bridge.test_other_names_leave_nothing_behind",
    "Bridge.test_names_of_another_board_are_left", "Bridge.test_access_list_of_the_guide",
    "Bridge.test_check_says_what_would_be", "Bridge.test_one_thread",
    "Losses.test_the_broker_is_killed", "Losses.test_the_daemon_is_killed",
    "Losses.test_the_bridge_is_killed",
    "Losses.test_all_in_any_order",
  ])
  func `a board repairs, clears and keeps what a broker has of it`(test: String) throws {
    try play("test_bridge.py", [test])
  }
}

/// Knobs of radio networks, whose messages come through the broker: the tests of `Tests/MQTT/test_remotes.py`.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct RealRemoteTests {
  @Test(arguments: [
    "Remotes.test_detents", "Remotes.test_retained_of_before", "Remotes.test_a_hold",
    "Remotes.test_a_lost_stop", "Remotes.test_the_broker_is_lost", "Remotes.test_the_bridge_is_killed",
    "Remotes.test_the_daemon_is_killed", "Remotes.test_the_daemon_stands_still",
    "Remotes.test_an_unknown_word_is_logged", "Remotes.test_two_boards",
    "Guide",
  ])
  func `a knob behind a broker is a device`(test: String) throws { try play("test_remotes.py", [test]) }
}

/// The same, in a suite of its own because it takes long and mostly waits.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct RealBrokerTroubleTests {
  @Test(arguments: [
    "Failures.test_unreachable", "Failures.test_password", "Failures.test_certificate_of_a_stranger",
    "Failures.test_name", "Failures.test_another_name", "Failures.test_no_certificate",
    "Failures.test_no_tls", "Failures.test_access", "Failures.test_a_problem_after_a_loss",
    "Failures.test_states_may_not_be_written",
    "Failures.test_a_broker_that_does_not_read",
    "Failures.test_a_message_larger_than_all_memory", "Failures.test_files", "Takeover", "Fleet",
    "Words",
  ])
  func `a board has trouble with a broker`(tests: String) throws { try play("test_bridge.py", [tests]) }
}

/// The rest, beside it for the same reason.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct RealNetworkTests {
  @Test(arguments: ["Identities", "Enrol"])
  func `a board is known by its certificate`(tests: String) throws { try play("test_identities.py", [tests]) }

  @Test func `a board is at a NATS server`() throws {
    try play("test_brokers.py")
  }

  /// A few rounds of `Scripts/stress/mqtt`.
  @Test func `nothing is lost with the network`() throws {
    try play("test_losses.py", more: ["STEPPERD_MQTT_ROUNDS": "3"])
  }

  /// A few schedules of `Tests/Stress/ends.py`.
  @Test func `it ends with exit status 0 while everything happens at once`() throws {
    try play("../Stress/ends.py", ["mqtt", "--seeds", "8"])
  }
}

/// Configurations that are sent to a board: each class of `Tests/MQTT/test_configuration.py`.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct ConfigurationOverTheAirTests {
  @Test(arguments: ["Sent", "RolledBack", "Kept", "Killed", "Words"])
  func `a board is sent its configuration`(tests: String) throws {
    try play("test_configuration.py", [tests])
  }
}

/// The example of guides/shadows.md with a simulated shadow service: each class of `Tests/MQTT/test_shadow.py`.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct ShadowTests {
  @Test(arguments: ["Shadow", "Order", "Losses", "OneBroker", "Functions"])
  func `a shadow has the values of a board`(tests: String) throws {
    try play("test_shadow.py", [tests])
  }
}

/// The example of guides/shadows.md for Azure with a simulated twin: each class of `Tests/MQTT/test_twin.py`.
@Suite(.serialized, .enabled(if: OtherSide.isInstalled, "needs Scripts/setup --test"))
struct TwinTests {
  @Test(arguments: ["Twin", "Order", "Losses", "Functions"])
  func `a twin has the values of a board`(tests: String) throws {
    try play("test_twin.py", [tests])
  }
}

private func play(_ file: String, _ arguments: [String] = [], more: [String: String] = [:]) throws {
  let program = builtProgram("stepperd-mqtt")
  let build = String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.endIndex))
  let script = TemporaryFolder.path(ofSource: "Tests/MQTT/\(file)")
  // The other parts run at the same time, so that what waits for something waits longer.
  var environment = [
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "STEPPERD_BUILD": build, "STEPPERD_PATIENCE": "4",
  ]
  environment.merge(more) { $1 }
  let result = try run(OtherSide.python, [script] + arguments, environment: environment, within: 1_500)
  #expect(result.status == 0, "\(result.output)")
}
