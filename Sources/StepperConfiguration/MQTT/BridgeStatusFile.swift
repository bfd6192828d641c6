/// Where `stepperd-mqtt` writes its state for `stepperctl status`: a file with its process ID and one line of text, in a folder
/// of this name below that of run time.
package enum BridgeStatusFile {
  package static let folder = "stepperd-mqtt"
  package static let name = "status"
}
