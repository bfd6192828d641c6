/// What somebody may do, or what a route asks for.
package enum Right: UInt8, Comparable, CaseIterable, Sendable {
  /// Nothing; of a route: whoever asks.
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

/// What a token gives. Without a file of tokens everybody has ``open``.
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

/// What the one who asks may do, as handlers get it.
package struct Access: Hashable, Sendable {
  package let right: Right
  /// nil: there is no file of tokens, or the route asks for none.
  package let token: TokenID?
  /// Whether nobody may change anything here.
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
