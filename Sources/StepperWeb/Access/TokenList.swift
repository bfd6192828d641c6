internal import Varlink

/// The rights of tokens, read from the lines `view TOKEN` and `operate TOKEN` of a file.
package struct TokenList: Sendable {
  /// Why a file cannot be used.
  package struct Failure: Error, Hashable {
    package let message: String
  }

  /// The shortest and the longest token in bytes. Sixteen random letters cannot be guessed over a network.
  package static let shortest = 16
  package static let longest = 256
  package static let fileLimit = 64 << 10

  private struct Entry: Sendable {
    let right: Right
    let token: [UInt8]
    let id: TokenID
  }

  private var entries: [Entry] = []
  /// The ID number for the next token that was not in the file before.
  private var next: UInt64

  /// An empty list that follows `former`.
  package init(after former: TokenList? = nil) { next = former?.next ?? 1 }

  /// Reads the tokens of a file, and what is wrong with its other lines. Tokens that `former` has with the same right keep their IDs.
  package static func read(
    _ text: [UInt8], after former: TokenList = TokenList()
  ) -> (tokens: TokenList, failures: [Failure]) {
    var tokens = TokenList(after: former)
    var failures: [Failure] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      do throws(Failure) {
        guard let (right, token) = try Self.token(of: line, number: number) else { continue }
        tokens.add(right, token, after: former)
      } catch {
        failures.append(error)
      }
    }
    if tokens.isEmpty, failures.isEmpty {
      failures.append(Failure(message: "it has no line \"view TOKEN\" or \"operate TOKEN\""))
    }
    return (tokens, failures)
  }

  private mutating func add(_ right: Right, _ token: [UInt8], after former: TokenList) {
    let known = former.entries.first { $0.right == right && $0.token == token }
    entries.append(Entry(right: right, token: token, id: known?.id ?? TokenID(number: next)))
    if known == nil { next += 1 }
  }

  /// nil: the line is empty or a comment.
  private static func token(
    of line: ArraySlice<UInt8>, number: Int
  ) throws(Failure) -> (right: Right, token: [UInt8])? {
    let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    guard let first = words.first, first.first != UInt8(ascii: "#") else { return nil }
    let right = [Right.view, .operate].first { first.elementsEqual($0.word.utf8) }
    guard words.count == 2, let right else {
      throw Failure(message: "line \(number) is neither \"view TOKEN\" nor \"operate TOKEN\"")
    }
    try check(words[1], line: number)
    return (right, Array(words[1]))
  }

  private static func check(_ token: ArraySlice<UInt8>, line: Int) throws(Failure) {
    guard token.count >= shortest else {
      throw Failure(
        message: "line \(line): a token has at least \(shortest) characters, so that it cannot be guessed; "
          + "\"stepperd-web --new-token\" prints one")
    }
    guard token.count <= longest, token.allSatisfy(isTokenByte) else {
      throw Failure(message: "line \(line): a token is at most \(longest) letters, digits and - . _ ~ + / =")
    }
  }

  /// The bytes that a cookie and a header can carry without quotes.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isNameByte || ".~+/=".utf8.contains(byte)
  }

  /// The right of `token`; nil: it is not in the file. The time of this comparison depends only on the number and length of the tokens.
  package func grant(of token: some Collection<UInt8>) -> Grant? {
    var given = [UInt8](token.prefix(Self.longest + 1))
    let length = given.count
    given += [UInt8](repeating: 0, count: Self.longest + 1 - length)
    var found: Grant?
    for entry in entries {
      var difference: UInt8 = entry.token.count == length ? 0 : 1
      for index in entry.token.indices { difference |= entry.token[index] ^ given[index] }
      if difference == 0, found.map({ $0.right < entry.right }) ?? true {
        found = Grant(right: entry.right, token: entry.id)
      }
    }
    return found
  }

  /// Whether the list still has the token, with the same right.
  package func has(_ id: TokenID) -> Bool { entries.contains { $0.id == id } }

  package var isEmpty: Bool { entries.isEmpty }
}
