internal import NIOCore

/// The threads of the program, fewer than NIO has by default on a large machine: a panel needs few, the service manager limits them, and
/// NIO ends the process if one cannot be started.
package enum WebThreads {
  /// The threads that serve connections.
  static let loops = min(System.coreCount, 8)
  /// The threads that wait for files on other disks.
  private static let readers = min(System.coreCount, 4)

  /// Must be called once, before NIO is used.
  package static func limit() {
    NIOSingletons.groupLoopCountSuggestion = loops
    NIOSingletons.blockingPoolThreadCountSuggestion = readers
  }
}
