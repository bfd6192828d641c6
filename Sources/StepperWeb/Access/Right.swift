/// What a client may do, or what a route requires.
package enum Right: UInt8, Comparable, CaseIterable, Sendable {
  /// Nothing; of a route: it needs no token.
  case none
  case view, operate

  package static func < (left: Right, right: Right) -> Bool { left.rawValue < right.rawValue }

  /// Its word in the file of tokens and in answers.
  package var word: String {
    switch self {
    case .none: "none"
    case .view: "view"
    case .operate: "operate"
    }
  }
}

/// The right of a token, or of a request. Without a file of tokens every client has ``open``.
package struct Grant: Hashable, Sendable {
  package let right: Right
  /// nil: no token is needed.
  package let token: TokenID?

  package static let open = Grant(right: .operate, token: nil)

  package var mayOperate: Bool { right == .operate }
}

/// A token of the present or a former file, without the token itself: what is kept with streams and holds.
package struct TokenID: Hashable, Sendable {
  let number: UInt64
}
