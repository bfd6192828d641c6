import ArgumentParser
internal import StepperClient
import StepperFormatting

/// Values as text: in the C locale with their unit, or localized as their description says.
struct ValueText {
  /// nil for the C locale.
  let locale: NumberLocale?
  /// The C locale.
  static let plain = ValueText(locale: nil)

  /// `50 %`, `on`, `unset`. `description` may be unknown.
  func value(_ state: ControlInterface.State, _ description: ControlInterface.Description?) -> String {
    guard let locale, let description else { return ControlText.value(state, unit: description?.unit) }
    return ValueFormatter(description, locale: locale).format(state) ?? ControlText.unset
  }

  /// A bound or a step of a control, without its unit.
  func number(_ value: Double, of description: ControlInterface.Description) -> String {
    guard let locale else { return ControlText.number(value) }
    var bare = description
    bare.unit = nil
    return ValueFormatter(bare, locale: locale).format(text: ControlText.number(value))
  }

  /// The title, in the user's language if values are localized.
  func title(_ description: ControlInterface.Description) -> String? {
    locale == nil ? description.title : description.title(for: PreferredLanguages.current)
  }

  /// The text for the daemon that means the localized `text`. Unchanged without a description: the daemon refuses it then.
  func parse(_ text: String, _ description: ControlInterface.Description?) throws(CommandFailure)
    -> String
  {
    guard let locale, let description else { return text }
    do throws(FormattingError) {
      return try ValueFormatter(description, locale: locale).parse(text)
    } catch {
      throw CommandFailure(message: error.message, code: .failure)
    }
  }
}
