internal import Logging
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperProgram
internal import StepperText
internal import SystemPackage

/// The program as a service: the sequencer, its ports, and what was found of them.
final class MidiService {
  private let service: DeviceService<MidiPort, MidiFigures>
  private let tables: [MidiConfiguration]
  private let logger: Logger
  private var sequencer: Sequencer?
  private var nextOpening: Instant? = .distantPast
  /// Why there is none.
  private var problem: String?
  private var nextScan: Instant?
  private var nextReading: Instant?
  private var places: [Sequencer.Address: MidiPort] = [:]
  /// Whether the kernel may have said what is not known here: that ports have gone and come back.
  private var hasLost = false
  /// Names of ports that were reported as too many.
  private var omitted: Set<String> = []
  private var saved: SavedTexts?
  private var found = FoundInputs()
  /// Why it could not be written the last time.
  private var savingProblem: String?

  private static let openingPause = Duration.seconds(2)
  /// Ports of one controller come one after the other.
  private static let scanPause = Duration.milliseconds(50)
  private static let readingPause = Duration.milliseconds(10)
  /// A cable of MIDI has 10 in ten milliseconds; those of USB have more.
  private static let mostMessages = 256
  /// Each may have a connection of its own to the daemon, which takes 32 of a user.
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
      logger.warning("what is found of ports is forgotten at the end: \(error)")
    }
  }

  /// Runs until a signal comes; true: for another configuration.
  func run(hasChanged: @escaping () -> Bool) throws -> Bool {
    let end = try service.run(
      hasChanged: hasChanged, summary: { [self] in summary }, figures: { [self] in figures },
      work: { [self] in work(at: $0) })
    save(at: service.loop.now)
    saved?.close()
    return end == .changed
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
      (self.sequencer, problem) = (sequencer, nil)
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
    guard failure.reason != problem else { return }
    problem = failure.reason
    logger.warning("\(failure.reason)")
  }

  /// Reads at a bounded rate; what the kernel has no room for meanwhile is lost, and then nothing is taken to be down.
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
          // Another one may have its address before the next scan.
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

  /// Takes the ports that have come, and leaves those that have gone.
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
    // What is wrong with a port is so while that is there.
    for port in service.devices
    where !port.isPlugged && !present.contains(where: { $0.name == port.name }) {
      port.unplug()
    }
  }

  /// A port that has gone and come back unseen is not connected any more.
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

  /// nil: the port is left alone. Without a table it is read if it is of a card: a program means its ports for somebody else.
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
    // One of the same name that has gone is this one at another place, as far as anybody knows.
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

  /// Where the card is plugged in, and the number of the port on it: the same after a restart. nil: it is of a program.
  private func path(of port: Sequencer.Port) -> String? {
    guard let card = port.card else { return nil }
    let device = realPath("/sys/class/sound/card\(card)/device").flatMap { $0.split(separator: "/").last }
    return "\(device.map(String.init) ?? "card\(card)")/\(port.address.port)"
  }

  // MARK: What was found

  private func noteFound(on port: MidiPort, at now: Instant) {
    guard let words = port.takeFound() else { return }
    // What is kept is kept by the name, and a code is that of one input.
    for other in service.devices where other !== port && other.name == port.name { other.add(words, at: now) }
    found.note(words, of: port.name, at: now)
  }

  private func save(at now: Instant) {
    do {
      try found.save(at: now) { try saved?.write($0) }
      savingProblem = nil
    } catch {
      let problem = "\(error)"
      if problem != savingProblem { logger.warning("what was found of ports is not kept: \(problem)") }
      savingProblem = problem
    }
  }

  // MARK: What people see

  private var summary: String {
    if let problem { return problem }
    let plugged = service.devices.filter(\.isPlugged)
    return "\(plugged.count(where: \.isAttached)) of \(plugged.count) ports"
  }

  private var figures: MidiFigures {
    // Two equal controllers are one to who counts.
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
