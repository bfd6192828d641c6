/// A configuration together with the file that it includes, as the daemon reads them at its start.
package struct CompleteConfiguration {
  /// nil if the configuration has errors. Errors of the included file do not count.
  package private(set) var configuration: Configuration?
  /// The problems of both files, each with its own file and line; those of the included file also with the place of the
  /// `include`.
  package private(set) var problems: [ConfigurationProblem]
  /// The text of ``configuration``, followed by that of the included file unless that is left out.
  package private(set) var text: [UInt8]
  /// The content of the included file; nil if there is none.
  package private(set) var included: [UInt8]?
  /// The reasons why the included file is left out; empty if it is used or there is none.
  package private(set) var leftOut: [ConfigurationProblem] = []

  /// Reads `bytes`, the content of `file`, and the file that it includes. `read` returns the content of the included
  /// file, nil if there is none, and throws for more than `limit` bytes.
  package init(
    _ bytes: [UInt8], file: String, including read: (_ path: String, _ limit: Int) throws -> [UInt8]?,
    check: ([UInt8], _ file: String) -> (configuration: Configuration?, problems: [ConfigurationProblem])
  ) {
    text = bytes
    (configuration, problems) = check(bytes, file)
    guard let path = configuration?.daemon.includedFile else { return }
    do {
      included = try read(path, IncludedConfiguration.mostBytes)
      if let included { join(bytes, file, included, path, check) }
    } catch {
      leaveOut([ConfigurationProblem(file: path, message: "\(error)")])
    }
    nameInclude(of: path, in: bytes, file)
  }

  private mutating func join(
    _ bytes: [UInt8], _ file: String, _ included: [UInt8], _ path: String,
    _ check: ([UInt8], String) -> (configuration: Configuration?, problems: [ConfigurationProblem])
  ) {
    let (joined, own) = IncludedConfiguration.join(bytes, included, file: path)
    guard let joined else { return leaveOut(own) }
    guard joined.text.count <= ConfigurationLimit.fileBytes else {
      let message =
        "is \(joined.text.count) bytes long with the configuration; at most \(ConfigurationLimit.fileBytes) are allowed"
      return leaveOut([ConfigurationProblem(file: path, message: message)])
    }
    let (both, found) = check(joined.text, file)
    guard let both else { return leaveOut(joined.placed(found).filter { !problems.contains($0) }) }
    (configuration, problems, text) = (both, joined.placed(found), joined.text)
  }

  private mutating func leaveOut(_ reasons: [ConfigurationProblem]) {
    leftOut = reasons
    problems += reasons
  }

  /// Adds the place of the `include` in `bytes`, the content of `file`, to the problems of the included file at `path`.
  private mutating func nameInclude(of path: String, in bytes: [UInt8], _ file: String) {
    guard problems.contains(where: { $0.file == path }) else { return }
    let key = ValuePath.root[RootKey.daemon.rawValue][DaemonKey.include.rawValue]
    let position = Document(bytes).position(of: key, atKey: true)
    let place = ConfigurationProblem.place(file, position?.line, position?.column)
    for index in problems.indices where problems[index].file == path { problems[index].includedFrom = place }
    for index in leftOut.indices where leftOut[index].file == path { leftOut[index].includedFrom = place }
  }
}
