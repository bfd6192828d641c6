/// A text from outside: bytes, no more than its reader accepts. It is compared and hashed as bytes.
///
/// A `String` is compared, hashed and searched by canonical equivalence, which takes time quadratic in the longest
/// run of combining characters. Bytes from outside become a `String` only here: as a name, a text, or something to
/// show. From then on, operations on the `String` take time proportional to its length.
package struct OutsideText: Hashable, Sendable {
  /// The bytes as they came.
  package let bytes: [UInt8]

  /// The most combining characters in a row that a text may have: as many as Unicode's stream-safe text format (UAX
  /// #15) allows, and so more than any language needs.
  package static let mostCombiningCharacters = 30

  /// The requirement for a ``text``, for messages: "it is not …".
  package static let requirement =
    "UTF-8 with at most \(mostCombiningCharacters) combining characters in a row"

  /// Returns nil if there are more than `limit` bytes.
  package init?(_ bytes: some Collection<UInt8>, atMost limit: Int) {
    guard bytes.count <= limit else { return nil }
    self.bytes = Array(bytes)
  }

  package static func == (left: OutsideText, right: OutsideText) -> Bool {
    left.bytes.span.hasSameElements(as: right.bytes.span)
  }

  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// The text as a name of printable ASCII without a space; nil if it is another text or empty.
  package var name: String? { Self.name(bytes.span) }

  /// The text; nil if it is not UTF-8 or has more combining characters in a row than
  /// ``mostCombiningCharacters``.
  package var text: String? { Self.text(bytes.span) }

  /// The text for people: `\u{fffd}` replaces bytes that are not UTF-8, and combining characters beyond
  /// ``mostCombiningCharacters`` in a row.
  package var shown: String { Self.shown(bytes.span) }
}

extension OutsideText {
  /// `bytes` as a ``name``.
  package static func name(_ bytes: Span<UInt8>) -> String? {
    guard !bytes.isEmpty else { return nil }
    for index in bytes.indices where !(0x21...0x7e).contains(bytes[index]) { return nil }
    return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
  }

  /// `bytes` as a ``text``.
  package static func text(_ bytes: Span<UInt8>) -> String? {
    // The reason of a failure does not matter.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    guard !text.isKnownASCII else { return String(copying: text) }
    var scalars = text.makeUnicodeScalarIterator()
    var run = CombiningRun()
    while let scalar = scalars.next() {
      guard run.takes(scalar) else { return nil }
    }
    return String(copying: text)
  }

  /// Whether `bytes` are UTF-8.
  package static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    // The reason of a failure does not matter.
    (try? UTF8Span(validating: bytes)) != nil
  }

  /// `bytes` as a ``text``.
  package static func text(_ bytes: some Sequence<UInt8>) -> String? { text(Array(bytes).span) }

  /// `bytes` as a ``shown`` text.
  package static func shown(_ bytes: some Sequence<UInt8>) -> String { shown(Array(bytes).span) }

  /// The arguments of this process, without its name; nil if one of them is not valid as ``text``.
  package static var arguments: [String]? {
    var arguments: [String] = []
    // `CommandLine.arguments` replaces bytes that are not UTF-8.
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        let text = unsafe OutsideText(argument, atMost: .max)?.text
      else { return nil }
      arguments.append(text)
    }
    return arguments
  }

  /// A text that ends with a NUL; nil if there are more than `limit` bytes before the NUL.
  package init?(_ text: UnsafePointer<CChar>, atMost limit: Int) {
    var count = 0
    while unsafe text[count] != 0 {
      count += 1
      guard count <= limit else { return nil }
    }
    bytes = unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
  }

  /// A text that ends with a NUL, as ``shown``, but at most `limit` bytes of it.
  package static func shown(_ text: UnsafePointer<CChar>, upTo limit: Int = .max) -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit, unsafe text[bytes.count] != 0 {
      unsafe bytes.append(UInt8(bitPattern: text[bytes.count]))
    }
    return shown(bytes.span)
  }

  /// `bytes` as a ``shown`` text.
  package static func shown(_ bytes: Span<UInt8>) -> String {
    if let text = text(bytes) { return text }
    var shown = String.UnicodeScalarView()
    var run = CombiningRun()
    let repaired = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    for scalar in repaired.unicodeScalars {
      shown.append(run.takes(scalar) ? scalar : "\u{fffd}")
    }
    return String(shown)
  }

  /// Counts combining characters in a row.
  private struct CombiningRun {
    private var count = 0

    /// Counts `scalar`; returns whether the run still is within the limit.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
      // No combining character is below U+0300.
      let isCombining = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      count = isCombining ? count + 1 : 0
      return count <= OutsideText.mostCombiningCharacters
    }
  }
}
