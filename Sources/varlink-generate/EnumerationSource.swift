import Varlink

/// The Swift source of an enumeration.
///
/// A sentence in its comment may say how a reader treats unknown words, and the generated type follows it: either an
/// unknown word is read as another word, or clients ignore it. Without such a sentence, a message with an unknown
/// word is refused.
struct EnumerationSource {
  let name: String
  let comment: String
  let words: [VarlinkWord]

  func lines() throws(UnsupportedType) -> [String] {
    for word in words { try SwiftNames.check(word: word.name) }
    let sentence = comment.inOneLine
    let documentation = DocumentationComment(comment).lines(indentation: 2)
    if sentence.contains("ignore those they do not know") { return documentation + openType() }
    guard let match = sentence.firstMatch(of: /treat an unknown [^."]* as "([^"]+)"/) else {
      return documentation + closedType(reading: [])
    }
    let fallback = String(match.output.1)
    guard words.contains(where: { $0.name == fallback }) else {
      throw UnsupportedType(what: "\(name) has no word '\(fallback)', which unknown ones are treated as")
    }
    return documentation + closedType(reading: tolerantReading(SwiftNames.escaped(fallback)))
  }

  private func closedType(reading: [String]) -> [String] {
    let cases: [String] =
      words.allSatisfy(\.comment.isEmpty)
      ? ["case \(words.map { SwiftNames.escaped($0.name) }.joined(separator: ", "))"]
      : words.flatMap {
        DocumentationComment($0.comment).lines(indentation: 4) + ["case \(SwiftNames.escaped($0.name))"]
      }
    return [
      "public enum \(name): String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {"
    ]
      + (cases + reading).indented + ["}"]
  }

  private func tolerantReading(_ fallback: String) -> [String] {
    [
      "", "/// Reads any text; a word that is not known here is ``\(fallback)``.",
      "public init(json value: JSONValue) throws(JSONMisfit) {",
      "  self = Self(rawValue: try String(json: value)) ?? .\(fallback)", "}",
    ]
  }

  private func openType() -> [String] {
    let constants = words.flatMap { word in
      let documentation = DocumentationComment(word.comment.isEmpty ? "\"\(word.name)\"" : word.comment)
      return documentation.lines(indentation: 4)
        + ["public static let \(SwiftNames.escaped(word.name)) = Self(rawValue: \"\(word.name)\")"]
    }
    let members =
      [
        "/// The word on the wire.", "public let rawValue: String", "",
        "/// The one of that word, which may be one that is not known here.",
        "public init(rawValue: String) { self.rawValue = rawValue }", "",
      ] + constants
    return [
      "public struct \(name): RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable {"
    ]
      + members.indented + ["}"]
  }
}
