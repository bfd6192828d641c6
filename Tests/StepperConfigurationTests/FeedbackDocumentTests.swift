import StepperCore
import StepperLinux
import Testing

@testable import StepperConfiguration

/// Documentation/feedback.md says what can be felt, and what commands are told.
@Suite struct FeedbackDocumentTests {
  static let text = DocumentationTests.text("Documentation/feedback.md") ?? ""
  static let tables = DocumentTable.all(in: text)

  static func rows(_ header: String...) throws -> [[String]] {
    let table = try #require(tables.first { $0.header.starts(with: header) }, "\(header)")
    return table.rows.map { $0.map(\.uncoded) }
  }

  @Test func `every moment is there with its default effect`() throws {
    let rows = try Self.rows("moment", "when", "default effect")
    let rules = FeedbackRules()
    #expect(rows.map { [$0[0], $0[2]] } == Moment.allCases.map { [$0.rawValue, rules[$0].rawValue] })
  }

  @Test func `every effect is on each output what the document says`() throws {
    let rows = try Self.rows("effect", "motors: strong, weak", "strength", "felt for", "`click`")
    let patterns = FeedbackEffect.allCases.compactMap { effect in
      EffectPattern(effect).map { (effect: effect, pattern: $0) }
    }
    let expected = patterns.sorted { $0.pattern.rank < $1.pattern.rank }.map { effect, pattern -> [String] in
      [
        effect.rawValue, "\(short(pattern.strong)), \(short(pattern.weak))", short(pattern.strength),
        times(pattern.force), "\(pattern.clicks.count)", "\(pattern.tone)", times(pattern.sound),
        times(pattern.flash),
      ]
    }
    #expect(rows == expected)
    let click = try #require(patterns.first).pattern.clicks[0]
    #expect(Self.text.contains("\(milliseconds(click.on)) ms each and \(milliseconds(click.off)) ms apart"))
    #expect(Self.text.contains("for \(milliseconds(EffectPattern.gap)) ms after it"))
    let lengths = patterns.flatMap { each in OutputKind.allCases.map { each.pattern.length(on: $0) } }
    #expect(Self.text.contains("within 0.6 s") && lengths.allSatisfy { $0 < .milliseconds(600) })
  }

  @Test func `every output is there, in the order of falling back`() throws {
    #expect(try Self.rows("output", "it is", "plays").map { $0[0] } == OutputKind.allCases.map(\.rawValue))
  }

  @Test func `every hook is there with its moments`() throws {
    for row in try Self.rows("key", "when") {
      let hooks = load(control("\(row[0]) = [\"true\"]")).configuration?.controls.first?.hooks
      let occasions = try #require(hooks?.first, "\(row[0])").occasions
      let named = row[1].split(separator: ", ").compactMap { Moment(rawValue: String($0)) }
      #expect(occasions == (named.isEmpty ? [.change] : Set(named.map { .moment($0) })), "\(row[0])")
    }
    let keys = ControlKey.allCases.map(\.rawValue).filter { $0.hasPrefix("on-") }
    #expect(try Self.rows("key", "when").map { $0[0] } == keys)
  }

  @Test func `every key of a hook is there with its default`() throws {
    let rows = try Self.rows("key", "values", "default")
    #expect(rows.map { $0[0] } == HookKey.allCases.map(\.rawValue))
    let interval = milliseconds(HookSettings.defaultInterval)
    let seconds = HookSettings.defaultTimeout.components.seconds
    #expect(rows.map { $0[2] } == ["needed", "–", "\"\(interval)ms\"", "\"\(seconds)s\"", "false", "false"])
  }

  @Test func `every placeholder is there, and its variable`() throws {
    let rows = try Self.rows("in arguments", "in the environment", "it is")
    let variables = HookSettings.knownPlaceholders.map { name in
      ["{\(name)}", "STEPPER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()]
    }
    #expect(rows.map { [$0[0], $0[1]] } == variables + [["", "STEPPER_HOOK"]])
  }

  /// Whoever writes the hook of the document instead of `speak` has the same.
  @Test func `the hook that speaks is the one of the document`() throws {
    let block = try #require(Self.text.split(separator: "## Speech").last?.split(separator: "```toml\n")[1])
    let controls = try #require(load(String(block.split(separator: "```")[0])).configuration).controls
    var hooks = controls.compactMap(\.hooks.first)
    #expect(hooks.map(\.name).sorted() == ["on-change", "speak"])
    for index in hooks.indices { hooks[index].name = "" }
    #expect(hooks.count == 2 && hooks[0] == hooks[1])
  }

  private func milliseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
  }

  /// `20 (80) 30`: on, the pause, on.
  private func times(_ pulses: [EffectPattern.Pulse]) -> String {
    pulses.map { pulse in
      "\(milliseconds(pulse.on))" + (pulse.off > .zero ? " (\(milliseconds(pulse.off))) " : "")
    }.joined()
  }

  private func short(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
