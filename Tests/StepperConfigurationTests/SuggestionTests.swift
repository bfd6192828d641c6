import TestSupport
import Testing

@testable import StepperText

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("gtkk", "gtk"), ("gkt", "gtk"), ("uikti", "uikit"), ("climb_rate", "climb-rate"), ("MAXIMUM", "maximum"),
    ("maximun", "maximum"), ("maxmum", "maximum"), ("xxxxxxx", nil), ("", nil), ("gt", "gtk"), ("q", nil),
    (String(repeating: "gtk", count: 40), nil),
  ])
  func `the nearest word is meant`(word: String, meant: String?) {
    #expect(suggestion(for: word, among: ["uikit", "gtk", "climb-rate", "maximum", "minimum"]) == meant)
  }

  /// All of the table, as the textbook has it.
  private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [Array(0...right.count)]
    for i in 1..<(left.count + 1) {
      var row = [i]
      for j in 1..<(right.count + 1) {
        var edits = min(
          rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1), rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          edits = min(edits, rows[i - 2][j - 2] + 1)
        }
        row.append(edits)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }

  @Test(arguments: Seed.fresh(4))
  func `a bounded distance is the distance, as far as the bound`(seed: Seed) {
    var random = SeededGenerator(seed)
    var bounded = EditDistance()
    for _ in 0..<400 {
      let words = (0..<2).map { _ in
        (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
      }
      let distance = distance(words[0], words[1])
      for limit in 0...4 {
        #expect(
          bounded.between(words[0], words[1], upTo: limit) == (distance <= limit ? distance : nil),
          "\(words), limit \(limit)")
      }
    }
  }
}
