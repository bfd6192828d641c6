import StepperInterfaces
import TestSupport
import Testing

@testable import StepperClient

extension PeerTests {
  @Suite struct `Following devices` {
    typealias Monitor = DeviceInterface.Monitor

    private static func reply(_ names: String..., removed: [String] = []) -> Monitor.Reply {
      let devices = names.map { name in
        DeviceInterface.MonitoredDevice(
          device: name, name: name, bus: 3, vendor: "077d", product: "0410", physicalPath: "", uniqueName: "",
          node: "/dev/input/event5", links: [], properties: [:], generalPurpose: false, codes: [], axes: [],
          keysDown: [])
      }
      return Monitor.Reply(devices: devices, removed: removed, frames: [], dropped: 0)
    }

    @Test func `removes those that are not there any more when it is connected again`() async throws {
      let listener = try PeerListener()
      let path = listener.path
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        _ = try connection.expect(Monitor.self)
        try connection.reply(Monitor.self, Self.reply("a", "b", "c"), continues: true)
        try connection.reply(Monitor.self, Self.reply("d", removed: ["a"]), continues: true)
        try connection.fail(DeviceInterface.Stopping())
        connection.close()
        connection = try listener.accept()
        _ = try connection.expect(Monitor.self)
        try connection.reply(Monitor.self, Self.reply("b", "e"), continues: true)
        try connection.reply(Monitor.self, Self.reply(removed: ["e"]), continues: true)
        try connection.expectClose()
      }
      let replies = try await onThread {
        let monitor = StepperClient(address: path).monitor()
        return try (0..<4).map { _ in try #require(try monitor.next(timeout: .seconds(60))) }
      }
      #expect(replies.map { $0.devices.map(\.device) } == [["a", "b", "c"], ["d"], ["b", "e"], []])
      #expect(replies.map(\.removed) == [[], ["a"], ["c", "d"], ["e"]])
      try await peer.value
    }
  }
}
