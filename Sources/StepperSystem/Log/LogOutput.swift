internal import Glibc
package import Logging
internal import StepperCore
import StepperText
internal import Synchronization
internal import SystemPackage

/// Where log lines go: each is one write, and none waits. A line that is not taken is lost and counted.
///
/// The counters are atomic because a log handler may be used on any thread; there is no lock.
package final class LogOutput: Sendable {
  /// The longest line in bytes, its end included: what a pipe takes whole.
  package static let lineLimit = SharedOutput.atomicSize

  package enum Style: Hashable, Sendable {
    /// `<4>message`
    case journal
    /// `warning: message`; an ordinary message stands alone.
    case plain
  }

  private let output: SharedOutput
  private let style: Style
  private let lost = Atomic(0)
  private let unreported = Atomic(0)
  /// Whether the last line was taken only in part.
  private let isTorn = Atomic(false)

  /// `descriptor` must stay open as long as this is used.
  package init(style: Style = .ofStandardError, descriptor: CInt = STDERR_FILENO) {
    self.style = style
    output = SharedOutput(descriptor)
  }

  /// How many lines were lost since the start.
  package var lostCount: Int64 { Int64(lost.load(ordering: .relaxed)) }

  /// Whether lines were lost that no line has reported yet.
  package var hasUnreported: Bool { unreported.load(ordering: .relaxed) > 0 }

  /// Writes `message`, whatever it consists of, as one line; before it, how many were lost.
  package func write(_ level: Logger.Level, _ message: String) {
    guard reportLost(), put(level, message) else {
      lost.wrappingAdd(1, ordering: .relaxed)
      unreported.wrappingAdd(1, ordering: .relaxed)
      return
    }
  }

  /// Writes how many lines were lost, if any were; whether that succeeded or there was nothing to report.
  @discardableResult
  package func reportLost() -> Bool {
    let count = unreported.load(ordering: .relaxed)
    guard count != 0 else { return true }
    let subject = count == 1 ? "1 message was" : "\(count) messages were"
    guard put(.warning, "\(subject) lost because standard error took no more") else { return false }
    unreported.wrappingSubtract(count, ordering: .relaxed)
    return true
  }

  private func put(_ level: Logger.Level, _ message: String) -> Bool {
    let prefix = style.prefix(of: level)
    let limit = Self.lineLimit - 2 - prefix.utf8.count
    // What was written of a torn line is ended first, so that this one is a line of its own.
    let start = isTorn.load(ordering: .relaxed) ? "\n" : ""
    let bytes = Array("\(start)\(prefix)\(message.onOneLine(limit: limit))\n".utf8)
    let count: Int
    do throws(Errno) {
      count = try output.write(bytes[...])
    } catch {
      // Where the log itself cannot be written, the count is all that can be told.
      return false
    }
    if count > 0 { isTorn.store(count < bytes.count, ordering: .relaxed) }
    return count == bytes.count
  }
}

extension LogOutput.Style {
  /// The style for standard error as it is now.
  package static var ofStandardError: Self {
    of(descriptor: STDERR_FILENO, journalStream: environmentVariable("JOURNAL_STREAM"))
  }

  /// `journal` if `descriptor` is the stream that `$JOURNAL_STREAM` (`DEVICE:INODE`) names.
  ///
  /// The variable alone says little: it is inherited by children whose standard error goes elsewhere.
  package static func of(descriptor: CInt, journalStream: String?) -> Self {
    guard let journalStream else { return .plain }
    let numbers = journalStream.split(separator: ":").map { UInt64($0) }
    var status = stat()
    guard numbers.count == 2, unsafe fstat(descriptor, &status) == 0,
      numbers[0] == UInt64(status.st_dev), numbers[1] == UInt64(status.st_ino)
    else { return .plain }
    return .journal
  }

  fileprivate func prefix(of level: Logger.Level) -> String {
    switch self {
    case .journal: "<\(level.syslogPriority)>"
    case .plain: level.isOrdinary ? "" : "\(level): "
    }
  }
}

extension Logger.Level {
  /// As in syslog(3): 3 is an error, 7 is for debugging.
  fileprivate var syslogPriority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  fileprivate var isOrdinary: Bool { self == .info || self == .notice }
}
