import FoundationEssentials
import Testing

@testable import StepperConfiguration

/// The suite of toml-test for TOML 1.0, as Debian has it with BurntSushi's parser for Go.
@Suite(
  .enabled(if: !ConformanceCase.all.isEmpty, "needs the Debian package golang-github-burntsushi-toml-dev"))
struct TOMLConformanceTests {
  @Test func `the suite is there`() {
    #expect(ConformanceCase.valid.count >= 90 && ConformanceCase.invalid.count >= 230)
  }

  @Test(arguments: ConformanceCase.valid)
  func `what is valid is read as it is meant`(example: ConformanceCase) throws {
    let document = Document(try example.bytes())
    #expect(document.errors.isEmpty)
    #expect(try example.expected().isSame(as: .table(document.root)))
  }

  @Test(arguments: ConformanceCase.invalid)
  func `what is invalid is an error at a place in it`(example: ConformanceCase) throws {
    let bytes = try example.bytes()
    let document = Document(bytes)
    let error = try #require(document.errors.first)
    #expect((0...bytes.count).contains(error.offset) && !error.message.isEmpty)
  }
}

/// A document of the suite.
struct ConformanceCase: CustomTestStringConvertible {
  let path: String
  var testDescription: String { path }

  static let folder =
    "/usr/share/gocode/src/github.com/BurntSushi/toml/internal/toml-test/tests"
  /// Of TOML 1.1.
  static let later = [
    "valid/spec-1.1.0/", "invalid/spec-1.1.0/", "valid/string/escape-esc.toml",
    "valid/string/hex-escape.toml",
    "invalid/string/bad-hex-esc", "valid/datetime/no-seconds.toml", "valid/inline-table/newline.toml",
    "valid/inline-table/newline-comment.toml",
  ]

  static let all: [ConformanceCase] = {
    // Without the package there are none, which is said of the suite.
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { path in path.hasSuffix(".toml") && !later.contains { path.hasPrefix($0) } }.sorted()
      .map(ConformanceCase.init)
  }()
  /// Without texts with a NUL, which are refused on purpose: no program can be given one.
  static let valid = all.filter { example in
    let text = try? String(decoding: example.bytes(), as: UTF8.self)
    return example.path.hasPrefix("valid/") && text?.contains("\\u0000") != true
      && text?.contains("\\x00") != true
  }
  static let invalid = all.filter { $0.path.hasPrefix("invalid/") }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: "\(Self.folder)/\(path)"))) }

  func expected() throws -> ExpectedDocument {
    let json = "\(Self.folder)/\(path.dropLast(".toml".count)).json"
    return try JSONDecoder().decode(ExpectedDocument.self, from: Data(contentsOf: URL(filePath: json)))
  }
}

/// A document as the suite writes it in JSON.
indirect enum ExpectedDocument: Decodable {
  case scalar(type: String, value: String)
  case array([ExpectedDocument])
  case table([String: ExpectedDocument])

  init(from decoder: any Decoder) throws {
    if let array = try? decoder.singleValueContainer().decode([ExpectedDocument].self) {
      self = .array(array)
    } else if let pair = try? decoder.singleValueContainer().decode([String: String].self),
      let type = pair["type"], let value = pair["value"], pair.count == 2
    {
      self = .scalar(type: type, value: value)
    } else {
      self = .table(try decoder.singleValueContainer().decode([String: ExpectedDocument].self))
    }
  }

  func isSame(as node: DocumentNode) -> Bool {
    switch (self, node) {
    case (.scalar("string", let value), .string(let text)): text.isExactly(value)
    case (.scalar("bool", let value), .boolean(let boolean)): "\(boolean)" == value
    case (.scalar("integer", let value), .integer): node.integerValue.map { "\($0)" } == value
    case (.scalar("float", let value), .decimal(let literal)):
      value == "nan"
        ? literal.hasSuffix("nan") : node.doubleValue == Double(value) && node.doubleValue != nil
    case (.scalar(let type, _), .date): type.hasPrefix("date") || type.hasPrefix("time")
    case (.array(let expected), .array(let array)):
      expected.count == array.elements.count
        && zip(expected, array.elements).allSatisfy { $0.isSame(as: $1.node) }
    case (.table(let expected), .table(let table)):
      expected.count == table.entries.count
        && expected.allSatisfy { key, value in table[key].map(value.isSame) == true }
    default: false
    }
  }
}
