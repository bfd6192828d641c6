internal import ArgumentParser
internal import StepperClient

struct ReloadCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Make the daemon read its configuration again.",
    discussion: "If it has errors, they are printed, and the configuration in use remains unchanged.")

  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    for warning in try client.reload() { try global.write(warning, or: warning.text) }
    if !global.json { Output.line("reloaded") }
  }
}
