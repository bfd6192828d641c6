/// What a client may do, or what a route requires.
package enum Right: Comparable, CaseIterable, Sendable {
  /// Nothing. A route with this right needs no token.
  case none
  case view, operate

  /// The right's word in the token file and in answers.
  package var word: String {
    switch self {
    case .none: "none"
    case .view: "view"
    case .operate: "operate"
    }
  }
}

/// The right that a token or a request has. Without a token file every client has ``open``.
package struct Grant: Hashable, Sendable {
  package let right: Right
  /// nil: no token is needed.
  package let token: TokenID?

  package static let open = Grant(right: .operate, token: nil)

  package var mayOperate: Bool { right == .operate }
}

/// Identifies a token of the current or a former file, without the token itself. It is stored with streams and holds.
package struct TokenID: Hashable, Sendable {
  let number: UInt64
}
