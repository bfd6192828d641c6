import Foundation
import StepperInterfaces
import Testing

@testable import StepperClient

/// The cases of `Tests/Conformance/number-field/texts.json`, in the languages of which this suite has the marks. The panel
/// and `texts.mjs` run all of them.
@Suite struct `Number fields of others` {
  struct Case: Decodable {
    struct Given: Decodable {
      struct Format: Decodable {
        var style: String?
        var currency: String?
        var grouping: Bool?
      }

      var language: String
      var format: Format?
      var unit: String?
      var expressions: Bool?
    }

    var name: String
    var given: Given
    var `do`: String
    var expect: String?
  }

  private struct Kit: Decodable { var cases: [Case] }

  static let locales: [String: NumberLocale] = [
    "en": .american, "de": .german, "de-DE": .german, "fr-FR": .french, "de-CH": .swiss, "hi-IN": .indian,
    "ja": .american, "zh": .american,
  ]

  static func cases() throws -> [Case] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = tests.appending(path: "Conformance/number-field/texts.json")
    let kit = try JSONDecoder().decode(Kit.self, from: Data(contentsOf: file))
    return kit.cases.filter { locales[$0.given.language] != nil }
  }

  @Test func `are read by the same rules`() throws {
    let cases = try Self.cases()
    #expect(cases.count > 90)
    for one in cases {
      let format = ControlInterface.NumberFormat(
        style: one.given.format?.style.flatMap(ControlInterface.NumberStyle.init) ?? .decimal,
        currency: one.given.format?.currency, grouping: one.given.format?.grouping ?? false)
      let locale = try #require(Self.locales[one.given.language])
      let formatter = `Values for people`.formatter(
        format, locale, unit: one.given.unit, expressions: one.given.expressions)
      let read = try? formatter.parse(one.do)
      #expect(read == one.expect, "\(one.name): \(one.do)")
    }
  }
}
