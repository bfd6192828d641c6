import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink
@testable import StepperDaemon

/// Two controls whose values are always set to the same number, so that a mixture of two saves shows.
enum FaultBed {
  static let configuration = """
    [daemon]
    save-after = "1h"
    save-interval = "1h"
    [device.panel]
    virtual = true
    [control.bass]
    maximum = "none"
    [control.volume]
    maximum = "none"
    rotate = "panel:dial"
    """

  static let generations = ["values.json", "values.previous.json"]

  /// The value that both controls have in a file of `folder`; nil if there is no such file, or it is damaged.
  static func savedValue(_ name: String, in folder: TemporaryFolder) throws -> Double? {
    guard folder.contains("state/stepperd/\(name)") else { return nil }
    let contents = ValueFile.decode(Array(try folder.read("state/stepperd/\(name)").utf8))
    guard contents.damage == nil, contents.values.count == 2 else { return nil }
    let numbers = Set(
      contents.values.map { entry in
        if case .number(let number) = entry.value { return "\(number)" }
        return "none"
      })
    guard numbers.count == 1, let number = numbers.first else { throw TestFailure("a mixture: \(numbers)") }
    return Double(number)
  }

  /// The values on the disk: of the newer generation, or of the older one where there is no newer one.
  static func savedValue(in folder: TemporaryFolder) throws -> Double? {
    for name in generations { if let value = try savedValue(name, in: folder) { return value } }
    return nil
  }
}

extension WireClient {
  func set(both value: Double) throws {
    for control in ["bass", "volume"] {
      try call(ControlInterface.Set.self, .init(control: control, value: value))
    }
  }

  /// The value of both controls.
  func value() throws -> Double? {
    let values = try ["bass", "volume"].map { try state(of: $0).value }
    guard values[0] == values[1] else { throw TestFailure("a mixture: \(values)") }
    return values[0]
  }

  /// The name of the error that `Save` is answered with; nil if the values are on the disk.
  func saveFailure() throws -> String? {
    try send(ManagerInterface.Save.self, NoParameters())
    return try reply().error
  }

  /// Whether `Save` succeeds; false also if it is not answered.
  func saves() -> Bool {
    do { return try saveFailure() == nil } catch { return false }
  }
}
