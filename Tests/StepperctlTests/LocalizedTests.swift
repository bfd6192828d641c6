import StepperInterfaces
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `stepperctl in a locale` {
  let daemon: PriceDaemon

  init() throws { daemon = try PriceDaemon.start() }

  func run(_ arguments: String..., locale: String = "de_DE.UTF-8") async throws -> Run {
    try await run(arguments, locale)
  }

  func run(_ arguments: [String], _ locale: String, _ daemon: PriceDaemon? = nil) async throws -> Run {
    let path = (daemon ?? self.daemon).path
    let environment = try await onThread { try RealLocales.environment(locale) }
    return try await Program.run(
      arguments, environment: environment.merging(["STEPPERD_ADDRESS": path]) { $1 })
  }

  @Test func `list`() async throws {
    let expected = """
      CONTROL  VALUE       RANGE        STEP   TITLE
      price    1.234,50 €  0 €…5.000 €  0,5 €  Preis
      share    13 %        0 %…100 %    1 %
      level    -6,5 dB     unbounded
      mode     1.5         a, 1.5

      """
    #expect(try await run("list", "--localized") == Run(output: expected))
  }

  @Test func `without the option nothing is written otherwise`() async throws {
    let expected = """
      CONTROL  VALUE    RANGE      STEP  TITLE
      price    1234.50  0…5000     0.5   Price
      share    0.13     0…1        0.01
      level    -6.5 dB  unbounded
      mode     1.5      a, 1.5

      """
    #expect(try await run("list") == Run(output: expected))
    #expect(try await run("get", "price") == Run(output: "1234.50\n"))
    #expect(try await run("set", "level", "1.5") == Run(output: "level  1.5 dB\n"))
  }

  @Test(arguments: [
    ("de_DE.UTF-8", "1.234,50 €"), ("de_DE", "1.234,50 €"), ("de_DE.ISO-8859-15", "1.234,50 €"),
    ("en_US.UTF-8", "EUR 1,234.50"), ("fr_FR.UTF-8", "1\u{202f}234,50 €"), ("xx_XX", "EUR 1234.50"),
    ("fa_IR.UTF-8", "1٬234٫50 EUR"), ("C", "EUR 1234.50"),
  ])
  func `get`(locale: String, text: String) async throws {
    #expect(try await run("get", "-l", "price", locale: locale) == Run(output: text + "\n"))
    #expect(
      try await run("get", "-l", "price", "mode", locale: locale)
        == Run(output: "price  \(text)\nmode   1.5\n"))
  }

  @Test func `get --json stays what the daemon said`() async throws {
    #expect(try await run("get", "-l", "price", "--json").output.contains(#""text":"1234.50""#))
  }

  @Test func `watch tells a gesture's begin to nobody`() async throws {
    let expected = "price  1.234,50 €\nshare  13 %\nlevel  -6,5 dB\nmode   1.5\n"
    #expect(try await run("watch", "--localized").output == expected)
    #expect(try await run("watch", "--once", "-l") == Run(output: expected))
  }

  @Test func `set`() async throws {
    let written = try await run(
      "set", "-l", "price", "1.250,00 €", "share", "12,5%", "level", "-1,5", "mode", "1.5")
    #expect(written == Run(output: "price  1.250,00 €\nshare  12,5 %\nlevel  -1,5 dB\nmode   1.5\n"))
    #expect(daemon.texts == ["price": "1250.00", "share": "0.125", "level": "-1.5", "mode": "1.5"])
    _ = try await run("set", "-l", "price", "-$5.00", locale: "en_US.UTF-8")
    #expect(daemon.texts["price"] == "1250.00")
    #expect(
      try await run("set", "-l", "price", "-EUR 5", locale: "en_US.UTF-8") == Run(output: "price  -EUR 5\n"))
  }

  @Test func `set of an expression`() async throws {
    _ = try await run("set", "-l", "price", "3 * 1,20 €")
    #expect(daemon.texts["price"] == "3*1.20")
  }

  @Test func `set of what cannot be read`() async throws {
    let wrong = try await run("set", "--localized", "price", "1.5")
    let expected = "stepperctl: '1.5' is not a value of price: expected a number such as \"1.234,50 €\"\n"
    #expect(wrong == Run(errors: expected, status: 1))
    #expect(daemon.texts["price"] == "1234.50")
  }

  /// Every number that the program shows, it takes for the same number.
  @Test(arguments: RealLocales.names, Seed.fresh(1))
  func `what is shown can be set`(locale: String, seed: Seed) async throws {
    var random = SeededGenerator(seed)
    let formats = `What is shown`.formats
    let names = formats.indices.flatMap { format in (0..<12).map { "c\(format).\($0)" } }
    let descriptions = zip(names, formats.flatMap { Array(repeating: $0, count: 12) }).map { name, format in
      ControlInterface.Description(
        control: name, kind: .continuous, profile: "gtk", unit: "m/s", format: format, wrap: false,
        writable: true)
    }
    let decimals = names.map { _ in `What is shown`.decimal(&random) }
    let daemon = try PriceDaemon(descriptions, texts: decimals)
    let shown = try await run(["get", "-l"] + names, locale, daemon).output.split(separator: "\n")
      .map { $0.drop { $0 != " " }.drop { $0 == " " } }
    #expect(shown.count == names.count)
    let pairs = zip(names, shown).flatMap { [$0, String($1)] }
    #expect(try await run(["set", "-l"] + pairs, locale, daemon).status == 0)
    for (name, (decimal, text)) in zip(names, zip(decimals, shown)) {
      #expect(
        `What is shown`.value(daemon.texts[name]) == `What is shown`.value(decimal), "\(decimal) as \(text)")
    }
  }
}

private enum `What is shown` {
  static let formats: [ControlInterface.NumberFormat] = [
    .init(style: .decimal, grouping: true), .init(), .init(style: .percent, grouping: true),
    .init(style: .currency, currency: "EUR", grouping: true),
    .init(style: .currency, currency: "USD", grouping: true),
    .init(style: .currency, currency: "DKK", grouping: true),
    .init(style: .currency, currency: "INR", grouping: false),
  ]

  static func decimal(_ random: inout some RandomNumberGenerator) -> String {
    let fraction = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      "\(Int.random(in: 0...9, using: &random))"
    }.joined()
    let bits = Int64.random(in: 1...60, using: &random)
    let whole = Int64.random(in: -1...1, using: &random) * Int64.random(in: 0..<1 << bits, using: &random)
    return "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Without zeros at the end of the fraction.
  static func value(_ text: String?) -> String? {
    guard let text, text.contains(".") else { return text }
    var rest = text[...]
    while rest.last == "0" { rest.removeLast() }
    return String(rest.last == "." ? rest.dropLast() : rest)
  }
}
