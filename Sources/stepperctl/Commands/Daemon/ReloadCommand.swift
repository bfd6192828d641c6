internal import ArgumentParser
internal import StepperClient

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Have the daemon read its configuration again.",
    discussion: "If it has errors, they are shown and the daemon goes on with the configuration it had.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.run { client in
      for warning in try client.reload() {
        if global.json { try Output.json(warning) } else { Output.line(warning.text) }
      }
      if !global.json { Output.line("reloaded") }
    }
  }
}
