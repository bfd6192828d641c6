/// Hardware without a driver, and drivers that the kernel lacks.
enum DriverCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    let kernel = facts.kernel
    var findings: [Finding] = []
    if !kernel.inputsWithoutNode.isEmpty, facts.inputs.isEmpty {
      findings.append(
        finding(
          "evdev",
          "the kernel has input devices (\(kernel.inputsWithoutNode.prefix(3).joined(separator: ", "))) and no event nodes",
          facts))
    }
    for device in kernel.platform where !device.hasDriver {
      let module = KernelFacts.modules[device.compatible] ?? device.compatible
      findings.append(
        finding(
          module, "the device tree has \(device.name) (\(device.compatible)), and no driver uses it", facts))
    }
    return findings
  }

  private static func finding(_ module: String, _ seen: String, _ facts: Facts) -> Finding {
    let kernel = facts.kernel
    if kernel.has(module) {
      return Finding(
        "driver.refused", "driver \(module)", .wrong, "\(seen), though \(module) is present",
        because:
          "The driver has refused the hardware: its pins are in use, or its description is incomplete.",
        remedies: [facts.shell.asRoot("dmesg | grep -i -e \(module) -e \(dashed(module)) -e gpio")])
    }
    if kernel.installed?.contains(module) ?? true {
      return Finding(
        "driver.unloaded", "driver \(module)", .wrong, "\(seen), and the module \(module) is not loaded",
        because: "Without it the device does not appear.",
        remedies: [
          facts.shell.asRoot("modprobe \(module)"),
          facts.shell.write([module], to: "/etc/modules-load.d/stepperd-\(dashed(module)).conf"),
        ])
    }
    return Finding(
      "driver.missing", "driver \(module)", .wrong,
      "\(seen), and the kernel \(kernel.release) has no module \(module)",
      because: "Without it the device does not appear.",
      remedies: [
        .advice(
          "install the kernel's further modules (Ubuntu: sudo apt install linux-modules-extra-\(kernel.release)), or a kernel with \(option(module))"
        )
      ])
  }

  private static func dashed(_ module: String) -> String { String(module.map { $0 == "_" ? "-" : $0 }) }

  /// The option of the kernel's configuration, as drivers/input/…/Kconfig names it.
  private static func option(_ module: String) -> String {
    switch module {
    case "evdev": "CONFIG_INPUT_EVDEV"
    case "rotary_encoder": "CONFIG_INPUT_GPIO_ROTARY_ENCODER"
    case "gpio_keys": "CONFIG_KEYBOARD_GPIO"
    case "gpio_keys_polled": "CONFIG_KEYBOARD_GPIO_POLLED"
    case "adc_joystick": "CONFIG_JOYSTICK_ADC"
    default: "CONFIG_KEYBOARD_ADC"
    }
  }
}
