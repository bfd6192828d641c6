import Varlink

enum Declarations {
  /// The fields of every declaration, `name: type`, by `type NAME`, `error NAME`, `method NAME in` and
  /// `method NAME out`; enumerations by their cases. Simple: it knows only the layout of these files.
  static func of(_ interface: InterfaceDescription) -> [String: [String]] {
    let lines = interface.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
    var result: [String: [String]] = [:]
    var rest = lines.joined(separator: " ")[...]
    func word() -> String {
      rest = rest.drop { $0 == " " }
      let word = rest.prefix { $0 != " " && $0 != "(" }
      rest = rest.dropFirst(word.count)
      return String(word)
    }
    func list() -> [String] {
      rest = rest.drop { $0 != "(" }.dropFirst()
      let inside = rest.prefix { $0 != ")" }
      rest = rest.dropFirst(inside.count + 1)
      return inside.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }.filter {
        !$0.isEmpty
      }
    }
    while case let keyword = word(), !keyword.isEmpty {
      let name = word()
      switch keyword {
      case "interface": result["interface"] = [name]
      case "method":
        result["method \(name) in"] = list()
        result["method \(name) out"] = list()
      default: result["\(keyword) \(name)"] = list()
      }
    }
    return result
  }
}
