internal import Glibc
internal import Varlink

/// A locale of the C library. It has one owner and is queried directly, so that neither the program's own locale nor
/// other threads matter: `localeconv` returns the same static storage to all threads.
@safe final class SystemLocale {
  /// The name under which the C library found the locale.
  let name: String
  private let handle: locale_t

  /// Returns nil if the locale is not installed.
  init?(named name: String) {
    for name in Self.candidates(name) {
      let categories = CInt(LC_CTYPE_MASK) | CInt(LC_NUMERIC_MASK) | CInt(LC_MONETARY_MASK)
      guard let handle = unsafe newlocale(categories, name, nil) else { continue }
      self.name = name
      unsafe self.handle = handle
      return
    }
    return nil
  }

  deinit { unsafe freelocale(handle) }

  /// `de_DE` usually has a legacy character set; `de_DE.UTF-8` is preferred.
  private static func candidates(_ name: String) -> [String] {
    guard !name.contains("."), !["C", "POSIX", ""].contains(name) else { return [name.isEmpty ? "C" : name] }
    let base = name.prefix { $0 != "@" }
    return ["\(base).UTF-8\(name.dropFirst(base.count))", name]
  }

  var numberMarks: NumberMarks { marks(decimal: RADIXCHAR, group: THOUSEP, sizes: __GROUPING) }

  var moneyMarks: NumberMarks {
    marks(decimal: __MON_DECIMAL_POINT, group: __MON_THOUSANDS_SEP, sizes: __MON_GROUPING)
  }

  var currencyMarks: CurrencyMarks {
    CurrencyMarks(
      // The fourth character is the space that C programs put between code and number.
      code: String((text(__INT_CURR_SYMBOL) ?? "").prefix(3)), symbol: text(__CURRENCY_SYMBOL) ?? "",
      symbolPlacement: placement(__P_CS_PRECEDES, __P_SEP_BY_SPACE),
      codePlacement: placement(__INT_P_CS_PRECEDES, __INT_P_SEP_BY_SPACE))
  }

  private func marks(decimal: Int, group: Int, sizes: Int) -> NumberMarks {
    let numbers = bytes(sizes)
    let end = numbers.firstIndex { $0 >= Self.unspecified } ?? numbers.count
    return NumberMarks(
      decimal: mark(decimal) ?? ".", group: mark(group), groupSizes: numbers[..<end].map(Int.init),
      lastSizeRepeats: end == numbers.count)
  }

  private func mark(_ item: Int) -> Character? {
    guard let text = text(item), text.count == 1 else { return nil }
    return text.first
  }

  /// Any kind of space counts, including one between symbol and sign; a locale that does not specify it has one.
  private func placement(_ precedes: Int, _ space: Int) -> CurrencyMarks.Placement {
    .init(precedes: byte(precedes) != 0, isSpaced: byte(space) != 0)
  }

  /// The value of an item that the locale does not specify: 127, or 255, depending on the sign of `char` on the
  /// machine.
  private static let unspecified: UInt8 = 127

  private func byte(_ item: Int) -> UInt8 {
    guard let place = unsafe nl_langinfo_l(nl_item(item), handle) else { return Self.unspecified }
    return unsafe UInt8(truncatingIfNeeded: place.pointee)
  }

  private func bytes(_ item: Int) -> [UInt8] {
    guard let place = unsafe nl_langinfo_l(nl_item(item), handle) else { return [] }
    return unsafe (0..<strlen(place)).map { unsafe UInt8(truncatingIfNeeded: place[$0]) }
  }

  /// The text of an item; nil if it cannot be converted from the locale's character set.
  private func text(_ item: Int) -> String? {
    let bytes = bytes(item)
    guard bytes.contains(where: { $0 >= 0x80 }) else { return OutsideText.shown(bytes) }
    // `mbstowcs` follows the thread's locale. Nothing here suspends, so the former locale is restored on the same
    // thread.
    let before = unsafe uselocale(handle)
    defer { unsafe uselocale(before) }
    var wide = [wchar_t](repeating: 0, count: bytes.count + 1)
    let count = unsafe (bytes.map { CChar(truncatingIfNeeded: $0) } + [0]).withUnsafeBufferPointer {
      unsafe mbstowcs(&wide, $0.baseAddress, bytes.count)
    }
    guard count <= bytes.count else { return nil }
    let scalars = wide[..<count].compactMap { Unicode.Scalar(UInt32(truncatingIfNeeded: $0)) }
    return String(String.UnicodeScalarView(scalars))
  }
}
