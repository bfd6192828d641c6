internal import Logging
internal import StepperConfiguration
internal import StepperInterfaces
internal import StepperProgram

/// The program as a service: ports with their boards.
struct SerialService {
  private let service: DeviceService<SerialLine, SerialFigures>

  init(
    _ settings: [SerialConfiguration], address: String?, _ logger: Logger, _ notices: ServiceNotices
  ) throws {
    service = try DeviceService(.serial, address: address, logger, notices)
    for (place, line) in settings.enumerated() {
      service.put(SerialLine(line, on: service.loop, logger), at: place)
    }
  }

  /// Runs until a signal comes; true: for another configuration.
  func run(hasChanged: @escaping () -> Bool) throws -> Bool {
    let end = try service.run(
      hasChanged: hasChanged,
      summary: { [service] in
        "\(service.devices.count(where: \.isAttached)) of \(service.devices.count) boards"
      },
      figures: { [service] in SerialFigures(boards: service.devices.map(\.figures)) })
    return end == .changed
  }
}

/// What it counts.
struct SerialFigures: BridgeFigures {
  struct Board: Equatable {
    var name: String
    var isAttached: Bool
    var lines: Int64
    var misfits: Int64
  }

  var boards: [Board]

  var metrics: [ManagerInterface.Metric] {
    boards.flatMap { board in
      [
        ManagerInterface.Metric(
          name: "serialConnected", type: .gauge, description: "Whether stepperd has the board as a device",
          object: board.name, value: board.isAttached ? 1 : 0),
        ManagerInterface.Metric(
          name: "serialLines", type: .counter, description: "Lines of the board that were understood",
          object: board.name, value: Double(board.lines)),
        ManagerInterface.Metric(
          name: "serialMisfits", type: .counter, description: "Lines of the board that were not understood",
          object: board.name, value: Double(board.misfits)),
      ]
    }
  }
}
