/// Why a text is not what the notation of timelines, recordings and engine logs allows: what was found, and what is allowed.
package struct NotationError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// `text` as a message quotes it: on one line, and not longer than a line has room for.
  package static func quoted(_ text: some StringProtocol) -> String { "\"\(text.onOneLine(limit: 80))\"" }
}
