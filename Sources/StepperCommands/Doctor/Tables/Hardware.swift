internal import StepperConfiguration
internal import StepperCore
internal import StepperText

/// Drivers of the kernel, and the boards' descriptions of knobs and buttons on pins.
extension Facts {
  @FindingList var aboutHardware: [Finding] {
    for driver in missingDrivers { first("driver \(driver.module)") { use(of: driver) } }
    for overlay in board.overlays("gpio-key") {
      let code = overlay.parameters["keycode"]
      finding(
        "board", "board.power-key", .wrong, when: ["116", nil].contains(code),
        seen: "\(overlay.place) makes a power key: \(overlay.text)",
        because:
          "Without keycode= the overlay sends KEY_POWER (116), which powers the machine off; 164 is KEY_PLAYPAUSE.",
        fix: overlay.edit(code == nil ? "s/$/,keycode=164/" : "s/keycode=116/keycode=164/"))
    }
    for overlay in board.overlays("rotary-encoder") {
      // The overlay sends ABS_X from 0 to 24 without relative_axis=1.
      finding(
        "board", "board.absolute", .warning,
        when: !["1", ""].contains(overlay.parameters["relative_axis"] ?? "0"),
        seen: "\(overlay.place) makes an absolute axis: \(overlay.text)",
        because: "A knob without ends is a relative axis; linux_axis=7 is REL_DIAL.",
        fix: overlay.edit("s/$/,relative_axis=1,linux_axis=7/"))
    }
    finding(
      "board", "board.empty", .note, when: board.kind != .other && board.file != nil && !hasStepper,
      seen: "no knob, button or fader is connected to \(board.model ?? "this board")",
      because: "A knob on pins appears when the device tree describes it; the pins below are examples.",
      fix: Self.describe(board) + [.root("reboot")])
  }

  @FirstRow private func use(of driver: MissingDriver) -> Row? {
    let module = driver.module
    let option = Self.kernelOptions[module] ?? "CONFIG_KEYBOARD_ADC"
    let dashed = String(module.map { $0 == "_" ? "-" : $0 })
    Row(
      "driver.refused", .wrong, when: kernel.has(module),
      seen: "\(driver.seen), though \(module) is present",
      because: "The driver has refused the hardware: its pins are in use, or its description is incomplete.",
      fix: [.root("dmesg | grep -i -e \(module) -e \(dashed) -e gpio")])
    Row(
      "driver.unloaded", .wrong, when: kernel.installed?.contains(module) ?? true,
      seen: "\(driver.seen), and the module \(module) is not loaded",
      because: "Without it the device does not appear.",
      fix: [
        .root("modprobe \(module)"), .write([module], to: "/etc/modules-load.d/stepperd-\(dashed).conf"),
      ])
    Row(
      "driver.missing", .wrong,
      seen: "\(driver.seen), and the kernel \(kernel.release) has no module \(module)",
      because: "Without it the device does not appear.",
      fix: [
        .advice(
          "install the kernel's further modules (Ubuntu: sudo apt install linux-modules-extra-\(kernel.release)), or a kernel with \(option)"
        )
      ])
  }

  /// The options of the kernel's configuration, as drivers/input/…/Kconfig names them.
  private static let kernelOptions = [
    "evdev": "CONFIG_INPUT_EVDEV",
    "rotary_encoder": "CONFIG_INPUT_GPIO_ROTARY_ENCODER",
    "gpio_keys": "CONFIG_KEYBOARD_GPIO",
    "gpio_keys_polled": "CONFIG_KEYBOARD_GPIO_POLLED",
    "adc_joystick": "CONFIG_JOYSTICK_ADC",
  ]

  /// What describes a knob to the device tree.
  private static func describe(_ board: BoardFacts) -> [RemedyStep] {
    let file = board.file ?? ""
    let source = RemedyStep.write(Self.overlay(board.compatible), to: "/root/knob.dts")
    return switch board.kind {
    case .raspberryPi:
      [
        .line("dtoverlay=rotary-encoder,pin_a=17,pin_b=27,relative_axis=1,linux_axis=7", file: file),
        .line("dtoverlay=gpio-key,gpio=22,gpio_pull=up,active_low=1,keycode=164,label=knob", file: file),
      ]
    case .armbian: [source, .root("armbian-add-overlay /root/knob.dts")]
    case .beagleBone:
      [
        source, .root("dtc -@ -I dts -O dtb -o /lib/firmware/knob.dtbo /root/knob.dts"),
        .line("uboot_overlay_addr4=/lib/firmware/knob.dtbo", file: file),
      ]
    case .other: []
    }
  }

  /// A device tree overlay with a rotary encoder on two pins; linux,axis 7 is REL_DIAL.
  private static func overlay(_ compatible: String) -> [String] {
    let isAllwinner = compatible.has("allwinner") || compatible.has("xunlong")
    // Allwinner's controller is one with bank and pin, PA6 is <&pio 0 6>; others have a controller for each bank.
    let pins = isAllwinner ? "<&pio 0 6 1>, <&pio 0 7 1>" : "<&gpio1 16 1>, <&gpio1 17 1>"
    return [
      "/dts-v1/;", "/plugin/;", "/ {", "  compatible = \"\(compatible)\";", "  fragment@0 {",
      "    target-path = \"/\";", "    __overlay__ {", "      knob {",
      "        compatible = \"rotary-encoder\";", "        gpios = \(pins);", "        linux,axis = <7>;",
      "        rotary-encoder,encoding = \"gray\";", "        rotary-encoder,relative-axis;", "      };",
      "    };", "  };", "};",
    ]
  }
}

/// Hardware that no driver uses.
private struct MissingDriver {
  var module: String
  var seen: String
}

extension Facts {
  private var missingDrivers: [MissingDriver] {
    let nodeless = kernel.inputsWithoutNode
    let names = nodeless.prefix(3).joined(separator: ", ")
    let evdev = MissingDriver(
      module: "evdev", seen: "the kernel has input devices (\(names)) and no event nodes")
    return (nodeless.isEmpty || !inputs.isEmpty ? [] : [evdev])
      + kernel.platform.filter { !$0.hasDriver }.map { device in
        MissingDriver(
          module: KernelFacts.modules[device.compatible] ?? device.compatible,
          seen: "the device tree has \(device.name) (\(device.compatible)), and no driver uses it")
      }
  }

  /// Whether any device that may be a stepper exists, with or without a driver.
  private var hasStepper: Bool {
    inputs.contains { $0.mayBeStepper && !$0.identity.isMadeByProgram } || !kernel.platform.isEmpty
  }
}

extension BoardFacts.Overlay {
  fileprivate var place: String { "\(file) line \(number)" }

  /// Changes its line by a command of sed(1).
  fileprivate func edit(_ change: String) -> [RemedyStep] {
    [.root("sed -i \(Shell.quoted("\(number)\(change)")) \(file)"), .root("reboot")]
  }
}
