import Foundation
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `How stepperctl prints metrics` {
  private static let metrics: [ManagerInterface.Metric] = [
    .init(name: "devices", type: .gauge, description: "Devices that are read", value: 2),
    .init(name: "eventsRead", type: .counter, description: "Input events", object: "knob", value: 41),
    .init(
      name: "eventsRead", type: .counter, description: "Input events", object: "a \"b\" \\ \n c", value: 1e18),
    .init(
      name: "eventsRead", type: .counter, description: "Input events", object: "\"\u{301}\\\u{301}", value: 2),
    .init(
      name: "latencySeconds", type: .gauge, description: "Latency", quantile: 0.99, value: 0.000_25),
  ]

  private func daemon() throws -> AnsweringPeer {
    try AnsweringPeer { call in
      var status = SmallDaemon.status
      status.metrics = Self.metrics
      return try [.of(ManagerInterface.GetStatus.self, status)]
    }
  }

  @Test func `in Prometheus' format`() async throws {
    let daemon = try daemon()
    let run = try await Program.run(["metrics", "--address", daemon.path])
    let expected = #"""
      # HELP stepperd_up Whether the daemon replied
      # TYPE stepperd_up gauge
      stepperd_up 1
      # HELP stepperd_info Version of the daemon
      # TYPE stepperd_info gauge
      stepperd_info{version="1.2.3"} 1
      # HELP stepperd_devices Devices that are read
      # TYPE stepperd_devices gauge
      stepperd_devices 2
      # HELP stepperd_events_read_total Input events
      # TYPE stepperd_events_read_total counter
      stepperd_events_read_total{object="knob"} 41
      stepperd_events_read_total{object="a \"b\" \\ \n c"} 1000000000000000000
      stepperd_events_read_total{object="\"́\\́"} 2
      # HELP stepperd_latency_seconds Latency
      # TYPE stepperd_latency_seconds gauge
      stepperd_latency_seconds{quantile="0.99"} 0.00025

      """#
    #expect(run == Run(output: expected))
  }

  @Test func `into a file, as a whole`() async throws {
    let daemon = try daemon()
    let folder = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: URL(filePath: "/tmp"), create: true
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "stepperd.prom").path
    #expect(try await Program.run(["metrics", "--output", file, "--address", daemon.path]) == Run())
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("stepperd_devices 2\n"))
    let none = try await Program.run(["metrics", "--output", file, "--address", "/nonexistent/socket"])
    #expect(none.status == 3)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("stepperd_up 0\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["stepperd.prom"])
    #expect(try await Program.run(["metrics", "--output", file, "--address", daemon.path]) == Run())
    let silent = try PeerListener()
    let late = try await Program.run([
      "metrics", "--output", file, "--address", silent.path, "--timeout", "50ms",
    ])
    #expect(late.status == 124)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("stepperd_up 0\n"))
    let failed = try await Program.run([
      "metrics", "--output", "/nonexistent/x.prom", "--address", daemon.path,
    ])
    #expect(
      failed
        == Run(errors: "stepperctl: cannot write /nonexistent/x.prom: No such file or directory\n", status: 1)
    )
  }

  @Test func `into no device, and no other file than the one that is named`() async throws {
    let (daemon, folder) = (try daemon(), try TemporaryFolder())
    let fifo = "\(folder.path)/fifo"
    guard unsafe mkfifo(fifo, 0o600) == 0 else { throw TestFailure("mkfifo") }
    for (path, kind) in [(fifo, "a FIFO"), ("/dev/null", "a device"), (folder.path, "a directory")] {
      let run = try await Program.run(["metrics", "--output", path, "--address", daemon.path])
      #expect(run == Run(errors: "stepperctl: \(path) is \(kind), not a file\n", status: 1))
    }
  }

  @Test func `into a file that says the daemon is not up where it answers with an error`() async throws {
    let folder = try TemporaryFolder()
    let daemon = try AnsweringPeer { _ in [VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied()))]
    }
    let run = try await Program.run(
      ["metrics", "--output", "\(folder.path)/x.prom", "--address", daemon.path])
    #expect(run.status == 1)
    #expect(try folder.read("x.prom").hasSuffix("stepperd_up 0\n"))
  }

  @Test func `a limit of the size of files is an error, and leaves nothing`() async throws {
    let (daemon, folder) = (try daemon(), try TemporaryFolder())
    try folder.write("former", to: "x.prom")
    let command =
      "\(builtProgram("stepperctl")) metrics --output \(folder.path)/x.prom --address \(daemon.path)"
    let run = try await Program.run(["-c", "ulimit -f 0; exec \(command)"], program: "/bin/sh")
    #expect(run.status == 1)
    #expect(try folder.read("x.prom") == "former" && !folder.contains(".x.prom.new"))
  }
}
