/// A header and the lines up to the next one.
struct DocumentSection {
  /// The table that its keys are added to.
  let table: DocumentTable
  /// The position of the header.
  let start: Int

  /// The end of its last value, or of the header if it has none.
  var end: Int { table.statementEnd ?? start }
}
