/// The version of this program.
package enum LinkVersion {
  /// That of the package.
  package static let number = "0.1.0"
}
