import FoundationEssentials
import StepperCore
import StepperSystem
import SystemPackage

/// Remembers values over a restart: one small JSON file, written whole or not at all, a while after the last
/// change and not too often.
final class ValueStore {
  private let file: AtomicFile
  private(set) var schedule: SaveSchedule
  /// Decimal texts by control; empty where a value is unset.
  private var values: [String: String] = [:]

  /// The file's format.
  private struct Contents: Codable {
    var version = 1
    var values: [String: String]
  }

  /// More than this is no file of ours.
  private static let largestFile = 1 << 20

  init(directory: String, saveAfter: Duration, saveInterval: Duration) {
    file = AtomicFile(FilePath("\(directory)/values.json"))
    schedule = SaveSchedule(saveAfter: saveAfter, saveInterval: saveInterval)
  }

  /// What was remembered; nothing before the first time.
  ///
  /// Throws, in words, if there is a file that cannot be read or is damaged. It is not touched before the
  /// next change of a value.
  func load() throws(Failure) -> [String: FixedPoint?] {
    let bytes: [UInt8]?
    do throws(AtomicFile.Failure) {
      bytes = try file.read(limit: Self.largestFile)
    } catch {
      throw Failure(path: file.path.string, message: "\(error)")
    }
    guard let bytes else { return [:] }
    do {
      values = try JSONDecoder().decode(Contents.self, from: Data(bytes)).values
    } catch {
      throw Failure(path: file.path.string, message: "\(file.path) is damaged; starting with initial values")
    }
    return values.compactMapValues { text in
      text.isEmpty ? .some(nil) : FixedPoint(text).map { .some($0) }
    }
  }

  /// A value has changed.
  func remember(_ value: FixedPoint?, of control: String, at now: Instant) {
    let text = value?.description ?? ""
    guard values.updateValue(text, forKey: control) != text else { return }
    schedule.changed(at: now)
  }

  func reschedule(saveAfter: Duration, saveInterval: Duration) {
    schedule.saveAfter = saveAfter
    schedule.saveInterval = saveInterval
  }

  /// Writes now. A failure is tried again after the usual interval, as long as there is something to write.
  func save(at now: Instant) throws(Failure) {
    schedule.attempted(at: now)
    do {
      try createDirectory(file.path.removingLastComponent(), permissions: .ownerReadWriteExecute)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try file.write(Array(encoder.encode(Contents(values: values))))
    } catch {
      schedule.changed(at: now)
      throw Failure(path: file.path.string, message: "\(error)")
    }
  }

  struct Failure: Error {
    var path: String
    var message: String
  }
}

/// When to write: some time after the last change, so that a turn of a knob is one write, but with a pause
/// between writes that spares flash memory.
struct SaveSchedule: Hashable {
  var saveAfter: Duration
  var saveInterval: Duration
  private var lastChange: Instant?
  private var lastSave: Instant?

  init(saveAfter: Duration, saveInterval: Duration) {
    self.saveAfter = saveAfter
    self.saveInterval = saveInterval
  }

  mutating func changed(at now: Instant) { lastChange = now }

  mutating func attempted(at now: Instant) { (lastChange, lastSave) = (nil, now) }

  /// Whether there is anything to write.
  var isPending: Bool { lastChange != nil }

  /// When to write; nil while there is nothing.
  var deadline: Instant? {
    guard let lastChange else { return nil }
    let settled = lastChange + saveAfter
    return lastSave.map { max(settled, $0 + saveInterval) } ?? settled
  }
}
