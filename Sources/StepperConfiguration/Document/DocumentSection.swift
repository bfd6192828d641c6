/// A header and the lines up to the next one.
struct DocumentSection {
  /// The table that the section's keys are added to.
  let table: DocumentTable
  /// The position of the header.
  let start: Int

  /// The end of the last value, or of the header if the section has no values.
  var end: Int { table.statementEnd ?? start }
}
