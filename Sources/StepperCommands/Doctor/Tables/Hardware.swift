internal import StepperConfiguration
internal import StepperCore

/// Drivers of the kernel, and the boards' descriptions of knobs and buttons on pins.
extension Diagnosis {
  @Sections static func hardware() -> [Section] {
    Section(\.missingDrivers, subject: { "driver \($0.module)" }) {
      Row(
        "driver.refused", .wrong, when: { driver, facts in facts.kernel.has(driver.module) },
        seen: { driver, _ in "\(driver.seen), though \(driver.module) is present" },
        because:
          "The driver has refused the hardware: its pins are in use, or its description is incomplete.",
        remedies: { driver, _ in
          [.root("dmesg | grep -i -e \(driver.module) -e \(driver.dashedModule) -e gpio")]
        })
      Row(
        "driver.unloaded", .wrong,
        when: { driver, facts in facts.kernel.installed?.contains(driver.module) ?? true },
        seen: { driver, _ in "\(driver.seen), and the module \(driver.module) is not loaded" },
        because: "Without it the device does not appear.",
        remedies: { driver, _ in
          [
            .root("modprobe \(driver.module)"),
            .write([driver.module], to: "/etc/modules-load.d/stepperd-\(driver.dashedModule).conf"),
          ]
        })
      Row(
        "driver.missing", .wrong,
        seen: { driver, facts in
          "\(driver.seen), and the kernel \(facts.kernel.release) has no module \(driver.module)"
        }, because: "Without it the device does not appear.",
        remedies: { driver, facts in
          let package = "linux-modules-extra-\(facts.kernel.release)"
          let option = kernelOptions[driver.module] ?? "CONFIG_KEYBOARD_ADC"
          return [
            .advice(
              "install the kernel's further modules (Ubuntu: sudo apt install \(package)), or a kernel with \(option)"
            )
          ]
        })
    }

    Section("board", { $0.board.overlays("gpio-key") }) {
      Row(
        "board.power-key", .wrong,
        when: { overlay, _ in ["116", nil].contains(overlay.parameters["keycode"]) },
        seen: { overlay, _ in "\(overlay.place) makes a power key: \(overlay.text)" },
        because:
          "Without keycode= the overlay sends KEY_POWER (116), which powers the machine off; 164 is KEY_PLAYPAUSE.",
        remedies: { overlay, _ in
          overlay.edit(
            overlay.parameters["keycode"] == nil ? "s/$/,keycode=164/" : "s/keycode=116/keycode=164/")
        })
    }

    Section("board", { $0.board.overlays("rotary-encoder") }) {
      // The overlay sends ABS_X from 0 to 24 without relative_axis=1.
      Row(
        "board.absolute", .warning,
        when: { overlay, _ in !["1", ""].contains(overlay.parameters["relative_axis"] ?? "0") },
        seen: { overlay, _ in "\(overlay.place) makes an absolute axis: \(overlay.text)" },
        because: "A knob without ends is a relative axis; linux_axis=7 is REL_DIAL.",
        remedies: { overlay, _ in overlay.edit("s/$/,relative_axis=1,linux_axis=7/") })
    }

    Section("board", { $0.hasStepper || $0.board.file == nil || $0.board.kind == .other ? [] : [$0.board] }) {
      Row(
        "board.empty", .note,
        seen: { board, _ in "no knob, button or fader is connected to \(board.model ?? "this board")" },
        because: "A knob on pins appears when the device tree describes it; the pins below are examples.",
        remedies: { board, _ in describe(board) + [.root("reboot")] })
    }
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
    let source = RemedyStep.write(overlay(board.compatible), to: "/root/knob.dts")
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
    let isAllwinner = compatible.contains("allwinner") || compatible.contains("xunlong")
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

  var dashedModule: String { String(module.map { $0 == "_" ? "-" : $0 }) }
}

extension Facts {
  fileprivate var missingDrivers: [MissingDriver] {
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
  fileprivate var hasStepper: Bool {
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
