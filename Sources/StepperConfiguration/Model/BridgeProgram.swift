/// The name of a program beside the daemon that bridges its controls to something else or attaches devices. While the
/// program runs, it writes a status file for `stepperctl` into a folder of its name below the runtime directory. The
/// daemon is not involved.
package enum BridgeProgram: String, CaseIterable, Sendable {
  case mqtt = "stepperd-mqtt"
  case link = "stepperd-link"
  case serial = "stepperd-serial"
  case midi = "stepperd-midi"

  /// The name of the program in the output of `stepperctl`.
  package var word: String { String(rawValue.dropFirst("stepperd-".count)) }

  /// The first line is its process ID, the second its status, and each of the others a metric in JSON.
  package static let statusFile = "status"
}
