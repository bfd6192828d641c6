extension LinkConfiguration {
  /// The links of a configuration file; nil if anything of them is an error. What else is in the file is the daemon's
  /// matter; of controls only the names are looked at. Messages call it `file`.
  package static func load(
    _ bytes: [UInt8], file: String, programProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (links: [LinkConfiguration]?, problems: [ConfigurationProblem]) {
    let (links, problems) = Configuration.readSound(bytes, file: file) { root -> [LinkConfiguration] in
      let controls = root[.control]?.entries().map(\.key) ?? []
      let reader = LinkReader(
        controls: controls.map { ($0, nil) }, commands: CommandReader(programProblem: programProblem))
      return root[.link].map(reader.links) ?? []
    }
    return (links, problems)
  }
}
