extension TrustedProxies {
  /// The most hops that are searched for the client.
  private static let hopLimit = 16

  /// The address of the client that sent `head` over a connection from `peer`: the address added by a trusted proxy, else `peer`.
  ///
  /// Each proxy appends the address that it saw to the field (RFC 7239, 7.1), so that anything written by the client itself comes first.
  /// Therefore the field is read from its end, up to the first address that is not a trusted proxy. If both fields are present and
  /// differ, one of them passed through the proxy unchanged, and neither is used.
  package func client(of peer: String, _ head: RequestHead) -> String {
    guard contains(peer) else { return peer }
    let given = [
      head.forwarded.map { client(in: $0, Self.forwarded) },
      head.forwardedFor.map { client(in: $0, Self.plain) },
    ].compactMap(\.self)
    guard let first = given.first, given.allSatisfy({ $0 == first }) else { return peer }
    return first ?? peer
  }

  /// nil: the field names no client.
  private func client(in field: [UInt8], _ address: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?) -> String? {
    // Only the end of a long field counts.
    let end = field.suffix(1_024).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    var last: String?
    for hop in end.suffix(Self.hopLimit).reversed() {
      guard let text = address(hop.trimmed), let found = Self.address(Self.withoutPort(text)) else {
        return nil
      }
      last = found
      guard addresses.contains(found) else { return found }
    }
    return last
  }

  /// An element of `X-Forwarded-For`.
  private static func plain(_ hop: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { hop }

  /// An element of `Forwarded`: `for=192.0.2.43;proto=http`, `for="[2001:db8::1]:4711"`.
  private static func forwarded(_ hop: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let name = "for="
    let pair = hop.split(separator: UInt8(ascii: ";")).map(\.trimmed).first { hasPrefix($0, name) }
    guard let value = pair?.dropFirst(name.utf8.count) else { return nil }
    let quote = UInt8(ascii: "\"")
    return value.count > 1 && value.first == quote && value.last == quote
      ? value.dropFirst().dropLast() : value
  }

  /// `192.0.2.43:4711` and `[2001:db8::1]:4711` without port and brackets.
  private static func withoutPort(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let colon = UInt8(ascii: ":")
    if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) {
      let rest = text[text.index(after: end)...]
      return rest.isEmpty || rest.first == colon ? Array(text[..<end].dropFirst()) : Array(text)
    }
    return Array(text.count { $0 == colon } == 1 ? text.prefix { $0 != colon } : text)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without spaces and tabs at both ends.
  var trimmed: ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
