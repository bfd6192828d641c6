/// What the actions of a family of knobs and remotes mean. Actions are named as Zigbee2MQTT publishes them.
package struct RemoteActions: Hashable, Sendable {
  /// What an action does at the device, whose inputs are named by the kernel's codes.
  enum Meaning: Hashable, Sendable {
    /// The knob is turned: the code, and 1 or -1.
    case turn(String, Int64)
    /// The button is pressed and released this number of times.
    case click(String, Int = 1)
    /// The button is held from now on. `instead` is no longer held: its release was lost.
    case hold(String, instead: String? = nil)
    /// The button is held, and its release is never reported: it is released after one second.
    case longPress(String)
    /// These buttons are released. With `isClick`, one that is up was pressed before, but the message was lost.
    case release([String], isClick: Bool = false)
    /// The action repeats what another action has said.
    case repetition
  }

  /// By the value of `action`.
  let meanings: [String: Meaning]
  /// A member of a message.
  enum Amount: Hashable, Sendable { case none, stepSize, time }
  /// The member that says how far the knob was turned, and how much of it is one detent. With `none`, each action is one detent.
  let amount: Amount
  let detent: Double

  private init(_ meanings: [String: Meaning], amount: Amount = .none, detent: Double = 1) {
    (self.meanings, self.amount, self.detent) = (meanings, amount, detent)
  }

  /// The codes of the device's buttons, and of its knobs.
  var keys: [String] { Set(meanings.values.flatMap(\.keys)).sorted() }
  var axes: [String] { Set(meanings.values.compactMap(\.axis)).sorted() }

  // MARK: The families

  private static let (up, down) = ("KEY_UP", "KEY_DOWN")

  /// IKEA Symfonisk (E1744), whose ring is held by turning it, and Styrbar (E2001, E2002). A hold, which lasts until
  /// `brightness_stop`, is `KEY_UP` or `KEY_DOWN`.
  package static let ikea = RemoteActions([
    "toggle": .click("BTN_0"), "on": .click(up), "off": .click(down),
    "brightness_move_up": .hold(up, instead: down), "brightness_move_down": .hold(down, instead: up),
    "brightness_stop": .release([up, down]),
    "brightness_step_up": .click("KEY_NEXTSONG"), "brightness_step_down": .click("KEY_PREVIOUSSONG"),
    "arrow_left_click": .click("KEY_LEFT"), "arrow_left_hold": .hold("KEY_LEFT"),
    "arrow_left_release": .release(["KEY_LEFT"]),
    "arrow_right_click": .click("KEY_RIGHT"), "arrow_right_hold": .hold("KEY_RIGHT"),
    "arrow_right_release": .release(["KEY_RIGHT"]),
  ])

  /// Tuya ERS-10TZBVK-AA in both of its modes: `REL_DIAL`, `REL_MISC` when the knob is turned while pressed, and `BTN_0`.
  package static let tuya = RemoteActions(
    [
      "brightness_step_up": .turn("REL_DIAL", 1), "brightness_step_down": .turn("REL_DIAL", -1),
      "rotate_right": .turn("REL_DIAL", 1), "rotate_left": .turn("REL_DIAL", -1),
      "color_temperature_step_up": .turn("REL_MISC", 1), "color_temperature_step_down": .turn("REL_MISC", -1),
      "toggle": .click("BTN_0"), "single": .click("BTN_0"), "double": .click("BTN_0", 2),
      "hold": .longPress("BTN_0"), "hue_move": .hold("BTN_0"), "hue_stop": .release(["BTN_0"]),
      "saturation_move": .repetition,
    ], amount: .stepSize, detent: 12)

  /// Philips Hue Tap Dial (RDM002): `REL_DIAL`, and `BTN_0` to `BTN_3` for its buttons 1 to 4.
  package static let hue: RemoteActions = {
    var meanings: [String: Meaning] = [
      "brightness_step_up": .repetition, "brightness_step_down": .repetition,
    ]
    for speed in ["step", "slow", "fast"] {
      meanings["dial_rotate_right_\(speed)"] = .turn("REL_DIAL", 1)
      meanings["dial_rotate_left_\(speed)"] = .turn("REL_DIAL", -1)
    }
    for number in 1...4 {
      let (button, key) = ("button_\(number)", "BTN_\(number - 1)")
      meanings["\(button)_press"] = .hold(key)
      meanings["\(button)_hold"] = .hold(key)
      meanings["\(button)_press_release"] = .release([key], isClick: true)
      meanings["\(button)_hold_release"] = .release([key])
    }
    return RemoteActions(meanings, amount: .time, detent: 15)
  }()
}

extension RemoteActions.Meaning {
  fileprivate var keys: [String] {
    switch self {
    case .turn, .repetition: []
    case .click(let key, _), .hold(let key, _), .longPress(let key): [key]
    case .release(let keys, _): keys
    }
  }

  fileprivate var axis: String? { if case .turn(let code, _) = self { code } else { nil } }
}
