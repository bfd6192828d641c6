import FoundationEssentials
import StepperWire
import Testing

@Suite struct InterfaceTests {
  static let all: [InterfaceDescription] = [.service, .control, .device, .manager, .metrics]

  @Test(arguments: all)
  func `a description is its file, to the byte`(_ interface: InterfaceDescription) throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let path = "\(folder)/Sources/StepperWire/Interfaces/\(interface.name).varlink"
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(interface.text.utf8))
  }

  /// The declarations are compared as text with what the fields of the types would be declared as.
  @Test(arguments: all)
  func `every method, error and type of an interface has a Swift type with its fields`(
    _ interface: InterfaceDescription
  ) {
    let declared = declarations(in: interface.text)
    #expect(declared["interface"] == [interface.name])
    let types = MessageTypes.of(interface.name)
    #expect(Set(types.keys) == Set(declared.keys).subtracting(["interface"]))
    for (name, fields) in types { #expect(fields == declared[name], "\(name)") }
    #expect(
      Set(interface.methods)
        == Set(
          declared.keys.filter { $0.hasPrefix("method ") && $0.hasSuffix(" in") }
            .map { "\(interface.name).\($0.split(separator: " ")[1])" }))
  }
}

/// The fields of every declaration, `name: type`, by `type NAME`, `error NAME`, `method NAME in` and
/// `method NAME out`; enumerations by their cases. Simple: it knows only the layout of these files.
private func declarations(in text: String) -> [String: [String]] {
  let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
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
