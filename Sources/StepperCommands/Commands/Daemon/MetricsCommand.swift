internal import ArgumentParser
internal import StepperClient
internal import StepperLinux
internal import SystemPackage

struct MetricsCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print counters and measurements of the daemon and its bridges for Prometheus.",
    discussion: """
      The output is in Prometheus' exposition format. With --output it replaces FILE atomically, for the textfile \
      collector of node_exporter; if the daemon does not reply with its status, FILE contains stepperd_up 0. The metrics of stepperd-mqtt, \
      stepperd-link, stepperd-serial and stepperd-midi are those of the last ten seconds, and there are none while these do not run.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file(extensions: ["prom"]))
  var output: String?

  func run(_ client: StepperClient) throws {
    let bridges = BridgeReading.all.flatMap(\.metrics)
    let status: ManagerInterface.GetStatus.Reply
    do {
      status = try client.status()
    } catch {
      if output != nil { try write(PrometheusText.of(nil, bridges)) }
      throw error
    }
    guard !global.json else { return try ((status.metrics ?? []) + bridges).forEach { try Output.json($0) } }
    try write(PrometheusText.of(status, bridges))
  }

  func validate() throws {
    if output == "" { throw ValidationError("--output needs the name of a file") }
    if global.json, output != nil {
      throw ValidationError("--output is for the Prometheus format, not --json")
    }
  }

  private func write(_ text: String) throws {
    guard let output else { return Output.lines(text.split(separator: "\n").map(String.init)) }
    do {
      let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
      try ReplacedFile(FilePath(output)).write(Array(text.utf8), permissions: permissions)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
