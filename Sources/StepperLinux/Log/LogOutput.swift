internal import Glibc
package import Logging
internal import StepperCore
import StepperText
internal import Synchronization
internal import SystemPackage

/// The destination of log lines. Each line is one write without waiting. Lines that are not accepted are lost and
/// counted.
///
/// The counters are atomic, and there is no lock, because a log handler may be used on any thread.
package final class LogOutput: Sendable {
  /// Maximum length of a line in bytes, including its end: the size that a pipe accepts atomically.
  package static let lineLimit = SharedOutput.atomicSize

  package enum Style: Hashable, Sendable {
    /// `<4>message`
    case journal
    /// `warning: message`; an ordinary message has no prefix.
    case plain
  }

  private let output: SharedOutput
  private let style: Style
  private let lost = Atomic(0)
  private let unreported = Atomic(0)
  /// Whether the last line was accepted only in part.
  private let isTorn = Atomic(false)

  /// `descriptor` must stay open as long as this is used.
  package init(style: Style = .ofStandardError, descriptor: CInt = STDERR_FILENO) {
    self.style = style
    output = SharedOutput(descriptor)
  }

  /// The number of lines lost since the start.
  package var lostCount: Int64 { Int64(lost.load(ordering: .relaxed)) }

  /// Whether lines were lost since the last report of lost lines.
  package var hasUnreported: Bool { unreported.load(ordering: .relaxed) > 0 }

  /// Writes `message` as one line, whatever it contains, preceded by a line with the number of lost lines.
  package func write(_ level: Logger.Level, _ message: String) {
    guard reportLost(), put(level, message) else {
      lost.wrappingAdd(1, ordering: .relaxed)
      unreported.wrappingAdd(1, ordering: .relaxed)
      return
    }
  }

  /// Writes the number of lost lines, if any; returns false if that failed.
  @discardableResult
  package func reportLost() -> Bool {
    let count = unreported.load(ordering: .relaxed)
    guard count != 0 else { return true }
    let subject = count == 1 ? "1 message was" : "\(count) messages were"
    guard put(.warning, "\(subject) lost because standard error was not writable") else { return false }
    unreported.wrappingSubtract(count, ordering: .relaxed)
    return true
  }

  private func put(_ level: Logger.Level, _ message: String) -> Bool {
    let prefix = style.prefix(of: level)
    let limit = Self.lineLimit - 2 - prefix.utf8.count
    // An incomplete line is ended first, so that this message starts a new line.
    let start = isTorn.load(ordering: .relaxed) ? "\n" : ""
    let bytes = Array("\(start)\(prefix)\(message.onOneLine(limit: limit))\n".utf8)
    let count: Int
    do throws(Errno) {
      count = try output.write(bytes[...])
    } catch {
      // If the log cannot be written, only the number of lost messages can be reported.
      return false
    }
    if count > 0 { isTorn.store(count < bytes.count, ordering: .relaxed) }
    return count == bytes.count
  }
}

extension LogOutput.Style {
  /// The style for the present standard error.
  package static var ofStandardError: Self {
    of(descriptor: STDERR_FILENO, journalStream: environmentVariable("JOURNAL_STREAM"))
  }

  /// `journal` if `descriptor` is the stream that `$JOURNAL_STREAM` (`DEVICE:INODE`) names.
  ///
  /// The variable alone is not sufficient: children inherit it even if their standard error is redirected.
  package static func of(descriptor: CInt, journalStream: String?) -> Self {
    guard let journalStream else { return .plain }
    let numbers = journalStream.split(separator: ":").map { UInt64($0) }
    guard numbers.count == 2, let status = stat(of: descriptor),
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
  /// The priority of syslog(3): 3 is an error, 7 is for debugging.
  package var syslogPriority: Int64 {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  /// The level that includes messages with this priority of syslog(3), 0 to 7.
  package init(syslogPriority: Int64) {
    self = Self.allCases.first { $0 != .trace && $0.syslogPriority <= syslogPriority } ?? .critical
  }

  fileprivate var isOrdinary: Bool { self == .info || self == .notice }
}
