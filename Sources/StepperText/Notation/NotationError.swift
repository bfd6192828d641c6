/// A violation of the notation of timelines, recordings and engine logs: what was found, and what is allowed.
package struct NotationError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// `text` in quotes for a message: on one line and truncated to fit it.
  package static func quoted(_ text: some StringProtocol) -> String { "\"\(text.onOneLine(limit: 80))\"" }
}
