internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram
internal import SystemPackage

/// One port with its board, on the program's loop.
final class SerialLine: BroughtDevice {
  let settings: SerialConfiguration
  private let loop: EventLoop
  private let logger: Logger
  private var board: any BoardProtocol
  private var port: SerialPort?
  private var nextOpening: Instant? = .distantPast
  /// Why the port is not open.
  private var problem = StandingProblem()
  // The bytes that the line has not taken yet, and when the board is next told about changes.
  private var output: ArraySlice<UInt8> = []
  private var nextWriting = Instant.distantPast
  private var reading = RateLimit(every: .milliseconds(10), burst: 32)
  private var nextReading: Instant?
  private var misfits = RateLimit(every: .seconds(60), burst: 1)

  private static let openingPause = Duration.seconds(1)
  private static let writingPause = Duration.milliseconds(20)

  init(_ settings: SerialConfiguration, on loop: EventLoop, _ logger: Logger) {
    (self.settings, self.loop, self.logger) = (settings, loop, logger)
    board =
      switch settings.protocol {
      case .lines: SerialBoard(path: settings.name)
      case .smartknob: SmartKnob(path: settings.name)
      }
  }

  var name: String { settings.name }
  var device: ReplaceableDevice {
    get { board.device }
    set { board.device = newValue }
  }

  var log: BoardLog { board.log }

  var trouble: String? {
    if let problem = problem.text { return "\(name): \(settings.port) \(problem)" }
    guard let boardName = board.name else {
      return "\(name): nothing was heard from a board at \(settings.port)"
    }
    return isAttached ? nil : "\(name): \(boardName) is not a device of stepperd yet"
  }

  // MARK: The port

  private func open(at now: Instant) {
    nextOpening = nil
    do throws(SerialPort.Failure) {
      let opened = try SerialPort.open(settings)
      do throws(Errno) {
        try loop.watch(opened.rawDescriptor, priority: .device) { [weak self] readiness, now in
          self?.ready(readiness, at: now)
        }
      } catch {
        throw .init(reason: "cannot be waited for: \(error)")
      }
      port = opened
      problem.change(to: nil)
      logger.info("\(name): \(settings.port) is open at \(settings.baud.rawValue) baud")
      board.opened(at: now)
    } catch {
      note(error, at: now)
    }
  }

  private func note(_ failure: SerialPort.Failure, at now: Instant) {
    nextOpening = now + Self.openingPause
    guard problem.change(to: failure.reason) != nil else { return }
    logger.log(
      level: failure.isAbsence ? .info : .warning, "\(name): \(settings.port) \(failure.reason)")
  }

  private func close(_ failure: SerialPort.Failure, at now: Instant) {
    if let port { loop.unwatch(port.rawDescriptor) }
    (port, output, nextReading) = (nil, [], nil)
    board.closed()
    note(failure, at: now)
  }

  private func ready(_ readiness: EventLoop.Readiness, at now: Instant) {
    if readiness.contains(.readable) || readiness.isBroken { read(at: now) }
    if readiness.contains(.writable) { write(at: now) }
  }

  /// A board that sends more than a hand can cause is read at 100 KiB a second. The kernel keeps the rest, or drops it.
  private func read(at now: Instant) {
    guard let port else { return }
    nextReading = nil
    do throws(SerialPort.Failure) {
      while true {
        guard reading.take(at: now) else {
          nextReading = reading.next
          break
        }
        guard let bytes = try port.read() else { break }
        board.receive(bytes, at: now)
      }
      watch()
    } catch {
      close(error, at: now)
    }
  }

  private func write(at now: Instant) {
    guard let port else { return }
    do throws(SerialPort.Failure) {
      if output.isEmpty, board.hasOutput, nextWriting <= now {
        output = ArraySlice(board.takeOutput())
        nextWriting = now + Self.writingPause
      }
      if !output.isEmpty { output = output.dropFirst(try port.write(output)) }
      watch()
    } catch {
      close(error, at: now)
    }
  }

  private func watch() {
    guard let port else { return }
    loop.change(
      port.rawDescriptor,
      to: EventLoop.Readiness(readable: nextReading == nil, writable: !output.isEmpty))
  }

  // MARK: The daemon

  func take(_ order: ProviderInterface.Order, at now: Instant) { board.take(order, at: now) }

  func advance(to now: Instant) -> DeviceAttachment.Call? {
    if let due = nextOpening, due <= now { open(at: now) }
    if let due = nextReading, due <= now { read(at: now) }
    let call = board.advance(to: now)
    if board.hasOutput, output.isEmpty, nextWriting <= now { write(at: now) }
    if let (line, reason) = board.log.takeMisfit(), misfits.take(at: now) {
      logger.notice("\(name): the line \"\(line)\" was not understood: \(reason)")
    }
    return call
  }

  var deadline: Instant? {
    let writing = port != nil && board.hasOutput && output.isEmpty ? nextWriting : nil
    return [nextOpening, nextReading, board.deadline, writing].compactMap(\.self).min()
  }
}
