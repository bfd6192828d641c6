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

/// The rights of a token. Without a file of tokens every client has ``open``.
package struct Grant: Hashable, Sendable {
  package let right: Right
  /// nil: no token is needed.
  package let token: TokenID?

  package static let open = Grant(right: .operate, token: nil)
}

/// A token of the present or a former file, without the token itself: what is kept with streams and holds.
package struct TokenID: Hashable, Sendable {
  let number: UInt64
}

/// What a request may do, as handlers get it.
package struct Access: Hashable, Sendable {
  package let right: Right
  /// nil: there is no file of tokens, or the route needs none.
  package let token: TokenID?
  /// Whether no client may change anything.
  let isReadOnly: Bool

  package var mayOperate: Bool { right == .operate && !isReadOnly }
}

/// Why a request is refused.
package struct Refusal: Error, Hashable {
  /// The status code of HTTP.
  package let status: Int
  /// A sentence for people.
  package let detail: String
  /// The methods of the path, if it is the method that is refused.
  package var methods: [String] = []
  /// In how many seconds it may work.
  package var retryAfter: Int?

  init(_ status: Int, _ detail: String) { (self.status, self.detail) = (status, detail) }
}
