/// The decimal mark and the grouping of thousands of a locale.
struct NumberMarks: Hashable, Sendable {
  /// The mark between the whole part and the fraction.
  var decimal: Character = "."
  /// The mark between groups of digits; nil: no grouping.
  var group: Character?
  /// The sizes of the groups, from the decimal mark leftwards. The last one repeats: sizes 3 and 2 give 12,34,567.
  var groupSizes: [Int] = []
  /// Whether the last size repeats; otherwise all digits left of it form one group.
  var lastSizeRepeats = true

  /// `digits` with the grouping marks.
  func grouped(_ digits: String) -> String {
    guard let group, group != decimal else { return digits }
    var rest = digits[...]
    var groups: [Substring] = []
    var sizes = groupSizes[...]
    while let size = sizes.first, size > 0, rest.count > size {
      groups.append(rest.suffix(size))
      rest = rest.dropLast(size)
      if sizes.count > 1 || !lastSizeRepeats { sizes.removeFirst() }
    }
    return ([rest] + groups.reversed()).joined(separator: String(group))
  }

  /// The digits of `text`, which has either no grouping marks or all of them where ``grouped(_:)`` puts them; nil if
  /// a mark is elsewhere. So `1.5` is never read as 15 where the point is a grouping mark.
  func ungrouped(_ text: Substring) -> String? {
    guard let group, text.contains(where: { isGroup($0, group) }) else { return String(text) }
    let written = String(text.map { isGroup($0, group) ? group : $0 })
    let digits = written.filter { $0 != group }
    return digits.first != "0" && written == grouped(digits) ? digits : nil
  }

  /// Whether `character` stands for the mark `group`. Spaces of any width are equal, and so are straight and curved
  /// apostrophes, because keyboards lack the printed ones.
  private func isGroup(_ character: Character, _ group: Character) -> Bool {
    let apostrophes: Set<Character> = ["'", "\u{2019}"]
    return character == group || (group.isWhitespace && character.isWhitespace)
      || (apostrophes.contains(group) && apostrophes.contains(character))
  }
}

/// How a locale writes its own currency and other currencies.
struct CurrencyMarks: Hashable, Sendable {
  /// The position of a symbol.
  struct Placement: Hashable, Sendable {
    /// Before the number.
    var precedes = true
    /// With a space in between.
    var isSpaced = true
  }

  /// The ISO 4217 code of the locale's own currency; empty in the C locale.
  var code = ""
  /// The sign of the locale's own currency.
  var symbol = ""
  /// The position of that sign.
  var symbolPlacement = Placement()
  /// The position of the code of another currency.
  var codePlacement = Placement()

  /// How the currency `code` is written.
  func symbol(of code: String) -> (text: String, placement: Placement) {
    code == self.code && !symbol.isEmpty ? (symbol, symbolPlacement) : (code, codePlacement)
  }
}
