/// The version of the programs.
package nonisolated enum Version {
  package static let number = "0.1.0"
  package static let vendor = "stepperd"
  package static let url = "https://github.com/stepperd/stepperd"
}
