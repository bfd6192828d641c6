internal import StepperClient

extension ManagerInterface.Problem {
  /// `FILE:LINE:COLUMN: error: KEY: message`, as compilers write it.
  var text: String {
    var place = file
    if let line { place += ":\(line)" }
    if line != nil, let column { place += ":\(column)" }
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    let meant = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    return "\(place): \(severity == .warning ? "warning" : "error"): \(key)\(message)\(meant)"
  }
}
