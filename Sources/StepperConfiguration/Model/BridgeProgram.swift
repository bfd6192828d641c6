/// A program beside the daemon that bridges its controls to something, or brings it devices, by its name. While it runs it
/// writes what it says of itself for `stepperctl`: a file in a folder of its name below that of run time. The daemon has no part
/// in it.
package enum BridgeProgram: String, CaseIterable, Sendable {
  case mqtt = "stepperd-mqtt"
  case link = "stepperd-link"
  case serial = "stepperd-serial"
  case midi = "stepperd-midi"

  /// In the output of `stepperctl`.
  package var word: String { String(rawValue.dropFirst("stepperd-".count)) }

  /// The first line is its process ID, the second its status, and each of the others a metric in JSON.
  package static let statusFile = "status"
}
