internal import Glibc
package import Logging

/// Writes each log message to standard error as one line, with one `write`.
///
/// When standard error is the journal, the line begins with the priority as sd-daemon(3) has it (`<4>`), so
/// that `journalctl -p` works; the journal adds the time itself. Otherwise the level is written out.
package struct StderrLogHandler: LogHandler {
  package var logLevel = Logger.Level.info
  package var metadata = Logger.Metadata()
  private let style: Style
  private let descriptor: CInt

  package enum Style: Hashable, Sendable {
    /// `<4>message`
    case journal
    /// `warning: message`; an ordinary message stands alone.
    case plain
  }

  /// `descriptor` must stay open as long as the handler is used.
  package init(style: Style = .ofStandardError, descriptor: CInt = STDERR_FILENO) {
    self.style = style
    self.descriptor = descriptor
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var line = text(of: event)
    line.withUTF8 { bytes in
      // Where the log itself cannot be written there is nobody left to tell.
      _ = unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  /// A message of several lines becomes one: to the journal and to a reader of a file, a line is an entry.
  private func text(of event: LogEvent) -> String {
    var line =
      switch style {
      case .journal: "<\(event.level.syslogPriority)>"
      case .plain: event.level.isOrdinary ? "" : "\(event.level): "
      }
    line += event.message.description.split(separator: "\n").joined(separator: "; ")
    let merged = metadata.merging(event.metadata ?? [:]) { _, own in own }
    for (key, value) in merged.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
    return line + "\n"
  }
}

extension StderrLogHandler.Style {
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
