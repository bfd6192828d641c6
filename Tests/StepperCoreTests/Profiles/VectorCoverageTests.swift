import StepperCore
import Testing

/// Every row of every vector is either run by a test or listed as not applicable.
@Suite struct VectorCoverageTests {
  /// A table that tests run, with the number of its rows.
  struct Table: CustomTestStringConvertible, Sendable {
    var file: String
    var path: String
    var count: Int

    init(_ file: String, _ path: String, _ count: Int = 1) {
      (self.file, self.path, self.count) = (file, path, count)
    }

    var testDescription: String { "\(file) \(path)" }
  }

  static let tables = [
    Table("adw_spin_row", "measured.adw_spin_row_hold"), Table("adw_spin_row", "measured.adw_default"),
    Table("android_m3_stepper", "wear_compose.cases", 4),
    Table("android_m3_stepper", "wear_compose.int_progressions", 2),
    Table("android_m3_stepper", "wear_compose.hold_10s"), Table("android_m3_stepper", "recommended_default"),
    Table("gtk4_clamp_range", "set_value", 6), Table("gtk4_clamp_range", "range_order", 5),
    Table("gtk4_format_and_api", "format", 8), Table("gtk4_format_and_api", "api", 19),
    Table("gtk4_hold_events", "cases", 8),
    Table("gtk4_hold_timeline", "constants"), Table("gtk4_hold_timeline", "cases", 9),
    Table("gtk4_hold_timeline", "derived", 4),
    Table("gtk4_keyboard", "ideal_key_events", 3), Table("gtk4_keyboard", "cases", 11),
    Table("gtk4_snap", "cases", 19),
    // SpinButtonTextTests.
    Table("gtk4_text", "commit", 78), Table("gtk4_text", "numeric_filter", 17),
    Table("gtk4_wrap", "cases", 11),
    Table("nsstepper_appkit_doc", "defaults"), Table("nsstepper_appkit_doc", "hold_10s"),
    Table("nsstepper_appkit_doc", "autorepeat_false"), Table("nsstepper_appkit_doc", "wraps", 4),
    Table("nsstepper_appkit_doc", "partial_step"),
    Table("nsstepper_gnustep", "defaults"), Table("nsstepper_gnustep", "step_table.rows", 31),
    Table("nsstepper_gnustep", "upstream_tests.rows", 12),
    Table("nsstepper_gnustep", "hold.ideal_step_times_ms"), Table("nsstepper_gnustep", "hold.runs"),
    Table("numberbox_coercion", "defaults"), Table("numberbox_coercion", "sequence", 6),
    Table("numberbox_coercion", "validation_disabled.sequence", 2),
    Table("numberbox_coercion", "value_changed.sequence", 6),
    // NumberBoxTextTests.
    Table("numberbox_coercion", "text.cases", 5),
    Table("numberbox_expressions", "upstream", 19), Table("numberbox_expressions", "derived", 28),
    Table("numberbox_expressions", "expressions_when_AcceptsExpression_false"),
    Table("numberbox_hold_timeline", "nominal_times_ms"), Table("numberbox_hold_timeline", "count_10s"),
    Table("numberbox_hold_timeline", "partial_limits", 1),
    Table("numberbox_wrap_and_step", "cases", 10), Table("numberbox_wrap_and_step", "accumulation"),
    Table("numberbox_wrap_and_step", "precision_quirk"), Table("numberbox_wrap_and_step", "upstream", 5),
    Table("profiles", "profiles"),
    Table("rpverticalstepper", "defaults"), Table("rpverticalstepper", "hold_10s"),
    Table("rpverticalstepper", "hold_interval_0_1"), Table("rpverticalstepper", "step", 5),
    Table("rpverticalstepper", "setters", 13), Table("rpverticalstepper", "buttons"),
    Table("rpverticalstepper", "hold_events"), Table("rpverticalstepper", "wrap"),
    Table("seed_conflicts", "", 25),
    Table("swiftui_stepper", "cases", 4),
    Table("uislider_rules", "defaults"), Table("uislider_rules", "cases", 8),
    Table("uislider_rules", "events"),
    Table("uistepper_rules", "defaults"), Table("uistepper_rules", "setters", 6),
    Table("uistepper_rules", "step", 7), Table("uistepper_rules", "events"),
    Table("uistepper_rules", "autorepeat_false"), Table("uistepper_rules", "both_buttons"),
    Table("uistepper_rules", "limit_while_held"),
    Table("uistepper_timelines", "seed"), Table("uistepper_timelines", "observed"),
  ]

  /// Members that say something about the others.
  private static let prose = [
    "about", "source", "note", "notes", "rule", "rules", "caveat", "change", "when", "conclusions", "facts",
    "sequence_source", "grammar", "format_rule", "climb_rule", "ideal_rule",
  ]

  @Test(arguments: tables)
  func `a table has the rows that it had`(_ table: Table) throws {
    #expect(try VectorRow.rows(table.file, table.path).count == table.count)
  }

  @Test(arguments: try vectorNames())
  func `every row is run or not applicable`(_ file: String) throws {
    let covered =
      Self.tables.filter { $0.file == file }.map(\.path)
      + NotApplicable.rows.filter { $0.vector == file }.map(\.case)
    for leaf in try vector(file).leaves() {
      let name = leaf.split(separator: ".").last.map { $0.prefix { $0 != "[" } } ?? ""
      if Self.prose.contains(String(name)) { continue }
      #expect(
        covered.contains { leaf == $0 || leaf.hasPrefix("\($0).") || leaf.hasPrefix("\($0)[") }, "\(leaf)")
    }
  }

  @Test func `what is not applicable is there, once, with a reason`() throws {
    let names = NotApplicable.rows.map { "\($0.vector) \($0.case)" }
    #expect(Set(names).count == names.count)
    for (file, path, reason) in NotApplicable.rows {
      #expect(!reason.isEmpty)
      let leaves = try vector(file).leaves()
      #expect(
        leaves.contains { $0 == path || $0.hasPrefix("\(path).") || $0.hasPrefix("\(path)[") }, "\(path)")
    }
  }

  /// A row that is left out of a table is left out for a reason.
  @Test func `nothing else is left out of a table`() throws {
    let (all, run) = try Self.tables.reduce(into: (0, 0)) { counts, table in
      counts.0 += try VectorRow.rows(table.file, table.path).count
      counts.1 += try VectorRow.table(table.file, table.path).count
    }
    let listed = NotApplicable.rows.filter { row in
      Self.tables.contains { $0.file == row.vector && row.case.hasPrefix("\($0.path)[") }
    }
    #expect(all - run == listed.count)
  }

  /// gtk_adw's default adjustment, which leaves nothing to do; the profile has a range.
  @Test func `an AdwSpinRow without an adjustment has the spin button's`() throws {
    let row = try VectorRow.row("adw_spin_row", "measured.adw_default")
    let bare = try VectorRow.row("gtk4_format_and_api", "api")
    for key in ["lower", "upper", "step", "page", "digits", "climb", "numeric", "wrap", "snap"] {
      #expect(row[key] == bare[key])
    }
  }

  @Test func `the constants are those of the profile`() throws {
    let row = try VectorRow.row("gtk4_hold_timeline", "constants")
    let feel = try Bench("profile=gtk").settings.feel
    #expect(feel.repeatSchedule.delay == .milliseconds(row["initial_ms"].int ?? 0))
    #expect(feel.repeatSchedule.interval(at: .seconds(1)) == .milliseconds(row["repeat_ms"].int ?? 0))
    #expect(feel.climb.every - 1 == row["max_timer_calls"].int)
  }
}
