import FoundationEssentials
import StepperInterfaces
import Testing
import Varlink

/// What documents say of limits is what the table says.
@Suite struct LimitsDocumentTests {
  /// Method without `org.stepperd.`, parameter, limit. `true or false` needs no row.
  static let rows: [[String]] = [InterfaceDescription.control, .device, .provider, .manager].flatMap {
    interface in
    interface.limits.flatMap { method in
      method.parameters.filter { $0.limit != .boolean }.map { parameter in
        ["\(method.method.dropFirst("org.stepperd.".count))", parameter.name, "\(parameter.limit)"]
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The lines after `heading` up to `end`.
  private static func lines(of path: String, after heading: String, to end: String) throws -> [String] {
    let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: heading), "\(path) has no \(heading)")
    return Array(lines[(start + 1)...].prefix { $0 != end })
  }

  @Test func `the guide for clients has the table`() throws {
    let table = try Self.lines(
      of: "Documentation/client.md", after: "| method | parameter | limit |", to: "")
    let expected = Self.rows.map { "| `\($0[0])` | `\($0[1])` | \($0[2]) |" }
    #expect(table == ["|---|---|---|"] + expected, "it should be:\n\(expected.joined(separator: "\n"))")
  }

  @Test func `the manual has the table`() throws {
    let table = try Self.lines(
      of: "Documentation/man/org.stepperd.7", after: ".It Sy method Ta Sy parameter Ta Sy limit", to: ".El")
    let expected = Self.rows.map { ".It \($0[0]) Ta \($0[1]) Ta \($0[2])" }
    #expect(table == expected, "it should be:\n\(expected.joined(separator: "\n"))")
  }

  /// Numbers that are repeated where they help.
  @Test(arguments: InterfaceTests.all.flatMap(\.limits).map(\.method))
  func `the comment of a method says no other numbers`(_ method: String) throws {
    let interface = try #require(InterfaceTests.all.first { method.hasPrefix($0.name + ".") })
    let limits = try #require(interface.limits.first { $0.method == method })
    let name = method.dropFirst(interface.name.count + 1)
    let lines = interface.text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.hasPrefix("method \(name)(") })
    let comment = lines[..<line].reversed().prefix { $0.hasPrefix("#") }.reversed().joined(separator: " ")
    let words = comment.split { !$0.isNumber && $0 != "-" }.map(String.init)
    let numbers = words.compactMap(Int64.init)
    // What says something else than a limit: a click's usual time, the end of an effect, the rest of a motor.
    let others: Set<Int64> = [0, 1, 40, 6, 300]
    for number in numbers where !others.contains(number) {
      #expect(
        limits.parameters.contains { Self.numbers(in: $0.limit).contains(number) }, "\(number) of \(name)")
    }
  }

  private static func numbers(in limit: ParameterLimit) -> [Int64] {
    switch limit {
    case .text(let bytes): [Int64(bytes)]
    case .texts(let count, let bytes): [Int64(count), Int64(bytes)]
    case .integer(let range): [range.lowerBound, range.upperBound]
    case .number(let range): [range.lowerBound, range.upperBound].compactMap { Int64(exactly: $0) }
    case .boolean, .object: []
    case .objects(let count): [Int64(count)]
    }
  }
}
