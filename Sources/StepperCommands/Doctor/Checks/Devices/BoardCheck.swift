internal import StepperConfiguration
internal import StepperCore

/// Overlays of boards: lines that describe a knob or a button on pins, and parameters with bad defaults.
enum BoardCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.board.kind != .other, let file = facts.board.file else { return [] }
    let findings = buttons(file, facts) + encoders(file, facts)
    return findings + (hasStepper(facts) ? [] : [proposal(file, facts)])
  }

  /// Whether any device that may be a stepper exists, with or without a driver.
  private static func hasStepper(_ facts: Facts) -> Bool {
    facts.inputs.contains { $0.mayBeStepper && !$0.identity.isMadeByProgram }
      || !facts.kernel.platform.isEmpty
  }

  /// The overlay gpio-key sends KEY_POWER without a keycode, and systemd-logind then powers the machine off.
  private static func buttons(_ file: String, _ facts: Facts) -> [Finding] {
    facts.board.overlays("gpio-key").compactMap { overlay in
      let code = overlay.parameters["keycode"]
      guard code == nil || code == "116" else { return nil }
      let old = code == nil ? "$" : "keycode=116"
      let new = code == nil ? ",keycode=164" : "keycode=164"
      return Finding(
        "board.power-key", "board", .wrong,
        "\(file) line \(overlay.number) makes a power key: \(overlay.text)",
        because:
          "Without keycode= the overlay sends KEY_POWER (116), which powers the machine off; 164 is KEY_PLAYPAUSE.",
        remedies: [
          facts.shell.asRoot("sed -i \(Shell.quoted("\(overlay.number)s/\(old)/\(new)/")) \(file)"),
          facts.shell.asRoot("reboot"),
        ])
    }
  }

  /// The overlay rotary-encoder sends ABS_X from 0 to 24 without relative_axis=1.
  private static func encoders(_ file: String, _ facts: Facts) -> [Finding] {
    facts.board.overlays("rotary-encoder").compactMap { overlay in
      guard !["1", ""].contains(overlay.parameters["relative_axis"] ?? "0") else { return nil }
      return Finding(
        "board.absolute", "board", .warning,
        "\(file) line \(overlay.number) makes an absolute axis: \(overlay.text)",
        because: "A knob without ends is a relative axis; linux_axis=7 is REL_DIAL.",
        remedies: [
          facts.shell.asRoot(
            "sed -i \(Shell.quoted("\(overlay.number)s/$/,relative_axis=1,linux_axis=7/")) \(file)"),
          facts.shell.asRoot("reboot"),
        ])
    }
  }

  private static func proposal(_ file: String, _ facts: Facts) -> Finding {
    let name = facts.board.model ?? "this board"
    return Finding(
      "board.empty", "board", .note, "no knob, button or fader is connected to \(name)",
      because: "A knob on pins appears when the device tree describes it; the pins below are examples.",
      remedies: remedies(file, facts))
  }

  private static func remedies(_ file: String, _ facts: Facts) -> [Remedy] {
    switch facts.board.kind {
    case .raspberryPi:
      [
        .line("dtoverlay=rotary-encoder,pin_a=17,pin_b=27,relative_axis=1,linux_axis=7", file: file),
        .line("dtoverlay=gpio-key,gpio=22,gpio_pull=up,active_low=1,keycode=164,label=knob", file: file),
        facts.shell.asRoot("reboot"),
      ]
    case .armbian:
      [
        facts.shell.write(overlay(facts), to: "/root/knob.dts"),
        facts.shell.asRoot("armbian-add-overlay /root/knob.dts"), facts.shell.asRoot("reboot"),
      ]
    case .beagleBone:
      [
        facts.shell.write(overlay(facts), to: "/root/knob.dts"),
        facts.shell.asRoot("dtc -@ -I dts -O dtb -o /lib/firmware/knob.dtbo /root/knob.dts"),
        .line("uboot_overlay_addr4=/lib/firmware/knob.dtbo", file: file), facts.shell.asRoot("reboot"),
      ]
    case .other: []
    }
  }

  /// A device tree overlay with a rotary encoder on two pins; linux,axis 7 is REL_DIAL.
  private static func overlay(_ facts: Facts) -> [String] {
    let isAllwinner =
      facts.board.compatible.contains("allwinner") || facts.board.compatible.contains("xunlong")
    // Allwinner's controller is one with bank and pin, PA6 is <&pio 0 6>; others have a controller for each bank.
    let pins = isAllwinner ? ["<&pio 0 6 1>", "<&pio 0 7 1>"] : ["<&gpio1 16 1>", "<&gpio1 17 1>"]
    return [
      "/dts-v1/;", "/plugin/;", "/ {",
      "  compatible = \"\(facts.board.compatible)\";",
      "  fragment@0 {", "    target-path = \"/\";", "    __overlay__ {", "      knob {",
      "        compatible = \"rotary-encoder\";", "        gpios = \(pins.joined(separator: ", "));",
      "        linux,axis = <7>;", "        rotary-encoder,encoding = \"gray\";",
      "        rotary-encoder,relative-axis;", "      };", "    };", "  };", "};",
    ]
  }
}
