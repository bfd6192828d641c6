internal import ArgumentParser
internal import StepperClient

/// Further options of commands that show or read values.
struct LocaleOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help:
      "Values as people write them: with unit, format and the marks of the locale (LC_ALL, LC_NUMERIC, LANG)."
  )
  var localized = false

  /// How values are written; the locale is looked up once.
  var values: ValueText { ValueText(locale: localized ? .current : nil) }
}
