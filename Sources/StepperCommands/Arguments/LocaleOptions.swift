internal import ArgumentParser
internal import StepperClient

/// Options of commands that print or read values.
struct LocaleOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help:
      "Use the unit and the format of the control, and the separators of the locale (LC_ALL, LC_NUMERIC, LANG)."
  )
  var localized = false

  /// Reads the locale on each call.
  var values: ValueText { ValueText(locale: localized ? .current : nil) }
}
