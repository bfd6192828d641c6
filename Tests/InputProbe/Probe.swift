import Glibc
import StepperCore
import StepperLinux
import SystemPackage

/// Opens every input device, and prints what happens.
final class Probe {
  private let grabs: Bool
  private let source: UdevMonitor.Source
  private let monitor: DeviceMonitor
  private var devices: [String: EvdevDevice] = [:]
  /// Wakeups since the last line was printed, to find a busy loop.
  private var idleWakeups = 0

  init(arguments: [String]) throws(Errno) {
    grabs = arguments.contains("--grab")
    source = arguments.contains("kernel") ? .kernel : .udev
    monitor = try DeviceMonitor(source: source)
  }

  func run() throws(Errno) -> Never {
    for identity in try DeviceMonitor.devices() { attach(identity) }
    report("ready \(source)")
    while true {
      let nodes = devices.keys.sorted()
      var polled = [pollfd(fd: monitor.rawDescriptor, events: Int16(POLLIN), revents: 0)]
      polled += nodes.map { pollfd(fd: devices[$0]?.rawDescriptor ?? -1, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 else { continue }
      let now = Instant.now
      idleWakeups += 1
      if idleWakeups == 100 { report("busy loop") }
      for (node, descriptor) in zip(nodes, polled.dropFirst()) where descriptor.revents != 0 {
        read(node, now: now)
      }
      if polled[0].revents != 0 { try receive() }
    }
  }

  private func receive() throws(Errno) {
    for change in try monitor.receive() {
      switch change {
      case .present(let identity): attach(identity)
      case .removed(let node):
        devices[node] = nil
        report("removed \(node)")
      case .classPresent(let name): report("class-present \(name)")
      case .classRemoved(let name): report("class-removed \(name)")
      case .overflowed: report("overflowed")
      }
    }
  }

  private func attach(_ identity: DeviceIdentity) {
    let usages = identity.usages.map(\.name).sorted().joined(separator: ",")
    report(
      "present \(identity.node) name=[\(identity.name)] phys=[\(identity.physicalPath)] uniq=[\(identity.uniqueName)]"
        + " vendor=\(identity.vendor) product=\(identity.product) general=\(identity.isGeneralPurpose)"
        + " links=\(identity.links) input=\(identity.properties["ID_INPUT"] ?? "-") usages=\(usages)")
    guard devices[identity.node] == nil else { return }
    do throws(Errno) {
      let device = try EvdevDevice(node: identity.node)
      devices[identity.node] = device
      let axes = device.usages.compactMap { usage in
        device.absoluteAxis(usage).map { " \(usage.name)=\($0.minimum)...\($0.maximum)@\($0.value)" }
      }
      report(
        "opened \(device.node) [\(device.name)] writable=\(device.isWritable) monotonic=\(device.hasMonotonicTime)"
          + " same=\(device.usages == identity.usages)\(axes.sorted().joined())")
      if grabs { try grab(device, now: .now) }
    } catch {
      report(DeviceProblem(node: identity.node, error: error))
    }
  }

  private func read(_ node: String, now: Instant) {
    guard let device = devices[node] else { return }
    do throws(Errno) {
      while let reading = try device.nextFrame(now: now) {
        switch reading {
        case .frame(let frame): report("frame \(node)\(words(frame.events))\(age(frame.time, now))")
        case .resynchronized(let state): report("resync", state, of: device)
        }
      }
      if device.isGrabDue { try grab(device, now: now) }
    } catch {
      devices[node] = nil
      report("ended \(node) \(error.rawValue) events=\(device.eventCount) overruns=\(device.overrunCount)")
      // It is said once.
      let again = Result { try device.nextFrame(now: now) }
      if case .success(nil) = again { return }
      report("said again")
    }
  }

  private func grab(_ device: EvdevDevice, now: Instant) throws(Errno) {
    do throws(Errno) {
      switch try device.grab(now: now) {
      case .grabbed(let state): report("grabbed", state, of: device)
      case .waitingForKeys(let state?): report("waiting", state, of: device)
      case .waitingForKeys(nil): report("waiting \(device.node)")
      }
    } catch .resourceBusy {
      report(DeviceProblem(node: device.node, error: .resourceBusy))
    }
  }

  private func report(_ word: String, _ state: Resynchronization, of device: EvdevDevice) {
    let keys = state.keysDown.map(\.name).sorted().joined(separator: ",")
    report("\(word) \(device.node)\(words(state.events)) down=[\(keys)] overruns=\(device.overrunCount)")
  }

  private func report(_ problem: DeviceProblem) { report("\(problem.state): \(problem.message)") }

  private func report(_ line: String) {
    idleWakeups = 0
    print(line)
    fflush(nil)
  }

  private func words(_ events: EvdevEvents) -> String {
    events.count > 8
      ? " \(events.count) events" : events.map { " \($0.usage.name)=\($0.value)" }.joined()
  }

  /// Events must be stamped with the clock of this program, in the order of things.
  private func age(_ time: Instant, _ now: Instant) -> String {
    let age = now - time
    return age > .seconds(-1) && age < .seconds(5) ? "" : " (\(age) old)"
  }
}

extension Instant {
  static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
