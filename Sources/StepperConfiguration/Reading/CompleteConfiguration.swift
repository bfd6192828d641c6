/// A configuration with what it includes, as the daemon reads it at its start.
package struct CompleteConfiguration {
  /// nil: it has errors. Those of the included file are no reason.
  package private(set) var configuration: Configuration?
  /// Of both files, each with its own file and line.
  package private(set) var problems: [ConfigurationProblem]
  /// What was read of the included file; nil: there is none.
  package private(set) var included: [UInt8]?
  /// Why the included file is left out; empty: it is not, or there is none.
  package private(set) var leftOut: [ConfigurationProblem] = []

  /// Reads `bytes`, the content of `file`, and what it includes; `read` returns the content of that, nil: there is none, and
  /// throws for more than `limit` bytes.
  package init(
    _ bytes: [UInt8], file: String, including read: (_ path: String, _ limit: Int) throws -> [UInt8]?,
    check: ([UInt8], _ file: String) -> (configuration: Configuration?, problems: [ConfigurationProblem])
  ) {
    (configuration, problems) = check(bytes, file)
    guard let path = configuration?.daemon.includedFile else { return }
    do {
      included = try read(path, IncludedConfiguration.mostBytes)
      if let included { join(bytes, file, included, path, check) }
    } catch {
      leaveOut([ConfigurationProblem(file: path, message: "\(error)")])
    }
  }

  private mutating func join(
    _ bytes: [UInt8], _ file: String, _ included: [UInt8], _ path: String,
    _ check: ([UInt8], String) -> (configuration: Configuration?, problems: [ConfigurationProblem])
  ) {
    let (joined, own) = IncludedConfiguration.join(bytes, included, file: path)
    guard let joined else { return leaveOut(own) }
    let (both, found) = check(joined.text, file)
    guard let both else { return leaveOut(joined.placed(found)) }
    (configuration, problems) = (both, joined.placed(found))
  }

  private mutating func leaveOut(_ reasons: [ConfigurationProblem]) {
    leftOut = reasons
    problems += reasons
  }
}
