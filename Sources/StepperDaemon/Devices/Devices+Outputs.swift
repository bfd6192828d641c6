import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage

/// The outputs and lights of devices.
extension Devices {
  /// Finds the outputs of a device that has just been opened.
  func attachOutputs(to entry: DeviceEntry, _ device: EvdevDevice) {
    let usesForce = usesForce(of: entry)
    if !usesForce, device.hasForceFeedback {
      report(
        "\(entry.name): its force feedback can block the daemon and is used only if the outputs of a control name the device"
      )
    }
    entry.outputs = DeviceOutputs(of: device, usesForce: usesForce)
    setStrength(of: entry)
    attachHaptics(to: entry)
  }

  /// Applies a new configuration to the outputs of a device.
  func configureOutputs(of entry: DeviceEntry) {
    if let device = entry.device, let outputs = entry.outputs, outputs.usesForce != usesForce(of: entry) {
      detachOutputs(of: entry)
      attachOutputs(to: entry, device)
      noteOutputs()
    } else {
      setStrength(of: entry)
    }
  }

  /// Whether to use the force feedback of a device. For some devices the kernel waits until an effect has been
  /// accepted: by the program of a uinput device, for up to 30 s, or by a USB HID device (`hid-pidff`), for up to ten
  /// minutes. The force feedback of these is used only if the outputs of a control name the device.
  private func usesForce(of entry: DeviceEntry) -> Bool {
    guard let identity = entry.identity, identity.isMadeByProgram || identity.isUSBHID else { return true }
    return world.configurations.flatMap(\.outputs).contains { output in
      output.device == entry.table
        && output.output.flatMap(OutputKind.init(rawValue:))?.isForce ?? true
    }
  }

  private func setStrength(of entry: DeviceEntry) {
    let strength = entry.configuration?.strength ?? 1
    if let outputs = entry.outputs, outputs.gain != strength {
      outputs.gain = strength
      entry.provided?.forgetKnobs()
      noteFollowing()
    }
    reportProblems(of: entry)
  }

  /// Opens an LED-class device that was added or has become writable.
  func classPlugged(_ name: String) {
    for entry in entries where entry.className == name && entry.outputs == nil { openClassDevice(entry) }
  }

  /// Closes an LED-class device that was removed, or replaced by another one of the same name, and opens the new one.
  func classUnplugged(_ name: String) {
    for entry in entries where entry.className == name {
      detachOutputs(of: entry)
      openClassDevice(entry)
    }
  }

  /// Opens an LED-class device, which is not an input device. Failures are retried, because there is no notification
  /// when it becomes writable.
  func openClassDevice(_ entry: DeviceEntry) {
    let directory = FilePath("/sys/class/leds")
    entry.retry.begin()
    do throws(Errno) {
      switch entry.configuration?.source {
      case .light(let name):
        entry.outputs = DeviceOutputs(
          of: nil, lights: [try LightOutput(directory: directory.appending(name))])
      case .vibrator(let name):
        entry.outputs = DeviceOutputs(of: nil, vibrator: try Vibrator(directory: directory.appending(name)))
      case .matching, .virtual, nil: return
      }
      entry.state = .open
      entry.problem = nil
      entry.retry.succeed(at: now)
      entry.connects += 1
      note(entry.name)
      noteOutputs()
    } catch {
      let path = directory.appending(entry.className ?? "").string
      failed(entry, DeviceProblem(classDirectory: path, error: error))
    }
  }

  func detachOutputs(of entry: DeviceEntry) {
    entry.hapticRetry.clear()
    entry.outputs?.close()
    detachHaptics(of: entry)
    guard entry.outputs != nil else { return }
    entry.outputs = nil
    collectOrders(of: entry)
    noteOutputs()
  }

  /// Ends all effects and gives lights their original brightness, because the daemon stops.
  func closeOutputs() {
    for entry in entries { detachOutputs(of: entry) }
    finishHaptics()
  }

  // MARK: Playing

  /// Plays an effect on the configured outputs of a control, otherwise on the device that was moved, otherwise on
  /// every device that drives it.
  func play(_ effect: FeedbackEffect, of control: ControlEntry, movedBy device: DeviceNumber?) {
    guard control.configuration.outputs.isEmpty else {
      for output in control.configuration.outputs {
        for entry in entries where entry.table == output.device {
          play(effect, on: entry, preferring: output.output.flatMap(OutputKind.init(rawValue:)))
        }
      }
      return
    }
    if let device, let entry = index[device] {
      play(effect, on: entry, preferring: nil)
      return
    }
    let drivers = Set(control.configuration.settings.bindings.map(\.input.device))
    for entry in entries where entry.configuration.map({ drivers.contains($0.settings.name) }) ?? false {
      play(effect, on: entry, preferring: nil)
    }
  }

  @discardableResult
  func play(_ effect: FeedbackEffect, on entry: DeviceEntry, preferring kind: OutputKind?) -> OutputKind? {
    defer {
      reportProblems(of: entry)
      noteTime(of: entry)
      collectOrders(of: entry)
    }
    return entry.outputs?.play(effect, preferring: kind, at: now)
  }

  /// A failed output is reported once and disabled; the device remains in use.
  func reportProblems(of entry: DeviceEntry) {
    guard let problems = entry.outputs?.takeProblems(), !problems.isEmpty else { return }
    for problem in problems { report("\(entry.name): \(problem.message)") }
    // A failed LED-class device is not used until it is connected again.
    if entry.className != nil, entry.outputs?.kinds.isEmpty == true, entry.outputs?.lights.isEmpty == true {
      detachOutputs(of: entry)
      entry.state = .absent
      entry.problem = problems.last?.message
      entry.retry.failed(at: now)
      noteTime(of: entry)
    }
    note(entry.name)
  }

  // MARK: Lights

  /// Sets the brightness of a light; without a name, of the first light. Returns whether the light exists.
  @discardableResult
  func setLight(_ name: String?, of entry: DeviceEntry, to brightness: Double) -> Bool {
    guard let outputs = entry.outputs, let light = name ?? outputs.lights.first else { return false }
    defer {
      reportProblems(of: entry)
      collectOrders(of: entry)
    }
    return outputs.setLight(light, brightness: brightness)
  }
}
