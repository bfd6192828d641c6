internal import Varlink

/// The target of a request (RFC 9112, 3.2): its path and query, read once, before anything else sees the request.
///
/// Of the four forms only the origin form is understood, because this is not a proxy. Of each path only the normal spelling is
/// (RFC 3986, 6.2.2): what another reader of the same bytes could take for another path is refused.
package struct RequestTarget: Hashable, Sendable {
  /// Why a target is refused, in words.
  package struct Fault: Error, Hashable {
    package let reason: String
  }

  /// The most bytes of a path, of a name in it, and the most names.
  static let pathLimit = 4_096
  static let nameLimit = 255
  static let depthLimit = 32
  /// The most parameters of a query.
  static let parameterLimit = 128

  private struct Parameter: Hashable {
    let name: [UInt8]
    let value: [UInt8]
  }

  /// The names between the slashes, decoded: UTF-8 without `/`, `\` and control characters, none of them empty.
  package let names: [[UInt8]]
  /// Whether the path ends with a slash.
  package let isFolder: Bool
  private let parameters: [Parameter]

  package init(_ text: some BidirectionalCollection<UInt8>) throws(Fault) {
    let mark = text.firstIndex(of: UInt8(ascii: "?"))
    let path = text[..<(mark ?? text.endIndex)]
    guard path.first == UInt8(ascii: "/") else {
      throw Fault(reason: "the address must be a path, which begins with /")
    }
    guard path.count <= Self.pathLimit else {
      throw Fault(reason: "the path is longer than \(Self.pathLimit) bytes")
    }
    var names = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    isFolder = names.last?.isEmpty ?? true
    if isFolder { names.removeLast() }
    guard names.count <= Self.depthLimit else {
      throw Fault(reason: "the path has more than \(Self.depthLimit) names")
    }
    var decoded: [[UInt8]] = []
    for name in names { decoded.append(try Self.name(name)) }
    self.names = decoded
    parameters = if let mark { try Self.parameters(text[text.index(after: mark)...]) } else { [] }
  }

  private static func name(_ text: some Collection<UInt8>) throws(Fault) -> [UInt8] {
    guard !text.isEmpty else { throw Fault(reason: "the path has an empty name, between two slashes") }
    guard text.allSatisfy(isPathByte) else {
      throw Fault(reason: "the path has a character that has to be encoded, or a backslash")
    }
    guard let name = PercentEncoding.decoded(text, unless: hasNoEncoding) else {
      throw Fault(
        reason: "the path has % without two digits, or before a character that is not encoded in a path")
    }
    guard name.count <= nameLimit else {
      throw Fault(reason: "a name of the path is longer than \(nameLimit) bytes")
    }
    guard OutsideText.text(name) != nil else {
      throw Fault(reason: "the path is not \(OutsideText.requirement)")
    }
    // Some servers cut a name at a semicolon.
    let start = name.prefix { $0 != UInt8(ascii: ";") }
    guard !start.elementsEqual(".".utf8), !start.elementsEqual("..".utf8) else {
      throw Fault(reason: "the path has . or .. as a name")
    }
    return name
  }

  private static func parameters(_ text: some Collection<UInt8>) throws(Fault) -> [Parameter] {
    guard text.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw Fault(reason: "the query has a character that has to be encoded")
    }
    let words = text.split(separator: UInt8(ascii: "&"))
    guard words.count <= parameterLimit else {
      throw Fault(reason: "the query has more than \(parameterLimit) parameters")
    }
    var parameters: [Parameter] = []
    for word in words {
      let start = word.prefix { $0 != UInt8(ascii: "=") }
      guard let name = PercentEncoding.decoded(start),
        let value = PercentEncoding.decoded(word.dropFirst(start.count + 1)),
        OutsideText.text(name) != nil, OutsideText.text(value) != nil
      else {
        throw Fault(
          reason: "a parameter of the query has % without two digits, or is not \(OutsideText.requirement)")
      }
      parameters.append(Parameter(name: name, value: value))
    }
    return parameters
  }

  /// The characters of a path (RFC 3986, 3.3), and those that browsers leave as they are beside them.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !"\"#<>?\\`{}".utf8.contains(byte)
  }

  /// What is never encoded in a path: letters, digits and `-._~`, for whom it has one spelling; slashes; control
  /// characters.
  private static func hasNoEncoding(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte < 0x20 || byte == 0x7f || "._~/\\".utf8.contains(byte)
  }
}

extension RequestTarget {
  /// The values of the parameter `name` of the query, decoded.
  package func values(_ name: String) -> [[UInt8]] {
    parameters.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
  }
}

/// The encoding of bytes in addresses (RFC 3986, 2.1).
package enum PercentEncoding {
  /// nil: a `%` is without its two digits, or it encodes a byte that is refused.
  package static func decoded(
    _ text: some Sequence<UInt8>, unless isRefused: (UInt8) -> Bool = { _ in false }
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
      let decoded = UInt8(high << 4 | low)
      if isRefused(decoded) { return nil }
      bytes.append(decoded)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> Int? { Character(Unicode.Scalar(byte)).hexDigitValue }
}
