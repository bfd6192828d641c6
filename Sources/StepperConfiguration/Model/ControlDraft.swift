import StepperCore

/// A control's options as set by its profiles and its own table, before derived values are computed.
package struct ControlDraft: Hashable, Sendable {
  var settings = ControlSettings(name: "")
  /// nil: ten steps.
  var page: Page?
  /// nil: 0, or the nearest value in the range.
  var initial: Initial?
  /// nil: as many decimal places as the numbers need.
  var digits: Int?
  /// nil: the step.
  var climbRate: FixedPoint? = 0
  /// nil: as many decimal places as are shown.
  var precision: Int?
  var presentation = Presentation()

  enum Page: Hashable, Sendable {
    case number(FixedPoint)
    /// A tenth of the range, in whole steps; ten steps if an end is missing.
    case tenth
  }

  enum Initial: Hashable, Sendable {
    case number(FixedPoint)
    /// `unset`, `on` and `off`, or the name of a choice.
    case word(String)

    /// As the configuration would write it.
    var text: String {
      switch self {
      case .number(let number): "\(number.normalized)"
      case .word(let word): quoted(word)
      }
    }
  }
}
