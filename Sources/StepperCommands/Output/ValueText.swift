internal import StepperClient
import StepperInterfaces

/// Values as text: in the C locale with their unit, or localized in the format of their description.
struct ValueText {
  /// nil for the C locale.
  let locale: NumberLocale?
  static let plain = ValueText(locale: nil)

  /// `50 %`, `on`, `unset`. `description` may be unknown.
  func value(_ state: ControlInterface.State, _ description: ControlInterface.Description?) -> String {
    guard let text = state.text else { return ControlText.unset }
    if let description, let title = choice(text, of: description) { return title }
    if let locale, let description { return ValueFormatter(description, locale: locale).format(text: text) }
    return description?.unit.map { "\(text) \($0)" } ?? text
  }

  /// A bound or a step of a control, without its unit.
  func number(_ value: Double, of description: ControlInterface.Description) -> String {
    // The shortest decimal: 0.3, 50, 1000000000000000000.
    let text = PlainDecimal(value)?.text ?? String(value)
    guard let locale else { return text }
    var bare = description
    bare.unit = nil
    return ValueFormatter(bare, locale: locale).format(text: text)
  }

  /// The title of a choice in the user's language if values are localized; nil otherwise.
  func choice(_ name: String, of description: ControlInterface.Description) -> String? {
    locale == nil ? nil : description.choiceTitle(of: name, for: PreferredLanguages.current)
  }

  /// The title, in the user's language if values are localized.
  func title(_ description: ControlInterface.Description) -> String? {
    locale == nil ? description.title : description.title(for: PreferredLanguages.current)
  }

  /// Converts the localized `text` to the C locale. Without a description the text is unchanged, so that the daemon
  /// refuses it.
  func parse(_ text: String, _ description: ControlInterface.Description?) throws(CommandFailure)
    -> String
  {
    guard let locale, let description else { return text }
    do throws(FormattingError) {
      return try ValueFormatter(description, locale: locale).parse(text)
    } catch {
      throw CommandFailure(error.message)
    }
  }
}
