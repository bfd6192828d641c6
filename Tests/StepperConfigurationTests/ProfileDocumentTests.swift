import StepperCore
import StepperText
import Testing
@testable import StepperConfiguration

/// Documentation/profiles.md and the tables of configuration.md say what the profiles and their options are.
@Suite struct ProfileDocumentTests {
  static let tables = DocumentTable.all(in: DocumentationTests.text("Documentation/profiles.md") ?? "")
  static let optionTables = DocumentTable.all(
    in: DocumentationTests.text("Documentation/configuration.md") ?? ""
  ).filter { $0.header.starts(with: ["key", "values", "default"]) }

  static func profile(_ name: String) throws -> Profile {
    try #require(Profile.builtIn.first { $0.name == name }, "\(name)")
  }

  // MARK: The profiles

  @Test func `every profile is there with its base and what it is`() throws {
    let table = try #require(Self.tables.first { $0.header == ["profile", "base", "it is"] })
    #expect(
      table.rows.map { $0.map(\.uncoded) }
        == Profile.builtIn.map { [$0.name, $0.base ?? "-", $0.about] })
  }

  @Test func `derived profiles change what the document says`() throws {
    let table = try #require(Self.tables.first { $0.header == ["profile", "says otherwise"] })
    let derived = Profile.builtIn.filter { $0.base != nil }
    #expect(table.rows.map { $0[0].uncoded } == derived.map(\.name))
    for (row, profile) in zip(table.rows, derived) {
      let base = try Self.profile(profile.base ?? "")
      let changes = OptionKey.allCases.filter { profile.value(of: $0) != base.value(of: $0) }
      #expect(row[1].codes == changes.map { "\($0.rawValue) = \(profile.value(of: $0))" }, "\(profile.name)")
    }
  }

  @Test func `the profiles differ as the document says`() throws {
    let table = try #require(Self.tables.first { $0.header.starts(with: ["key", "`uikit`"]) })
    let profiles = try table.header.dropFirst().map { try Self.profile($0.uncoded) }
    for row in table.rows {
      let key = try #require(OptionKey(rawValue: row[0].uncoded), "\(row[0])")
      let values = row.dropFirst().map { $0.isEmpty ? profiles[0].value(of: key) : $0.uncoded }
      #expect(values == profiles.map { $0.value(of: key) }, "\(key)")
    }
    // The schedules are in a table of their own, the words of screen readers with each control.
    let differing = OptionKey.allCases.filter { key in
      key != .repeat && key != .speech && Set(profiles.map { $0.value(of: key) }).count > 1
    }
    let named: [String] = table.rows.map { $0[0].uncoded }
    #expect(named == differing.map(\.rawValue))
  }

  @Test func `a hold of ten seconds steps as often as the document says`() throws {
    let table = try #require(Self.tables.first { $0.header == ["profile", "`repeat`", "steps"] })
    for row in table.rows {
      let profile = try Self.profile(row[0].uncoded)
      #expect(row[1].uncoded == profile.value(of: .repeat))
      #expect(try Self.stepsOfLongHold(profile) == Int(row[2]), "\(profile.name)")
    }
    // All that have a schedule of their own.
    let named = table.rows.map { $0[1].uncoded }
    #expect(Profile.builtIn.allSatisfy { named.contains($0.value(of: .repeat)) })
  }

  static func stepsOfLongHold(_ profile: Profile) throws -> Int {
    let text = control(
      """
      profile = "\(profile.name)"
      minimum = 0
      maximum = 1000000
      wraps = false
      increment = "panel:plus"
      """)
    let configuration = try #require(load(text).configuration)
    var engine = Engine(
      EngineConfiguration(
        controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings)),
      at: Instant.milliseconds(0))
    let device = DeviceNumber(0)
    var value = engine[ControlID(0, generation: 0)]?.value
    var steps = 0
    let inputs: [(Int64, Input)] = [
      (0, .deviceAdded(device, .virtual(settingsName: "panel"))),
      (0, .set(ControlID(0, generation: 0), SetRequest(0))),
      (0, .frame(device, [EvdevEvent(.volumeUp, 1)])), (10_000, .frame(device, [EvdevEvent(.volumeUp, 0)])),
    ]
    for (time, input) in inputs {
      for case .publish(let state) in engine.advance(to: Instant.milliseconds(time), applying: input) {
        if let old = value, let new = state.value, new > old { steps += 1 }
        value = state.value
      }
    }
    return steps
  }

  // MARK: The controls they reproduce

  /// What each reference names and what is no mere drawing, as far as a key or a remark has to say where it is.
  static let properties: [String: [String]] = [
    "UIStepper": [
      "value", "minimumValue", "maximumValue", "stepValue", "wraps", "autorepeat", "isContinuous",
      "isEnabled", "tap", "long press", "both buttons", "at minimum, at maximum", "valueChanged",
      "VoiceOver", "swipe up, swipe down", "label", "haptics",
    ],
    "SwiftUI Stepper": [
      "label", "value", "in: lower bound", "in: upper bound", "step", "format", "onEditingChanged",
      "onIncrement, onDecrement",
    ],
    "NSStepper": [
      "doubleValue", "minValue", "maxValue", "increment", "autorepeat", "valueWraps", "isContinuous",
      "isEnabled", "click", "hold", "at minimum, at maximum", "Up key", "Down key",
      "actions Increment, Decrement", "VoiceOver, role Incrementor",
    ],
    "NumberBox": [
      "Value", "Minimum", "Maximum", "SmallChange", "LargeChange", "AcceptsExpression", "ValidationMode",
      "Header", "NumberFormatter", "IsWrapEnabled", "IsEnabled", "spin button", "Up key", "Down key",
      "PageUp key", "PageDown key", "scroll wheel", "direct text entry", "at minimum, at maximum",
      "NumberBoxAutomationPeer", "live region", "Enter, lost focus",
    ],
    "GtkSpinButton": [
      "adjustment", "value", "lower", "upper", "step_increment", "page_increment", "page_size", "climb_rate",
      "digits", "numeric", "snap_to_ticks", "update_policy", "wrap", "sensitive", "long press", "Up key",
      "Down key", "PageUp key", "PageDown key", "at minimum, at maximum", "role SpinButton",
      "value-now, value-min, value-max", "direct text entry", "Enter, focus-out", "primary button",
      "scroll wheel",
    ],
    "AdwSpinRow": [
      "title", "subtitle", "adjustment", "value", "lower", "upper", "step_increment", "page_increment",
      "digits", "climb_rate", "numeric", "snap_to_ticks", "update_policy", "wrap",
    ],
    "RPVerticalStepper": [
      "value", "minimumValue", "maximumValue", "stepValue", "autoRepeat", "autoRepeatInterval",
      "valueChanged", "stepperValueDidChange:", "uses floats", "at minimum, at maximum",
    ],
    "Material stepper": ["value", "press", "hold", "disabled", "at minimum, at maximum"],
    "Stepper of Wear Compose": [
      "value", "valueRange: start", "valueRange: end", "steps", "onValueChange", "enabled",
    ],
    "UISlider": [
      "value", "setValue(_:animated:)", "minimumValue", "maximumValue", "isContinuous", "isEnabled",
      "valueChanged", "VoiceOver", "label",
    ],
  ]

  /// Properties of pure looks that a reference lists by name.
  static let drawing: [String: [String]] = [
    "UIStepper": [
      "`tintColor`", "`setIncrementImage`", "`setDecrementImage`", "`setBackgroundImage`",
      "`setDividerImage`", "animations",
    ],
    "NSStepper": ["`controlSize`", "focused"],
    "NumberBox": ["`SpinButtonPlacementMode`", "`PlaceholderText`", "input scope", "animations"],
    "GtkSpinButton": ["orientation", "CSS nodes", "animations"],
    "UISlider": [
      "`minimumValueImage`", "`maximumValueImage`", "`minimumTrackTintColor`", "`maximumTrackTintColor`",
      "`thumbTintColor`", "`behavioralStyle`", "`preferredBehavioralStyle`", "`setMinimumTrackImage(_:for:)`",
      "`setMaximumTrackImage(_:for:)`", "`setThumbImage(_:for:)`", "`minimumValueImageRect(forBounds:)`",
      "`maximumValueImageRect(forBounds:)`", "`trackRect(forBounds:)`",
      "`thumbRect(forBounds:trackRect:value:)`",
    ],
  ]

  static let keys = Set(
    OptionKey.allCases.map(\.rawValue) + ControlKey.allCases.map(\.rawValue)
      + BindingKey.allCases.map(\.rawValue) + AxisKey.allCases.map(\.rawValue)
      + PushKey.allCases.map(\.rawValue) + DeviceKey.allCases.map(\.rawValue))

  /// By the name of the control; its heading names the profile too.
  static func reference(_ name: String) throws -> (table: DocumentTable, profile: Profile) {
    let table = try #require(tables.first { $0.heading.hasPrefix("\(name): ") }, "\(name)")
    return (table, try profile(try #require(table.heading.codes.first)))
  }

  @Test(arguments: properties.keys.sorted())
  func `every property of a control has its key and its value`(name: String) throws {
    let (table, profile) = try Self.reference(name)
    #expect(table.header == ["property", "key", "in profile", "remark"])
    for row in table.rows {
      let (property, key, value, remark) = (row[0], row[1].uncoded, row[2].uncoded, row[3])
      #expect(key == "-" || Self.keys.contains(key), "\(property): there is no key \(key)")
      let option = OptionKey(rawValue: key)
      #expect(value == option.map(profile.value) ?? "-", "\(property)")
      #expect(option != nil || !remark.isEmpty || ["enabled", "title"].contains(key), "\(property)")
    }
    let named = Set(table.rows.map { $0[0].filter { $0 != "`" } })
    #expect(named.count == table.rows.count, "two rows of one name")
    #expect(named.isSuperset(of: Self.properties[name] ?? []))
  }

  @Test func `what is drawing is said to be`() throws {
    for name in Self.properties.keys {
      let drawing = try Self.reference(name).table.remark
      #expect(drawing.hasPrefix("Drawing, which is the client's: "), "\(name)")
      for property in Self.drawing[name] ?? [] { #expect(drawing.contains(property), "\(name)") }
    }
  }

  @Test func `the settings that the document advises load`() throws {
    let text = try #require(DocumentationTests.text("Documentation/profiles.md"))
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("| `") }.flatMap { String($0).codes }
    let settings = Set(lines.filter { $0.contains(" = ") && $0.first?.isLetter == true })
    #expect(settings.count > 15)
    for setting in settings { #expect(errors(inControl: setting).isEmpty, "\(setting)") }
  }

  // MARK: The options

  @Test(arguments: OptionKey.allCases)
  func `every option has its row with its words and its default`(key: OptionKey) throws {
    let rows = Self.optionTables.flatMap(\.rows).filter { $0[0].uncoded == key.rawValue }
    try #require(rows.count == 1)
    let (values, standard) = (rows[0][1], rows[0][2].uncoded)
    let uikit = try Self.profile(Profile.standardName)
    #expect(standard == (key == .currency ? "–" : uikit.value(of: key)))
    // The message about a wrong value has all the words there are.
    let message = problems(in: control("\(key.rawValue) = \"?\"")).first { $0.contains("must be one of") }
    if let message {
      let words = message.split(separator: "must be one of ").last?.split(separator: ", found").first
      #expect(
        values.codes.filter { $0.hasPrefix("\"") } == words?.split(separator: ", ").map(String.init))
    } else {
      for word in values.codes where word.hasPrefix("\"") && key != .initial {
        #expect(errors(inControl: "\(key.rawValue) = \(word)").isEmpty, "\(key.rawValue) = \(word)")
      }
    }
  }
}

/// A table of a document: its cells are texts as they stand there.
struct DocumentTable {
  /// The heading it is under.
  let heading: String
  let header: [String]
  var rows: [[String]] = []
  /// The first line after it that is not empty.
  var remark = ""

  static func all(in text: String) -> [DocumentTable] {
    var tables: [DocumentTable] = []
    var heading = ""
    var isInTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
          String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        if !isInTable {
          tables.append(DocumentTable(heading: heading, header: cells))
        } else if !line.hasPrefix("|---") {
          tables[tables.count - 1].rows.append(cells)
        }
        isInTable = true
      } else {
        isInTable = false
        if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
        if let last = tables.indices.last, tables[last].remark.isEmpty { tables[last].remark = String(line) }
      }
    }
    return tables
  }
}

extension String {
  /// Without the marks of code around it.
  var uncoded: String { filter { $0 != "`" } }

  /// The parts that are marked as code.
  var codes: [String] {
    split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}
