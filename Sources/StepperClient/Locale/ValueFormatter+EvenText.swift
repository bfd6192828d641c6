extension ValueFormatter {
  /// `text` in one normal form for everything that people write in numbers: Latin digits, plain marks in place of
  /// those that keyboards, input methods and other programs produce, and no invisible marks. Decimal and grouping
  /// marks stay. The panel does the same in `words/marks.js`.
  static func even(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .format {
      result.append(plain(scalar))
    }
    return String(result)
  }

  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    // Full-width characters are the same as ASCII ones.
    if (0xff01...0xff5e).contains(scalar.value) { return Unicode.Scalar(scalar.value - 0xfee0) ?? scalar }
    if let same = same[scalar] { return same }
    if scalar.properties.isWhitespace { return " " }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
      return scalar
    }
    return digit(Int(value)) ?? scalar
  }

  private static func digit(_ value: Int) -> Unicode.Scalar? { Unicode.Scalar(0x30 + UInt32(value)) }

  /// Maps a written character to its plain form. The Japanese long vowel mark stands for a minus.
  private static let same: [Unicode.Scalar: Unicode.Scalar] = {
    let others: [(Unicode.Scalar, String)] = [
      ("-", "‐‑‒–—―−﹣ー"), ("+", "﹢"), ("%", "٪﹪"), ("*", "×∗"), ("/", "÷⁄∕"), ("'", "’"), (".", "。｡"),
      ("0", "零"),
    ]
    var same: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (mark, texts) in others { for scalar in texts.unicodeScalars { same[scalar] = mark } }
    // Han digits, one by one.
    for (value, scalar) in "〇一二三四五六七八九".unicodeScalars.enumerated() { same[scalar] = digit(value) }
    return same
  }()
}
