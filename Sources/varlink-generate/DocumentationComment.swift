/// A comment of a description, as a Swift documentation comment.
struct DocumentationComment {
  /// The paragraphs, each one line that ends with a full stop or a colon; quoted words become code.
  private let paragraphs: [String]

  init(_ comment: String) {
    paragraphs = comment.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy { $0 == " " } }
      .map { Self.asSentence($0.joined(separator: " ").inOneLine) }
  }

  var isEmpty: Bool { paragraphs.isEmpty }

  /// The first sentence.
  var summary: DocumentationComment {
    let first = paragraphs.first ?? ""
    return DocumentationComment(
      String(first.prefix(upTo: first.firstRange(of: ". ")?.lowerBound ?? first.endIndex)))
  }

  /// The lines of the comment, wrapped to fit after `indentation` spaces.
  func lines(indentation: Int) -> [String] {
    paragraphs.map { wrapped($0, to: 110 - indentation - 4) }
      .joined(separator: [""]).map { $0.isEmpty ? "///" : "/// \($0)" }
  }

  private static func asSentence(_ text: String) -> String {
    let code = text.replacing(/"([^"]+)"/) { "`\($0.output.1)`" }
    return code.isEmpty || code.hasSuffix(".") || code.hasSuffix(":") ? code : code + "."
  }

  private func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
