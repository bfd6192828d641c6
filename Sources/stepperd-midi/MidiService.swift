internal import Logging
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperProgram
internal import StepperText
internal import SystemPackage

/// The program as a service: the sequencer, its ports, and the inputs discovered on them.
final class MidiService {
  private let service: DeviceService<MidiPort>
  private let tables: [MidiConfiguration]
  private let logger: Logger
  private var sequencer: Sequencer?
  private var nextOpening: Instant? = .distantPast
  /// Why the sequencer is not open.
  private var problem = StandingProblem()
  private var nextScan: Instant?
  private var nextReading: Instant?
  private var places: [Sequencer.Address: MidiPort] = [:]
  /// Whether the kernel may have dropped events, so that ports may have gone and returned unnoticed.
  private var hasLost = false
  /// The names of ports that were reported as being too many.
  private var omitted: Set<String> = []
  private var saved: SavedTexts?
  private var found = FoundInputs()
  /// Why the last write of the inputs failed.
  private var savingProblem = StandingProblem()

  private static let openingPause = Duration.seconds(2)
  /// The ports of one controller appear one after another.
  private static let scanPause = Duration.milliseconds(50)
  private static let readingPause = Duration.milliseconds(10)
  /// A MIDI cable carries 10 messages in ten milliseconds; USB carries more.
  private static let mostMessages = 256
  /// Each port may have a connection of its own to the daemon, which accepts 32 per user.
  private static let mostPorts = 30
  private static let mostOmitted = 64

  init(_ tables: [MidiConfiguration], address: String?, _ logger: Logger, _ notices: ServiceNotices) throws {
    (self.tables, self.logger) = (tables, logger)
    service = try DeviceService(.midi, address: address, logger, notices)
    do {
      var file = try SavedTexts("inputs.json", of: .midi)
      found = FoundInputs(try file.read())
      saved = file
    } catch {
      logger.warning("the inputs that are found on ports are forgotten at the end: \(error)")
    }
  }

  /// Runs until a signal arrives. Returns true if the configuration has changed.
  func run(hasChanged: @escaping () -> Bool) throws -> Bool {
    let hasChanged = try service.run(
      hasChanged: hasChanged, summary: { [self] in summary }, metrics: { [self] in figures.metrics },
      work: { [self] in work(at: $0) })
    save(at: service.loop.now)
    saved?.close()
    return hasChanged
  }

  private func work(at now: Instant) -> Instant? {
    if let due = nextOpening, due <= now { open(at: now) }
    if let due = nextReading, due <= now { read(at: now) }
    if let due = nextScan, due <= now { scan(at: now) }
    for port in service.devices { noteFound(on: port, at: now) }
    if let due = found.due, due <= now { save(at: now) }
    return [nextOpening, nextReading, nextScan, found.due].compactMap(\.self).min()
  }

  // MARK: The sequencer

  private func open(at now: Instant) {
    nextOpening = nil
    do throws(Sequencer.Failure) {
      let sequencer = try Sequencer()
      do throws(Errno) {
        try service.loop.watch(sequencer.descriptor, priority: .device) { [weak self] _, now in
          self?.read(at: now)
        }
      } catch {
        throw .init(reason: "the sequencer cannot be waited for: \(error)")
      }
      self.sequencer = sequencer
      problem.change(to: nil)
      logger.info("the sequencer of MIDI is open")
      scan(at: now)
    } catch {
      close(error, at: now)
    }
  }

  private func close(_ failure: Sequencer.Failure, at now: Instant) {
    if let sequencer { service.loop.unwatch(sequencer.descriptor) }
    for port in service.devices { port.unplug() }
    (sequencer, places, nextReading, nextScan, hasLost) = (nil, [:], nil, nil, false)
    nextOpening = now + Self.openingPause
    if problem.change(to: failure.reason) != nil { logger.warning("\(failure.reason)") }
  }

  /// Reads at a bounded rate. Events for which the kernel has no room in the meantime are lost; after that, no key counts as down.
  private func read(at now: Instant) {
    guard let sequencer else { return }
    nextReading = nil
    var count = 0
    do throws(Sequencer.Failure) {
      while let event = try sequencer.next() {
        switch event {
        case .message(let address, let message):
          guard let port = places[address] else { break }
          port.receive(message, at: now)
          noteFound(on: port, at: now)
        case .portsChanged: scanSoon(at: now)
        case .gone(let client, let port):
          // Another port may get this address before the next scan.
          for (address, _) in places where address.client == client && port ?? address.port == address.port {
            leave(address)
          }
          scanSoon(at: now)
        case .lost:
          hasLost = true
          for port in places.values { port.noteLoss() }
          scanSoon(at: now)
        case .other: break
        }
        count += 1
        guard count < Self.mostMessages else {
          nextReading = now + Self.readingPause
          break
        }
      }
    } catch {
      return close(error, at: now)
    }
    service.loop.change(
      sequencer.descriptor, to: EventLoop.Readiness(readable: nextReading == nil, writable: false))
  }

  // MARK: Ports

  private func scanSoon(at now: Instant) { nextScan = min(nextScan ?? .distantFuture, now + Self.scanPause) }

  private func leave(_ address: Sequencer.Address) {
    places[address]?.unplug()
    places[address] = nil
  }

