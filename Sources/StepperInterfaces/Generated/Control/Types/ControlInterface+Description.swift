// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// What does not change while the configuration does not change and nobody calls Adjust.
  public struct Description: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// What sort of value a control holds.
    public var kind: Kind
    /// Name of the profile it takes its feel from, for example `gtk`.
    public var profile: String
    /// Human readable title, if one is configured.
    public var title: String?
    /// The title by language tag (`de`, `pt-BR`), where it is translated.
    public var titles: [String: String]?
    /// Unit of `value`, for display only, for example `dB` or `%`.
    public var unit: String?
    /// Lower end of the range of `value`, included. Absent: unbounded.
    public var minimum: Double?
    /// Upper end of the range of `value`, included. Absent: unbounded.
    public var maximum: Double?
    /// Change of `value` for one step.
    public var step: Double?
    /// Change of `value` for one page (large step).
    public var page: Double?
    /// Digits after the decimal point in `text`.
    public var digits: Int64?
    /// How a client writes the value for people, with the marks of its own locale.
    public var format: NumberFormat
    /// Names of the choices, in order; the index in this list is `value`.
    public var choices: [String]?
    /// How people are shown the choices, in the order of `choices`: their titles, or the names of those
    /// without one. Absent: none has a title.
    public var choiceTitles: [String]?
    /// The titles of the choices in other languages, in the order of `choices`: each is an object whose
    /// members are strings, named by language tag. Absent: none is translated.
    public var choiceTranslations: [[String: String]]?
    /// Whether stepping past one end continues at the other.
    public var wrap: Bool
    /// Whether the caller may use Set, Step, Reset, Adjust, Press, Turn and Slide on it; of a control of kind
    /// button, which cannot be set: Press.
    public var writable: Bool
    /// Value that Reset goes back to.
    public var `default`: Double?
    /// Whether a text that is set may be an expression; absent: it may not.
    public var expressions: Bool?
    /// Whether inputs of devices are bound to it; a control without any is never `live`. Absent: there are,
    /// or an older daemon does not say it.
    public var hasInputs: Bool?
    /// Whether inputs, Press, Turn and Slide act on it; Set, Step and Reset always do. Absent: an older
    /// daemon does not say it.
    public var enabled: Bool?
    /// Whether it may have no value, so that setting the empty text unsets it. Absent: an older daemon does
    /// not say it.
    public var mayBeUnset: Bool?
    /// Whether a text that is set must be a number, so that a program may refuse other characters while they
    /// are typed. Absent: an older daemon does not say it.
    public var numeric: Bool?
    /// Whether a press that is held repeats. Absent: an older daemon does not say it.
    public var autorepeat: Bool?
    /// Whether each change of a gesture is published, and not only its end. Absent: an older daemon does not
    /// say it.
    public var continuous: Bool?
    /// Decimal places that the value keeps; `digits` of them are shown. Absent: an older daemon does not say
    /// it.
    public var precision: Int64?
    /// Whether the daemon has a program speak its changes (`speak`), so that another one on the same machine
    /// need not. Absent: an older daemon does not say it.
    public var spoken: Bool?
    /// The built-in profile that `profile` is, or is derived from, for example `gtk` or `material/wear`.
    /// Absent: an older daemon does not say it.
    public var family: String?
    /// A second line below the title, if one is configured.
    public var subtitle: String?
    /// The subtitle by language tag, where it is translated.
    public var subtitles: [String: String]?
    /// Name of the group that programs show it in, if one is configured.
    public var group: String?
    /// The title of that group, if one is configured: the same for all its controls.
    public var groupTitle: String?
    /// The title of the group by language tag, where it is translated.
    public var groupTitles: [String: String]?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      control: String, kind: Kind, profile: String, title: String? = nil, titles: [String: String]? = nil,
      unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
      page: Double? = nil, digits: Int64? = nil, format: NumberFormat, choices: [String]? = nil,
      choiceTitles: [String]? = nil, choiceTranslations: [[String: String]]? = nil, wrap: Bool,
      writable: Bool, `default`: Double? = nil, expressions: Bool? = nil, hasInputs: Bool? = nil,
      enabled: Bool? = nil, mayBeUnset: Bool? = nil, numeric: Bool? = nil, autorepeat: Bool? = nil,
      continuous: Bool? = nil, precision: Int64? = nil, spoken: Bool? = nil, family: String? = nil,
      subtitle: String? = nil, subtitles: [String: String]? = nil, group: String? = nil,
      groupTitle: String? = nil, groupTitles: [String: String]? = nil
    ) {
      self.control = control
      self.kind = kind
      self.profile = profile
      self.title = title
      self.titles = titles
      self.unit = unit
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.page = page
      self.digits = digits
      self.format = format
      self.choices = choices
      self.choiceTitles = choiceTitles
      self.choiceTranslations = choiceTranslations
      self.wrap = wrap
      self.writable = writable
      self.default = `default`
      self.expressions = expressions
      self.hasInputs = hasInputs
      self.enabled = enabled
      self.mayBeUnset = mayBeUnset
      self.numeric = numeric
      self.autorepeat = autorepeat
      self.continuous = continuous
      self.precision = precision
      self.spoken = spoken
      self.family = family
      self.subtitle = subtitle
      self.subtitles = subtitles
      self.group = group
      self.groupTitle = groupTitle
      self.groupTitles = groupTitles
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.kind = try members.value("kind")
      self.profile = try members.value("profile")
      self.title = try members.optional("title")
      self.titles = try members.optional("titles")
      self.unit = try members.optional("unit")
      self.minimum = try members.optional("minimum")
      self.maximum = try members.optional("maximum")
      self.step = try members.optional("step")
      self.page = try members.optional("page")
      self.digits = try members.optional("digits")
      self.format = try members.value("format")
      self.choices = try members.optional("choices")
      self.choiceTitles = try members.optional("choiceTitles")
      self.choiceTranslations = try members.optional("choiceTranslations")
      self.wrap = try members.value("wrap")
      self.writable = try members.value("writable")
      self.default = try members.optional("default")
      self.expressions = try members.optional("expressions")
      self.hasInputs = try members.optional("hasInputs")
      self.enabled = try members.optional("enabled")
      self.mayBeUnset = try members.optional("mayBeUnset")
      self.numeric = try members.optional("numeric")
      self.autorepeat = try members.optional("autorepeat")
      self.continuous = try members.optional("continuous")
      self.precision = try members.optional("precision")
      self.spoken = try members.optional("spoken")
      self.family = try members.optional("family")
      self.subtitle = try members.optional("subtitle")
      self.subtitles = try members.optional("subtitles")
      self.group = try members.optional("group")
      self.groupTitle = try members.optional("groupTitle")
      self.groupTitles = try members.optional("groupTitles")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"kind\":", kind, to: &buffer)
      JSONText.append(",\"profile\":", profile, to: &buffer)
      JSONText.append(",\"title\":", title, to: &buffer)
      try JSONText.append(",\"titles\":", titles, to: &buffer)
      JSONText.append(",\"unit\":", unit, to: &buffer)
      try JSONText.append(",\"minimum\":", minimum, to: &buffer)
      try JSONText.append(",\"maximum\":", maximum, to: &buffer)
      try JSONText.append(",\"step\":", step, to: &buffer)
      try JSONText.append(",\"page\":", page, to: &buffer)
      JSONText.append(",\"digits\":", digits, to: &buffer)
      try JSONText.append(",\"format\":", format, to: &buffer)
      try JSONText.append(",\"choices\":", choices, to: &buffer)
      try JSONText.append(",\"choiceTitles\":", choiceTitles, to: &buffer)
      try JSONText.append(",\"choiceTranslations\":", choiceTranslations, to: &buffer)
      JSONText.append(",\"wrap\":", wrap, to: &buffer)
      JSONText.append(",\"writable\":", writable, to: &buffer)
      try JSONText.append(",\"default\":", `default`, to: &buffer)
      JSONText.append(",\"expressions\":", expressions, to: &buffer)
      JSONText.append(",\"hasInputs\":", hasInputs, to: &buffer)
      JSONText.append(",\"enabled\":", enabled, to: &buffer)
      JSONText.append(",\"mayBeUnset\":", mayBeUnset, to: &buffer)
      JSONText.append(",\"numeric\":", numeric, to: &buffer)
      JSONText.append(",\"autorepeat\":", autorepeat, to: &buffer)
      JSONText.append(",\"continuous\":", continuous, to: &buffer)
      JSONText.append(",\"precision\":", precision, to: &buffer)
      JSONText.append(",\"spoken\":", spoken, to: &buffer)
      JSONText.append(",\"family\":", family, to: &buffer)
      JSONText.append(",\"subtitle\":", subtitle, to: &buffer)
      try JSONText.append(",\"subtitles\":", subtitles, to: &buffer)
      JSONText.append(",\"group\":", group, to: &buffer)
      JSONText.append(",\"groupTitle\":", groupTitle, to: &buffer)
      try JSONText.append(",\"groupTitles\":", groupTitles, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
