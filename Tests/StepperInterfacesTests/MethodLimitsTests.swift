import StepperInterfaces
import Testing
import Varlink

/// The table of limits against the interface descriptions, and calls against the table.
@Suite struct MethodLimitsTests {
  static let rows = InterfaceTests.all.flatMap { interface in
    interface.limits.flatMap { method in
      method.parameters.map { Row(method: method.method, parameter: $0.name, limit: $0.limit) }
    }
  }

  struct Row: CustomTestStringConvertible {
    let method: String
    let parameter: String
    let limit: ParameterLimit

    var testDescription: String { "\(method) \(parameter)" }
  }

  private let service = VarlinkService(
    vendor: "v", product: "p", version: "1", url: "https://example.com",
    interfaces: InterfaceDescription.stepperd)

  @Test(arguments: InterfaceTests.all)
  func `every parameter of every method has a limit of its type, and nothing else has`(
    _ interface: InterfaceDescription
  ) {
    let declared = Declarations.of(interface)
    #expect(interface.limits.map(\.method) == interface.methods)
    for method in interface.limits {
      let name = method.method.dropFirst(interface.name.count + 1)
      let rows = method.parameters.map { "\($0.name): \(Self.type(of: $0.limit))" }
      // An enumeration is a text here, and what is optional makes no difference.
      let parameters = (declared["method \(name) in"] ?? []).map { parameter in
        let (name, type) = Self.parts(parameter)
        let list = type.prefix { "[]".contains($0) }
        let members = declared["type \(type.dropFirst(list.count))"]
        let isEnumeration = members?.allSatisfy { !$0.contains(":") }
        return
          "\(name): \(list)\(isEnumeration.map { $0 ? "string" : "object" } ?? "\(type.dropFirst(list.count))")"
      }
      #expect(rows == parameters, "\(method.method)")
    }
  }

  private static func type(of limit: ParameterLimit) -> String {
    switch limit {
    case .text: "string"
    case .texts: "[]string"
    case .integer: "int"
    case .number: "float"
    case .boolean: "bool"
    case .object: "object"
    case .objects: "[]object"
    }
  }

  /// `name: ?type` without the question mark.
  private static func parts(_ parameter: String) -> (name: Substring, type: Substring) {
    let name = parameter.prefix { $0 != ":" }
    return (name, parameter.dropFirst(name.count).drop { ": ?".contains($0) })
  }

  // MARK: At the limit and beyond

  @Test(arguments: rows) func `what is at the limit is let through`(_ row: Row) throws {
    // Whether a parameter may be absent is for the method to say, which this service leaves to the caller of its own.
    let null = row.method.hasPrefix(ServiceInterface.name) ? [] : ["null"]
    for json in Self.allowed(row.limit) + null {
      #expect(try refused(row, json) == nil, "\(json.prefix(80))")
    }
  }

  @Test(arguments: rows) func `what is beyond the limit is refused with the parameter's name`(_ row: Row)
    throws
  {
    for json in Self.refused(row.limit) {
      #expect(try refused(row, json) == row.parameter, "\(json.prefix(80))")
    }
  }

  /// The parameter that a call with `json` for the row's is refused for; nil: its limits are kept.
  private func refused(_ row: Row, _ json: String) throws -> String? {
    let parameters = try VarlinkParameters(json: "{\"\(row.parameter)\":\(json)}".utf8)
    let reply = service.answer(VarlinkCall(row.method, parameters: parameters))
    return reply?.failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter
  }

