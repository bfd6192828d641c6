internal import Logging
internal import StepperConfiguration
internal import StepperInterfaces
internal import StepperProgram

/// The program as a service: its ports with their boards.
struct SerialService {
  private let service: DeviceService<SerialLine>

  init(
    _ settings: [SerialConfiguration], address: String?, _ logger: Logger, _ notices: ServiceNotices
  ) throws {
    service = try DeviceService(.serial, address: address, logger, notices)
    for (place, line) in settings.enumerated() {
      service.put(SerialLine(line, on: service.loop, logger), at: place)
    }
  }

  /// Runs until a signal arrives. Returns true if the configuration has changed.
  func run(hasChanged: @escaping () -> Bool) throws -> Bool {
    try service.run(
      hasChanged: hasChanged,
      summary: { [service] in
        "\(service.devices.count(where: \.isAttached)) of \(service.devices.count) boards"
      }, metrics: { [service] in service.devices.flatMap(\.metrics) })
  }
}

extension SerialLine {
  private static var families: [MetricFamily<SerialLine>] {
    [
      .gauge("serialConnected", "Whether stepperd has the board as a device") { $0.isAttached ? 1 : 0 },
      .counter("serialLines", "Lines of the board that were understood") { $0.log.lines },
      .counter("serialMisfits", "Lines of the board that were not understood") { $0.log.misfits },
    ]
  }

  /// The counts of the line, for `stepperctl`.
  var metrics: [ManagerInterface.Metric] { Self.families.flatMap { $0.metrics(of: self, object: name) } }
}
