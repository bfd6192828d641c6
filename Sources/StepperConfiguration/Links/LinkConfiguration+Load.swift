extension LinkConfiguration {
  /// The links of a configuration file; nil if any of them has an error. The daemon checks the rest of the file; of the
  /// controls only the names are read here. Messages call the file `file`.
  package static func load(
    _ bytes: [UInt8], file: String, programProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (result: [LinkConfiguration]?, problems: [ConfigurationProblem]) {
    Configuration.readSound(bytes, file: file) { root in
      let controls = root[.control]?.entries().map(\.key) ?? []
      let reader = LinkReader(
        controls: controls.map { ($0, nil) }, commands: CommandReader(programProblem: programProblem))
      return root[.link].map(reader.links) ?? []
    }
  }
}
