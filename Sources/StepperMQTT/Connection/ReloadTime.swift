package import StepperCore

/// The time at which the configuration and the files that it names are read again.
package struct ReloadTime {
  /// nil: not until something changes.
  package var due: Instant? { didSet { if due == nil { first = nil } } }
  /// The first change since the files were read.
  private var first: Instant?

  /// The files are read after this time without a change: a certificate and its key are two files.
  private static let pause = Duration.seconds(1)
  /// The longest wait. Other programs that write to the same directories may cause changes without end.
  private static let longestPause = Duration.seconds(5)

  package init() {}

  /// One of the files may have changed.
  package mutating func changed(at now: Instant) {
    let first = first ?? now
    self.first = first
    due = min(now + Self.pause, first + Self.longestPause)
  }
}
