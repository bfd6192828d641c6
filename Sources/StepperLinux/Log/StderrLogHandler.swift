package import Logging

/// Writes each log message to a ``LogOutput`` as one line, followed by its metadata.
///
/// If standard error is the journal, the line begins with the priority as in sd-daemon(3) (`<4>`), so that
/// `journalctl -p` works; the journal adds the time. Otherwise it begins with the name of the level.
package struct StderrLogHandler: LogHandler {
  package var logLevel = Logger.Level.info
  package var metadata = Logger.Metadata()
  private let output: LogOutput

  package init(_ output: LogOutput) { self.output = output }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var text = event.message.description
    let merged = metadata.merging(event.metadata ?? [:]) { _, own in own }
    for (key, value) in merged.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
    output.write(event.level, text)
  }
}
