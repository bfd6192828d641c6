import StepperInterfaces
import Testing

@testable import StepperClient

@Suite struct `Which locale` {
  func environment(_ variables: [String: String]) -> (String) -> String? { { variables[$0] } }

  @Test func `is not installed`() {
    #expect(formattingCode { _ = try NumberLocale(named: "xx_XX.UTF-8") } == .noSuchLocale)
    #expect(formattingCode { _ = try NumberLocale(named: "../../etc") } == .noSuchLocale)
    #expect(NumberLocale.current(environment: environment(["LC_ALL": "xx_XX.UTF-8"])) == .c)
  }

  @Test(arguments: ["C", "POSIX", "C.UTF-8", ""]) func `has no marks`(name: String) throws {
    let locale = try NumberLocale(named: name)
    #expect(locale.plain.decimal == ".")
    #expect(locale.money.decimal == ".")
    #expect(locale.plain.grouped("1234567") == "1234567")
    #expect(locale.currency.symbol(of: "EUR").text == "EUR")
    #expect(locale.currency.symbol(of: "EUR").placement == .init(precedes: true, isSpaced: true))
  }

  @Test func `the environment names`() {
    let all = ["LC_ALL": "de_DE", "LC_NUMERIC": "fr_FR", "LANG": "en_US"]
    #expect(Environment.locale(of: "LC_NUMERIC", environment(all)) == "de_DE")
    let one = ["LC_ALL": "", "LC_NUMERIC": "fr_FR", "LANG": "en_US"]
    #expect(Environment.locale(of: "LC_NUMERIC", environment(one)) == "fr_FR")
    #expect(Environment.locale(of: "LC_MONETARY", environment(one)) == "en_US")
    #expect(Environment.locale(of: "LC_NUMERIC", environment([:])) == nil)
  }

  @Test(
    arguments: [
      (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "sr_RS.UTF-8@latin"], ["sr-RS"]),
      (["LANG": "C.UTF-8"], []), ([:], []),
      (["LANG": "de_AT.UTF-8", "LANGUAGE": "fr:en_GB"], ["fr", "en-GB", "de-AT"]),
      (["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:de"], ["de-AT", "de"]),
      (["LANG": "C", "LANGUAGE": "fr"], []),
      (["LANG": "de_AT.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], ["fr-FR"]),
      (["LC_ALL": "sv_SE", "LC_MESSAGES": "fr_FR.UTF-8"], ["sv-SE"]),
    ] as [([String: String], [String])])
  func `a person reads`(variables: [String: String], languages: [String]) {
    #expect(PreferredLanguages.current(environment: environment(variables)) == languages)
  }

  @Test(arguments: [
    (["de-AT"], "Lautstärke"), (["pt-BR"], "Volume (BR)"), (["pt"], "Loudness"),
    (["fr", "de"], "Lautstärke"),
    (["DE-at"], "Lautstärke"), ([], "Loudness"), (["fr"], "Loudness"), (["pt-br-x-a"], "Volume (BR)"),
  ])
  func `chooses the title`(languages: [String], title: String) {
    let description = ControlInterface.Description(
      control: "volume", kind: .continuous, profile: "gtk", title: "Loudness",
      titles: ["de": "Lautstärke", "pt-BR": "Volume (BR)"], format: .init(), wrap: false, writable: true)
    #expect(description.title(for: languages) == title)
  }
}
