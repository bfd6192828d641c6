import StepperClient

/// A daemon that takes every device and answers at once.
struct AnsweringDaemon {
  /// How many devices it has taken; the last one is `hN`.
  private(set) var handles = 0
  /// `attach NAME`, `detach`, `lost KEYS`, `CODE VALUE`.
  private var log: [String] = []

  mutating func answer(_ call: DeviceAttachment.Call) -> DeviceAttachment.Answer {
    switch call {
    case .attach(let parameters):
      handles += 1
      log.append("attach \(parameters.identity.name)")
      return .attached(handle: "h\(handles)")
    case .detach:
      log.append("detach")
      return .done
    case .report(let report):
      if let lost = report.lost { log.append("lost \(lost.keysDown)") }
      log += (report.frames ?? []).flatMap(\.events).map { "\($0.code) \($0.value)" }
      return .done
    }
  }

  /// What it was called for since the last call of this.
  mutating func take() -> [String] {
    defer { log = [] }
    return log
  }
}
