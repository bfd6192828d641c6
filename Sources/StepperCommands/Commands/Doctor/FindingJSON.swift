internal import Varlink

extension Finding {
  /// The finding for programs. Its members are documented in stepperctl(1).
  var json: JSONObject {
    [
      "finding": name, "reason": reason, "remedies": remedies.map(\.json), "seen": seen, "subject": subject,
      "verdict": verdict.rawValue,
    ]
  }
}

extension Remedy {
  fileprivate var json: JSONObject {
    switch self {
    case .command(let text): ["kind": "command", "text": text]
    case .line(let text, let file): ["file": file, "kind": "line", "text": text]
    case .advice(let text): ["kind": "advice", "text": text]
    }
  }
}
