package import StepperConfiguration

extension WebSettings {
  /// Parses the TOML of a file, which need not be valid text; nil: one of the problems is an error. Messages call the file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (settings: WebSettings?, problems: [ConfigurationProblem]) {
    let (settings, problems) = Configuration.read(bytes, file: file, settings)
    return (problems.contains { $0.severity == .error } ? nil : settings, problems)
  }

  private static func settings(_ document: ConfigurationValue) -> WebSettings {
    var settings = WebSettings()
    guard let root = document.section(of: WebKey.self) else { return settings }
    root.read(into: &settings)
    if settings.pages == nil, !root.hasErrors {
      root[.csp]?.report("has no effect without pages", .key, severity: .warning)
    }
    return settings
  }
}
