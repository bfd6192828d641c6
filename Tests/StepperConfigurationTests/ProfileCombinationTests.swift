import StepperCore
import Testing

@testable import StepperConfiguration

/// What a profile and the control that takes it say together.
@Suite struct ProfileCombinationTests {
  private func settings(_ text: String) throws -> ControlSettings {
    try #require(load(text).configuration?.controls.first, "\(problems(in: text))").settings
  }

  private func errors(in text: String) -> [String] {
    load(text).problems.filter { $0.severity == .error }.map(\.description)
  }

  // MARK: Where a value begins

  @Test(
    arguments: [
      (#"base = "picker", initial = "tape""#, 1), (#"base = "rpvertical""#, 1), (#"initial = 2"#, 2),
      (#"initial = 7"#, 2), (#"initial = 0.5"#, 1), (#"unset = true, initial = "unset""#, nil),
      (#"base = "winui""#, nil), (#"base = "slider""#, 0),
    ] as [(String, FixedPoint?)])
  func `a choice begins where its profile says`(profile: String, initial: FixedPoint?) throws {
    let settings = try settings(
      "profile.p = { \(profile) }\ncontrol.c = { profile = \"p\", choices = [\"radio\", \"tape\", \"line in\"] }"
    )
    #expect(settings.initialValue == initial)
    #expect(settings.textRules.canBeUnset == (initial == nil))
    #expect(settings.digits == 0 && settings.precision == 0)
  }

  @Test func `a toggle begins where its profile says, and a button is off`() throws {
    let profile = "profile.p = { initial = \"on\", unset = true }\n"
    #expect(try settings(profile + "control.c = { profile = \"p\", kind = \"toggle\" }").initialValue == 1)
    for name in ["p", "rpvertical", "winui"] {
      let button = try settings(profile + "control.c = { profile = \"\(name)\", kind = \"button\" }")
      #expect(button.initialValue == 0 && !button.textRules.canBeUnset)
    }
  }

  @Test func `what a control says makes what its profile says give way`() throws {
    #expect(try settings("control.c = { profile = \"winui\", unset = false }").initialValue == 0)
    #expect(try settings("control.c = { profile = \"rpvertical\", minimum = 5 }").initialValue == 5)
    let price = "profile.p = { format = \"currency\", currency = \"EUR\" }\n"
    #expect(errors(in: price + "control.c = { profile = \"p\", format = \"decimal\" }").isEmpty)
  }

  @Test(arguments: [
    ("kind = \"continuous\"", #"must be a number for control.c, found "tpae""#),
    (
      #"choices = ["radio", "tape"]"#,
      #"must be one of "radio", "tape" for control.c, found "tpae" (did you mean "tape"?)"#
    ),
    ("kind = \"toggle\"", #"must be one of "off", "on" for control.c, found "tpae""#),
  ])
  func `a profile's word that is not a value of its control is told where it stands`(
    line: String, message: String
  ) {
    #expect(
      errors(
        in: "profile.r.initial = \"tpae\"\nprofile.s.base = \"r\"\ncontrol.c = { profile = \"s\", \(line) }")
        == ["f:1:21: error: profile.r.initial: \(message)"])
  }

  // MARK: What does not go together

  @Test(arguments: [
    (#"initial = "unset""#, "initial: only a control with unset = true can be unset"),
    (#"kind = "choice", initial = "unset""#, "initial: only a control with unset = true can be unset"),
    (#"maximum = 10, initial = 50"#, "initial: 50 is outside the range 0…10"),
    (#"kind = "choice", initial = -1"#, "initial: -1 is outside the range 0…255"),
    (#"minimum = 200"#, "minimum: the minimum 200 is greater than the maximum 100"),
    (#"currency = "EUR""#, #"currency: requires format = "currency""#),
    (
      #"numeric = true, expressions = true"#,
      "expressions: numeric = true refuses the operators of expressions"
    ),
    (
      #"partial-step = "grid", climb-rate = 1"#,
      #"partial-step: "grid" cannot be combined with a climb-rate, whose steps leave it"#
    ),
    (#"partial-step = "grid", minimum = "none""#, #"partial-step: "grid" needs a minimum, where it begins"#),
    (#"wraps = true, maximum = "none""#, "wraps: only a control with a minimum and a maximum can wrap"),
    (#"step = 0.25, digits = 1"#, "digits: is 1, but the numbers of this control have 2 decimal places"),
    (#"kind = "button", initial = "on""#, "initial: a button is on while it is pressed, and else off"),
  ])
  func `a profile is refused once for what no control can be`(options: String, message: String) {
    let profile = "profile.p = { \(options) }\n"
    let expected = ["profile.p.\(message)"]
    for others in [
      "", "control.c = { profile = \"p\" }", "profile.q.base = \"p\"\ncontrol.c = { profile = \"q\" }",
    ] {
      let errors = load(profile + others).problems.filter { $0.severity == .error }
      #expect(errors.map { "\($0.keyPath): \($0.message)" } == expected)
      #expect(errors.first?.line == 1)
    }
  }

  /// The ends, a currency and the names of a choice are the control's to say.
  @Test(arguments: [
    (#"base = "winui", wraps = true"#, "minimum = 0, maximum = 10"),
    (#"base = "winui", partial-step = "grid""#, "minimum = 0"),
    (#"format = "currency""#, #"currency = "EUR""#),
    (#"initial = "b""#, #"choices = ["a", "b"]"#),
    (#"kind = "choice", initial = 3, wraps = true, step = 2"#, #"choices = ["a", "b"]"#),
  ])
  func `a profile may leave to its control what it does not know`(profile: String, control: String) {
    #expect(errors(in: "profile.p = { \(profile) }").isEmpty)
    #expect(errors(in: "profile.p = { \(profile) }\ncontrol.c = { profile = \"p\", \(control) }").isEmpty)
  }

  @Test func `a profile without its base is told once`() {
    let text =
      "profile.d.base = \"gtkk\"\nprofile.x = 5\n[control.a]\nprofile = \"d\"\n[control.b]\nprofile = \"x\"\n"
    #expect(
      errors(in: text) == [
        #"f:1:18: error: profile.d.base: there is no profile "gtkk" (did you mean "gtk"?)"#,
        "f:2:13: error: profile.x: must be a table, found 5",
      ])
  }
}
