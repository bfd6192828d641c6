package import ArgumentParser

/// Selects the configuration that a program reads.
package struct ConfigurationOption: ParsableArguments {
  @Option(help: ArgumentHelp("Read this configuration file instead of the default one.", valueName: "file"))
  package var config: String?

  package init() {}
}

/// Selects the daemon that a program uses.
package struct AddressOption: ParsableArguments {
  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "socket"))
  package var address: String?

  package init() {}
}
