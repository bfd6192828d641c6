/// Where `stepperd-mqtt` says how it is, for `stepperctl status`: in a folder of this name below that of run time, a file
/// with its process ID and one line of text.
package enum BridgeStatusFile {
  package static let folder = "stepperd-mqtt"
  package static let name = "status"
}
