/// The file of a daemon's socket.
package struct SocketFacts: Hashable, Sendable {
  package var path: String
  /// Nil: there is none, or the caller may not look into its directory.
  package var status: FileStatus?
  package var directory: FileStatus?

  package init(path: String) { self.path = path }

  init(_ root: SystemRoot, _ path: String) {
    self.init(path: path)
    status = root.status(path)
    directory = root.status(path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
  }
}