  private static func allowed(_ limit: ParameterLimit) -> [String] {
    switch limit {
    case .text(let bytes):
      // A message has no room for as many escapes as a configuration has bytes.
      let escapes = bytes <= 10_000 ? [text(of: "\\u0041", bytes)] : []
      return [text(of: "x", bytes), "\"\"", "\"\\\"\""] + escapes
    case .texts(let count, let bytes):
      let full = "[\(repeating: text(of: "x", bytes), count)]"
      return [full, "[]", " [ \"a\" , \"b\" ] "]
    case .integer(let range):
      let ends = [range.lowerBound, range.upperBound].flatMap { ["\($0)", "\($0).0", "\($0)e0"] }
      return ends + (range.contains(0) ? ["-0"] : [])
    case .number(let range):
      return ["\(range.lowerBound)", "\(range.upperBound)", "0", "-0.0", "1", "1e-999", "0.\(zeros(300))1"]
    case .boolean: return ["true", "false"]
    case .object: return ["{}", #"{"a":[1,{"b":null}]}"#]
    case .objects(let count): return ["[]", "[\(repeating: "{}", count)]", #" [ {"a":1} , {} ] "#]
    }
  }

  private static func refused(_ limit: ParameterLimit) -> [String] {
    let hostile = [
      "[\(repeating: "{}", 300)]", "[\(repeating: "0", 300)]", "{\"a\":{\"b\":[]}}", nested(60),
    ]
    let numbers = [
      "1e400", "-1E400", "1e999999999999999999999", "1\(zeros(2_000))", "0.\(zeros(2_000))1",
      "-1\(zeros(400))",
    ]
    switch limit {
    case .text(let bytes):
      let beyond = bytes <= 10_000 ? [text(of: "x", bytes + 1), text(of: "\\u0000", bytes + 1)] : []
      return hostile + beyond + ["0", "true", "[\"x\"]"]
    case .texts(let count, let bytes):
      return hostile + [
        "[\(repeating: "\"\"", count + 1)]", "[\(repeating: "\"a*\"", 1_000)]",
        "[\(text(of: "x", bytes + 1))]",
        "[1]", "[null]", "\"x\"", "1",
      ]
    case .integer(let range):
      let (below, above) = (range.lowerBound - 1, range.upperBound + 1)
      return hostile + numbers + [
        "\(below)", "\(above)", "1.5", "1e300", "\"1\"", "true", "9223372036854775808",
      ]
    case .number(let range):
      let beyond =
        range == ParameterLimit.finiteNumbers
        ? [] : ["\(range.lowerBound.nextDown)", "\(range.upperBound.nextUp)", "1e308", "-1e308"]
      return hostile + numbers + beyond + ["\"1\"", "true"]
    case .boolean: return hostile + ["0", "1", "\"true\""]
    case .object: return ["[{}]", "\"x\"", "1", "true", nested(60)]
    case .objects(let count):
      return ["[\(repeating: "{}", count + 1)]", "[1]", "[{},null]", "[[]]", "{}", "\"x\"", "1", nested(60)]
    }
  }

  private static func text(of character: String, _ count: Int) -> String {
    "\"" + String(repeating: character, count: count) + "\""
  }
  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  // MARK: Names that a caller makes up

  @Test(arguments: rows) func `an unknown parameter is refused, with as much of its name as helps`(_ row: Row)
    throws
  {
    for name in ["x", String(repeating: "x", count: 5_000), String(repeating: "\\u0001", count: 1_000)] {
      let call = VarlinkCall(row.method, parameters: try .init(json: "{\"\(name)\":null}".utf8))
      let reply = try #require(service.answer(call))
      #expect(reply.failure?.name == ServiceInterface.InvalidParameter.name)
      #expect(reply.encoded().count < 600)
    }
  }

  @Test(arguments: ["org.stepperd.control.", "x", "org.example.", ""])
  func `the name of a method is repeated only if it could be one`(_ beginning: String) throws {
    let call = VarlinkCall(beginning + String(repeating: "x", count: 5_000) + ".Get")
    let reply = try #require(service.answer(try VarlinkCall(decoding: call.encoded().dropLast())))
    #expect(reply.failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter == "method")
  }

  @Test func `a message's unknown member is named in so many bytes`() {
    let name = "e" + String(repeating: "\u{301}", count: 20_000)
    let error = #expect(throws: VarlinkMessageError.self) {
      try VarlinkCall(decoding: "{\"\(name)\":1}".utf8)
    }
    #expect((error?.reason.utf8.count ?? .max) < 100)
  }

  @Test(arguments: [
    ("volume", 6, "volume"), ("volume", 5, "vo…"), ("äöü", 5, "ä…"), ("äöü", 6, "äöü"), ("xyz", 2, "…"),
    ("e\u{301}\u{301}\u{301}", 6, "e\u{301}…"),
  ])
  func `a text is cut between its characters' parts`(_ text: String, _ limit: Int, _ clipped: String) {
    #expect(Array(text.clipped(toBytes: limit).unicodeScalars) == Array(clipped.unicodeScalars))
  }

  @Test func `an interface without limits is not held to any`() throws {
    let text = "interface org.example\nmethod Do(a: string) -> ()\n"
    let service = VarlinkService(
      vendor: "", product: "", version: "", url: "", interfaces: [.init(name: "org.example", text: text)])
    let parameters = try VarlinkParameters(json: "{\"a\":\(Self.text(of: "x", 50_000)),\"b\":1}".utf8)
    #expect(service.answer(VarlinkCall("org.example.Do", parameters: parameters)) == nil)
  }
}

extension String.StringInterpolation {
  /// `text` so many times, with commas between.
  fileprivate mutating func appendInterpolation(repeating text: String, _ count: Int) {
    appendLiteral(Array(repeating: text, count: count).joined(separator: ","))
  }
}
