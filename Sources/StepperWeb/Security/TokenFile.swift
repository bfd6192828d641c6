/// Who may do what: lines `view TOKEN` and `operate TOKEN`.
struct TokenFile: Sendable {
  enum Right: String, Hashable, Comparable, Sendable {
    case view, operate

    static func < (left: Right, right: Right) -> Bool { left == .view && right == .operate }
  }

  /// Why a file cannot be used.
  struct Failure: Error {
    let message: String
  }

  /// The longest token in bytes.
  static let tokenLimit = 256
  static let fileLimit = 64 << 10

  private let tokens: [(right: Right, token: [UInt8])]

  init(_ text: [UInt8]) throws(Failure) {
    var tokens: [(Right, [UInt8])] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      guard words.count == 2, let right = Right(rawValue: String(decoding: first, as: UTF8.self)) else {
        throw Failure(message: "line \(number) is neither \"view TOKEN\" nor \"operate TOKEN\"")
      }
      guard words[1].count <= Self.tokenLimit, words[1].allSatisfy(Self.isTokenByte) else {
        throw Failure(
          message: "line \(number): a token is at most \(Self.tokenLimit) letters, digits and - . _ ~ + / =")
      }
      tokens.append((right, Array(words[1])))
    }
    guard !tokens.isEmpty else { throw Failure(message: "it has no token") }
    self.tokens = tokens
  }

  /// What a cookie and a header hold without quotes.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~+/=".utf8.contains(byte)
    }
  }

  /// The lengths of the shortest token.
  var shortest: Int { tokens.map(\.token.count).min() ?? 0 }

  /// The right that `token` gives; nil: none. The time it takes tells nothing of the tokens but how many there are.
  func right(of token: String) -> Right? {
    var given = [UInt8](token.utf8.prefix(Self.tokenLimit + 1))
    let length = given.count
    given += [UInt8](repeating: 0, count: Self.tokenLimit + 1 - length)
    var (views, operates): (UInt8, UInt8) = (0, 0)
    for (right, token) in tokens {
      var difference: UInt8 = token.count == length ? 0 : 1
      for index in token.indices { difference |= token[index] ^ given[index] }
      let isEqual: UInt8 = difference == 0 ? 1 : 0
      if right == .view { views |= isEqual } else { operates |= isEqual }
    }
    return operates == 1 ? .operate : views == 1 ? .view : nil
  }
}
