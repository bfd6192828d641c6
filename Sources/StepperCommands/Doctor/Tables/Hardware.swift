internal import StepperCore
internal import StepperText

/// The kernel's drivers, and the device tree's descriptions of knobs and buttons on pins.
extension Facts {
  @FindingList var aboutHardware: [Finding] {
    for driver in missingDrivers { first("driver \(driver.module)") { use(of: driver) } }
    for overlay in board.overlays("gpio-key") {
      let code = overlay.parameters["keycode"]
      Finding(
        "board.power-key", .wrong, about: "board", when: ["116", nil].contains(code),
        seen: "\(overlay.place) makes a power key: \(overlay.text)",
        because:
          "Without keycode= the overlay sends KEY_POWER (116), which powers the machine off; 164 is KEY_PLAYPAUSE.",
        fix: editing(overlay, code == nil ? "s/$/,keycode=164/" : "s/keycode=116/keycode=164/"))
    }
    for overlay in board.overlays("rotary-encoder") {
      // Without relative_axis=1 the overlay sends ABS_X from 0 to 24.
      Finding(
        "board.absolute", .warning, about: "board",
        when: !["1", ""].contains(overlay.parameters["relative_axis"] ?? "0"),
        seen: "\(overlay.place) makes an absolute axis: \(overlay.text)",
        because: "A knob without ends is a relative axis; linux_axis=7 is REL_DIAL.",
        fix: editing(overlay, "s/$/,relative_axis=1,linux_axis=7/"))
    }
    for overlay in unapplied {
      Finding(
        "board.unapplied", .warning, about: "board",
        seen: "the device tree has nothing of \(overlay.place): \(overlay.text)",
        because:
          "The board has not been started since, the line is in a section for other boards, or the firmware has refused it.",
        fix: board.incompleteOverlays.map {
          [.advice("copy gpio-key.dtbo and rotary-encoder.dtbo of Raspberry Pi OS to \($0), and start again")]
        } ?? [
          asRoot("reboot"),
          .advice("if that does not help: sudo vclog --msg shows the messages of the firmware"),
        ])
    }
    Finding(
      "board.empty", .note, about: "board",
      when: board.model != nil && missingDrivers.isEmpty && unapplied.isEmpty && !hasStepper,
      seen: "no knob, button or fader is connected to \(board.model ?? "this board")\(offeredDrivers)",
      because:
        "A knob on pins appears when the device tree describes it; pins that are named here are examples.",
      fix: describingKnob)
  }

  /// The drivers for knobs and buttons that the kernel has, and those that it lacks, as the end of a sentence; empty if
  /// they are unknown.
  private var offeredDrivers: String {
    let drivers = ["evdev", "gpio_keys", "rotary_encoder", "uhid", "uinput"]
    let offered = drivers.filter { kernel.offers($0) ?? false }
    let missing = drivers.filter { kernel.offers($0) == false }
    guard offered.count + missing.count == drivers.count else { return "" }
    func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
    return "; of the drivers its kernel \(kernel.release) has \(list(offered)), and lacks \(list(missing))"
  }

  @FirstRow private func use(of driver: MissingDriver) -> Finding? {
    let module = driver.module
    let option = Self.kernelOptions[module] ?? "CONFIG_KEYBOARD_ADC"
    let dashed = String(module.map { $0 == "_" ? "-" : $0 })
    Finding(
      "driver.refused", .wrong, when: kernel.has(module),
      seen: "\(driver.seen), though \(module) is present",
      because: "The driver has refused the hardware: its pins are in use, or its description is incomplete.",
      fix: [asRoot("dmesg | grep -i -e \(module) -e \(dashed) -e gpio")])
    Finding(
      "driver.replaced", .wrong, when: kernel.isReplaced,
      seen: "\(driver.seen), and the modules of the running kernel \(kernel.release) are not installed",
      because: "After an upgrade of the kernel its modules are loaded from the next start on.",
      fix: [asRoot("reboot")])
    Finding(
      "driver.unloaded", .wrong, when: kernel.installed?.contains(module) ?? true,
      seen: "\(driver.seen), and the module \(module) is not loaded",
      because: "Without it the device does not appear.",
      fix: [
        asRoot("modprobe \(module)"), write([module], to: "/etc/modules-load.d/stepperd-\(dashed).conf"),
      ])
    Finding(
      "driver.missing", .wrong,
      seen: "\(driver.seen), and the kernel \(kernel.release) has no module \(module)",
      because: "Without it the device does not appear.",
      fix: isUbuntu
        ? [asRoot("apt install linux-modules-extra-\(kernel.release)")]
        : [
          .advice("use a kernel with \(option)\(module == "rotary_encoder" ? Self.withoutRotaryEncoder : "")")
        ])
  }