  /// Adds the ports that have appeared, and leaves those that have disappeared.
  private func scan(at now: Instant) {
    nextScan = nil
    guard let sequencer else { return }
    let present = sequencer.ports()
    for (address, port) in places
    where !present.contains(where: { $0.address == address && $0.name == port.name }) {
      leave(address)
    }
    if hasLost { connectAgain(present, sequencer, at: now) }
    hasLost = false
    for port in present where places[port.address] == nil {
      guard let settings = settings(for: port) else { continue }
      take(port, settings, sequencer, at: now)
    }
    // The problem of a port lasts only while the port is there.
    for port in service.devices
    where !port.isPlugged && !present.contains(where: { $0.name == port.name }) {
      port.unplug()
    }
  }

  /// Reconnects ports: a port that has gone and returned unnoticed is no longer connected.
  private func connectAgain(_ present: [Sequencer.Port], _ sequencer: Sequencer, at now: Instant) {
    for found in present {
      guard let port = places[found.address] else { continue }
      do throws(Sequencer.Failure) {
        try sequencer.connect(found, again: true)
      } catch {
        leave(found.address)
        note(error, of: port, at: now)
      }
    }
  }

  private func note(_ failure: Sequencer.Failure, of port: MidiPort, at now: Instant) {
    port.note(problem: failure.reason)
    nextScan = min(nextScan ?? .distantFuture, now + Self.openingPause)
  }

  /// The settings of a port; nil: it is ignored. Without a table, a port is read only if it belongs to a card: programs mean their ports
  /// for somebody else.
  private func settings(for port: Sequencer.Port) -> MidiConfiguration? {
    let table = tables.first { glob($0.port, matches: port.name) }
    guard let settings = table ?? (port.card == nil ? nil : .standard), !settings.isIgnored else {
      return nil
    }
    return settings
  }

  private func take(
    _ found: Sequencer.Port, _ settings: MidiConfiguration, _ sequencer: Sequencer, at now: Instant
  ) {
    let plugged = service.devices.filter { $0.name == found.name && $0.isPlugged }.map(\.path)
    let path = path(of: found) ?? MidiPort.path(besides: plugged)
    let former = service.devices.first { $0.name == found.name && $0.path == path && !$0.isPlugged }
    guard let port = former ?? add(found, path, settings) else { return }
    do throws(Sequencer.Failure) {
      try sequencer.connect(found)
    } catch {
      return note(error, of: port, at: now)
    }
    places[found.address] = port
    let send = { (message: MidiMessage) in sequencer.send(message, to: found.address) }
    port.plugIn(found.address, at: now, send: found.isWritable ? send : nil)
  }

  private func add(_ found: Sequencer.Port, _ path: String?, _ settings: MidiConfiguration) -> MidiPort? {
    // A port of the same name that has gone counts as this one, plugged in elsewhere.
    let place =
      service.devices.firstIndex { $0.name == found.name && $0.isGone }
      ?? (service.devices.count < Self.mostPorts
        ? service.devices.endIndex : service.devices.firstIndex(where: \.isGone))
    guard let place else {
      if omitted.count < Self.mostOmitted, omitted.insert(found.name).inserted {
        logger.warning("\(found.name) is not read: there are \(Self.mostPorts) ports already")
      }
      return nil
    }
    let inputs = MidiInputs(words: self.found.words(of: found.name))
    let port = MidiPort(found.name, path: path, settings, inputs, logger)
    service.put(port, at: place)
    return port
  }

  /// Where the card is plugged in, and the port's number on it, which are the same after a restart; nil: the port belongs to a program.
  private func path(of port: Sequencer.Port) -> String? {
    guard let card = port.card else { return nil }
    let device = realPath("/sys/class/sound/card\(card)/device").flatMap { $0.split(separator: "/").last }
    return "\(device.map(String.init) ?? "card\(card)")/\(port.address.port)"
  }

  // MARK: What was found

  private func noteFound(on port: MidiPort, at now: Instant) {
    guard let words = port.takeFound() else { return }
    // Inputs are saved by the port's name, and each code must belong to one input.
    for other in service.devices where other !== port && other.name == port.name { other.add(words, at: now) }
    found.note(words, of: port.name, at: now)
  }

  private func save(at now: Instant) {
    do {
      try found.save(at: now) { try saved?.write($0) }
      savingProblem.change(to: nil)
    } catch {
      guard savingProblem.change(to: "\(error)") != nil else { return }
      logger.warning("the inputs that were found on ports cannot be saved: \(error)")
    }
  }

  // MARK: What people see

  private var summary: String {
    if let problem = problem.text { return problem }
    let plugged = service.devices.filter(\.isPlugged)
    return "\(plugged.count(where: \.isAttached)) of \(plugged.count) ports"
  }

  private var figures: MidiFigures {
    // Two equal controllers are counted as one.
    let ports = Dictionary(grouping: service.devices, by: \.name).sorted { $0.key < $1.key }
    return MidiFigures(
      isOpen: sequencer != nil,
      ports: ports.map { name, ports in
        .init(
          name: name, isTrouble: ports.contains(where: \.isInTrouble),
          messages: ports.reduce(0) { $0 + $1.messageCount })
      })
  }
}
