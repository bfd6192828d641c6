internal import Varlink

/// The target of a request (RFC 9112, 3.2), that is its path and query. It is parsed once, before anything else sees the request.
///
/// Of the four forms only the origin form is accepted, because this is not a proxy. Each path must have its normal spelling (RFC 3986,
/// 6.2.2): whatever another parser could take for a different path is refused.
package struct RequestTarget: Hashable, Sendable {
  /// Why a target is refused, for people.
  package struct Fault: Error, Hashable {
    package let reason: String
  }

  /// The most bytes of a path, the most bytes of a name in it, and the most names.
  static let pathLimit = 4_096
  static let nameLimit = 255
  static let depthLimit = 32
  /// The most parameters of a query.
  static let parameterLimit = 128

  private struct Parameter: Hashable {
    let name: [UInt8]
    let value: [UInt8]
  }

  /// The names between the slashes, decoded: UTF-8 without `/`, `\` and control characters. None of them is empty.
  package let names: [[UInt8]]
  /// Whether the path ends with a slash.
  package let isFolder: Bool
  private let parameters: [Parameter]
  /// The path as received: printable ASCII characters.
  private let path: [UInt8]
  private let query: [UInt8]

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
    (self.path, query) = (Array(path), Array(text[path.endIndex...]))
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
    // Some servers cut off a name at a semicolon.
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

  /// The characters of a path (RFC 3986, 3.3), and others that browsers leave unencoded.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !"\"#<>?\\`{}".utf8.contains(byte)
  }

  /// Characters that are refused in encoded form: letters, digits and `-._~`, which have only one spelling; slashes; control characters.
  private static func hasNoEncoding(_ byte: UInt8) -> Bool {
    byte.isNameByte || byte < 0x20 || byte == 0x7f || "._~/\\".utf8.contains(byte)
  }
}

extension RequestTarget {
  /// The same target with a slash at the end of the path.
  var withSlash: String { OutsideText.shown(path + [UInt8(ascii: "/")] + query) }

  /// The decoded values of the query parameter `name`.
  package func values(_ name: String) -> [[UInt8]] {
    parameters.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
  }
}

/// The percent-encoding of bytes in URLs (RFC 3986, 2.1).
package enum PercentEncoding {
  /// nil: a `%` is not followed by two digits, or a refused byte is encoded.
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