  /// Whether this is a kernel of Ubuntu, which has many drivers in a separate package.
  private var isUbuntu: Bool { ["-generic", "-raspi"].contains { kernel.release.hasSuffix($0) } }

  /// Advice for a kernel without the driver for rotary encoders.
  private static let withoutRotaryEncoder =
    " (that of Raspberry Pi OS has it, Debian's for arm64 has not), or build that module, or use two buttons (gpio-keys) or a knob on USB"

  /// The options of the kernel's configuration, as drivers/input/…/Kconfig names them.
  private static let kernelOptions = [
    "evdev": "CONFIG_INPUT_EVDEV",
    "rotary_encoder": "CONFIG_INPUT_GPIO_ROTARY_ENCODER",
    "gpio_keys": "CONFIG_KEYBOARD_GPIO",
    "gpio_keys_polled": "CONFIG_KEYBOARD_GPIO_POLLED",
    "adc_joystick": "CONFIG_JOYSTICK_ADC",
  ]

  /// The steps that describe a knob in the device tree, or buttons if the kernel has no driver for a knob.
  private var describingKnob: [Remedy] {
    let file = board.file ?? ""
    func key(_ pin: Int, _ code: Int, _ label: String) -> Remedy {
      .line(
        "dtoverlay=gpio-key,gpio=\(pin),gpio_pull=up,active_low=1,keycode=\(code),label=\(label)", file: file)
    }
    let source = write(Self.overlay(board.compatible), to: "/root/knob.dts")
    let lacksRotaryEncoder = kernel.offers("rotary_encoder") == false
    let advice = Remedy.advice(
      lacksRotaryEncoder
        ? "for a rotary encoder use a kernel with CONFIG_INPUT_GPIO_ROTARY_ENCODER\(Self.withoutRotaryEncoder)"
        : "describe a rotary encoder or buttons (gpio-keys) in the device tree, or connect a knob by USB")
    return switch board.kind {
    case .raspberryPi where lacksRotaryEncoder:
      [key(23, 115, "more"), key(24, 114, "less"), asRoot("reboot"), advice]
    case .other: [advice]
    case _ where lacksRotaryEncoder: [advice]
    case .raspberryPi:
      [
        .line("dtoverlay=rotary-encoder,pin_a=17,pin_b=27,relative_axis=1,linux_axis=7", file: file),
        key(22, 164, "knob"), asRoot("reboot"),
      ]
    case .armbian: [source, asRoot("armbian-add-overlay /root/knob.dts"), asRoot("reboot")]
    case .beagleBone:
      [
        source, asRoot("dtc -@ -I dts -O dtb -o /lib/firmware/knob.dtbo /root/knob.dts"),
        .line("uboot_overlay_addr4=/lib/firmware/knob.dtbo", file: file), asRoot("reboot"),
      ]
    }
  }

  /// A device tree overlay with a rotary encoder on two pins; linux,axis 7 is REL_DIAL.
  private static func overlay(_ compatible: String) -> [String] {
    let isAllwinner = compatible.has("allwinner") || compatible.has("xunlong")
    // Allwinner has one controller, addressed by bank and pin: PA6 is <&pio 0 6>. Others have a controller for each
    // bank.
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

  /// The selected overlays whose hardware the device tree does not have.
  private var unapplied: [BoardFacts.Overlay] {
    [("gpio-key", "gpio-keys"), ("rotary-encoder", "rotary-encoder")].flatMap { name, compatible in
      kernel.platform.contains { $0.compatible == compatible } ? [] : board.overlays(name)
    }
  }

  /// Changes the line of an overlay by a command of sed(1).
  private func editing(_ overlay: BoardFacts.Overlay, _ change: String) -> [Remedy] {
    [asRoot("sed -i \(Shell.quoted("\(overlay.number)\(change)")) \(overlay.file)"), asRoot("reboot")]
  }

  /// Whether any device that may be a stepper exists.
  private var hasStepper: Bool {
    inputs.contains { $0.mayBeStepper && !$0.identity.isMadeByProgram }
  }
}

extension BoardFacts.Overlay {
  fileprivate var place: String { "\(file) line \(number)" }
}
