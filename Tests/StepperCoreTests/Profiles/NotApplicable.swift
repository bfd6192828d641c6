import StepperText

/// Rows of the vectors that a control of real buttons and knobs cannot follow, each with the reason.
enum NotApplicable {
  static let rows: [(vector: String, case: String, reason: String)] =
    [
      ("gtk4_hold_events", "cases[1]", "a finger cannot leave a button without letting it go"),
      ("gtk4_hold_events", "cases[4]", "there is no text cursor that could be forbidden to edit"),
      ("gtk4_hold_events", "cases[6]", "there is no widget to hide; a hold goes on whoever watches"),
      ("gtk4_keyboard", "bindings", "which key does what is for the bindings of the configuration"),
      ("gtk4_keyboard", "cases[3]", "Ctrl+End does nothing"),
      ("gtk4_keyboard", "cases[6]", "Ctrl+End does nothing"),
      ("gtk4_keyboard", "cases[7]", "Home moves the text cursor"),
      ("gtk4_wrap", "cases[10]", "a step is greater than 0"),
      ("gtk4_snap", "cases[17]", "a step is greater than 0"),
      ("gtk4_snap", "cases[18]", "a step is greater than 0"),
      ("gtk4_format_and_api", "format[6]", "at most nine decimal places are shown"),
      ("gtk4_format_and_api", "api[6]", "at most nine decimal places are kept"),
      ("gtk4_format_and_api", "api[8]", "a step is greater than 0"),
    ] + integers + looks + appkit + others

  /// gtk_spin_button_get_value_as_int.
  private static let integers = (9...15).map { index in
    ("gtk4_format_and_api", "api[\(index)]", "a client that wants an integer rounds for itself")
  }

  private static let looks: [(vector: String, case: String, reason: String)] = [
    ("adw_spin_row", "measured.gtk-default-theme/horizontal", "looks are for clients"),
    ("adw_spin_row", "measured.gtk-default-theme/vertical", "looks are for clients"),
    ("adw_spin_row", "measured.adwaita/horizontal", "looks are for clients"),
    ("adw_spin_row", "measured.adwaita/vertical", "looks are for clients"),
    ("adw_spin_row", "measured.versions", "what was measured"),
    ("android_m3_stepper", "seed.metrics", "looks are for clients"),
    ("uistepper_rules", "rtl", "which button is on which side is for whoever builds the device"),
    ("uistepper_rules", "accessibility", "what is said is the daemon's: its AdjustTests"),
    ("uislider_rules", "accessibility", "what is said is the daemon's: its AdjustTests"),
    ("uislider_rules", "cases[7]", "design time in Interface Builder"),
    ("numberbox_coercion", "accessibility", "run by the daemon's AdjustTests"),
    ("rpverticalstepper", "defaults.width", "looks are for clients"),
    ("rpverticalstepper", "defaults.height", "looks are for clients"),
  ]

  private static let appkit: [(vector: String, case: String, reason: String)] = [
    ("nsstepper_gnustep", "step_table.rows[11]", "a step is greater than 0"),
    ("nsstepper_gnustep", "step_table.rows[12]", "a step is greater than 0"),
    ("nsstepper_gnustep", "step_table.rows[24]", "a step is greater than 0"),
    ("nsstepper_gnustep", "step_table.rows[28]", "a value is a number or, where that is allowed, unset"),
    ("nsstepper_gnustep", "step_table.rows[29]", "a text that is no number is refused"),
    (
      "nsstepper_gnustep", "step_table.rows[30]",
      "how GNUstep counts to 600 ms and 125 ms; the holds are tested"
    ),
    ("nsstepper_gnustep", "upstream_tests.rows[8]", "a value is a number"),
  ]

  private static let others: [(vector: String, case: String, reason: String)] = [
    ("seed_conflicts", "[3]", "GNUstep's flag has no effect"),
    ("seed_conflicts", "[10]", "looks are for clients"),
    ("seed_conflicts", "[18]", "looks are for clients"),
    ("seed_conflicts", "[19]", "looks are for clients"),
    ("seed_conflicts", "[22]", "decimals are exact, which neither width of a float is"),
    ("uistepper_rules", "float", "decimals are added exactly, without drift"),
    ("numberbox_coercion", "defaults.SpinButtonPlacementMode", "looks are for clients"),
    ("numberbox_coercion", "text.cases[4]", "a client translates the mark of the user's language"),
    (
      "numberbox_wrap_and_step", "upstream[4]",
      "A and B of a gamepad commit and revert a text of the client's"
    ),
    ("rpverticalstepper", "setters[3]", "every value that is set is told; silence is the initial value's"),
    ("rpverticalstepper", "notify", "two ways of being told in one program"),
  ]

  static func contains(_ row: VectorRow) -> Bool {
    rows.contains { $0.vector == row.file && $0.case == row.path }
  }
}
