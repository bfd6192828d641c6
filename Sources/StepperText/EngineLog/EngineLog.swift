package import StepperCore
import Varlink

/// Writes the inputs of an engine and its effects as the lines of an engine log, from which the effects can be
/// reproduced exactly. The format is documented in recordings.md.
///
/// It does no I/O: ``takeBytes()`` returns the bytes to write. Lines that do not fit into the buffer are left out and
/// counted. When there is room again, the log continues with the configuration in force.
package struct EngineLog {
  /// Lines that ``takeBytes()`` has not returned yet.
  private var bytes: [UInt8] = []
  private let bufferLimit: Int
  /// The number of bytes that may still be written to the file.
  private var bytesLeft: Int64
  private let start: Instant
  private let inputs: InputText
  /// The tables of the connected devices, by device number.
  private var tables: [DeviceNumber: String] = [:]
  private var names: ControlNames
  /// The configuration in force.
  private var configuration: NamedText
  /// The number of inputs and wakeups that were left out since the last line.
  private var gap: Int64 = 0
  /// The number of all inputs and wakeups that were left out.
  package private(set) var lostCount: Int64 = 0
  /// Whether the last line was written, because the daemon ended or the file reached its limit.
  package private(set) var hasEnded = false

  /// A configuration file: its name for people, and its bytes.
  package struct NamedText: Hashable, Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The first line.
  package static let version = "stepperd-log 1"
  /// Room in the file for the last line.
  private static let reserve: Int64 = 256

  /// Begins the log of `engine`, which was just created with `configuration`. The buffer holds `bufferLimit` bytes and
  /// the configurations; the file holds `fileLimit` bytes.
  package init(
    of engine: Engine, _ configuration: NamedText, comment: String, codes: CodeNames, bufferLimit: Int,
    fileLimit: Int64
  ) {
    start = engine.now
    names = ControlNames(of: engine)
    self.configuration = configuration
    self.bufferLimit = bufferLimit
    bytesLeft = fileLimit - Self.reserve
    inputs = InputText(codes)
    let sequence = engine.sequence - Int64(engine.ids.count)
    put("\(Self.version)\n# \(comment.onOneLine())\nstart \(TimeText.text(start)) \(sequence)\n" + block)
  }

  /// Whether there is something to write.
  package var isEmpty: Bool { bytes.isEmpty }
  /// The number of bytes to write.
  package var count: Int { bytes.count }

  /// Everything to write since the last call.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  // MARK: Entries

  /// Notes that `engine` was advanced to its present time with `input` and returned `effects`. A wakeup without effects
  /// is not written.
  package mutating func note(_ input: Input?, _ effects: ArraySlice<Effect>, _ engine: Engine) {
    guard !hasEnded, input != nil || !effects.isEmpty else { return }
    if case .configured = input { names = ControlNames(of: engine) }
    if case .deviceAdded(let id, let capabilities) = input { tables[id] = capabilities.settingsName }
    let text = input.map { inputs.text($0, names) { tables[$0] } } ?? ""
    if case .deviceRemoved(let id) = input { tables[id] = nil }
    guard bytes.count < bufferLimit else {
      gap += 1
      lostCount += 1
      return
    }
    closeGap(at: engine.now)
    if case .configured = input { put(block) }
    let line = Words.line(
      TimeText.text(Instant(nanoseconds: engine.now.nanoseconds(since: start))), text, "->",
      EffectText(names, namesAll: true).text(effects), "#\(EffectDigest.text(effects))")
    put("\(line)\n")
  }

  /// Sets the configuration that the next input `configured` puts into force.
  package mutating func configure(_ configuration: NamedText) { self.configuration = configuration }

  /// Notes why the log ends. Nothing is written after it.
  package mutating func end(_ reason: String) {
    guard !hasEnded else { return }
    if gap > 0 { append("lost \(gap)\n") }
    gap = 0
    append("end \(QuotedText.write(reason))\n")
    hasEnded = true
  }

  /// Writes how many inputs are missing, and begins again with the configuration in force.
  private mutating func closeGap(at now: Instant) {
    guard gap > 0 else { return }
    let time = TimeText.text(Instant(nanoseconds: now.nanoseconds(since: start)))
    put("lost \(gap)\n\(block)\(time) configure\n")
    gap = 0
  }

  private var block: String {
    let lines = configuration.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return "configuration \(QuotedText.write(configuration.name))\n"
      + lines.map { "| \(OutsideText.shown($0))\n" }.joined()
  }

  // MARK: Bytes

  private mutating func put(_ text: String) {
    guard !hasEnded else { return }
    guard text.utf8.count <= bytesLeft else {
      end("the file has reached its limit")
      return
    }
    bytesLeft -= Int64(text.utf8.count)
    append(text)
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }
}
