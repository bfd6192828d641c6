package import Logging
package import StepperConfiguration
internal import StepperLinux

/// A program's tables in the daemon's configuration file.
package struct ProgramTables<Table: Equatable> {
  package let source: ConfigurationSource
  private let read: ([UInt8], String) -> ([Table]?, [ConfigurationProblem])

  /// `read` makes tables from the content and the name of a file.
  package init(
    _ config: String?, read: @escaping ([UInt8], String) -> ([Table]?, [ConfigurationProblem])
  ) {
    (source, self.read) = (ConfigurationSource(named: "stepperd.toml", explicit: config), read)
  }

  /// The tables of the changed file. If there was one (`isThere`), a removed or empty file is an error, as it is for the daemon: editors
  /// leave such a file for a moment.
  private func reload(isThere: Bool) throws(ExitFailure) -> ([Table], [ConfigurationProblem]) {
    var isEmpty = false
    let new = try source.load { bytes, file in
      isEmpty = bytes.isEmpty
      return read(bytes, file)
    }
    guard let new, !isEmpty else {
      guard isThere else { return ([], []) }
      throw ExitFailure(.configuration, "\(source.path) was removed or emptied")
    }
    return new
  }

  /// Runs `program` as a service: calls `serve` with the tables, and again with the changed ones whenever it returns true. `hasChanged`
  /// loads the file; a file with errors changes nothing. Without tables, which are called `needed`, there is nothing to do; nil: the
  /// program needs none.
  package func run(
    _ program: BridgeProgram, needed: String?,
    serve: (
      _ tables: [Table], _ logger: Logger, _ notices: ServiceNotices, _ hasChanged: @escaping () -> Bool
    ) throws -> Bool
  ) throws {
    let logger = programLogger(program.rawValue)
    let first = try source.load(read)
    for warning in first?.warnings ?? [] { logger.warning("\(warning)") }
    let notices = ServiceNotices(logger)
    var next = first?.settings ?? []
    var isThere = first != nil
    var tables: [Table]
    repeat {
      tables = next
      if tables.isEmpty, let needed {
        logger.notice("there is no \(needed) in \(source.path), so there is nothing to do")
        return notices.announce(.ready(status: "there is nothing to do"))
      }
    } while try serve(
      tables, logger, notices,
      { [tables] in
        do throws(ExitFailure) {
          let (loaded, warnings) = try reload(isThere: isThere)
          for warning in warnings { logger.warning("\(warning)") }
          next = loaded
          isThere = isThere || !loaded.isEmpty
        } catch {
          logger.error("the former configuration stays, because the new one cannot be used: \(error)")
        }
        return next != tables
      })
  }

  /// Prints the warnings, a line for each table, and the number of tables, called `what`. Throws the errors.
  package func report(_ what: (one: String, many: String), line: (Table) -> String) throws {
    guard let (tables, warnings) = try source.load(read) else {
      return try printAnswer(["\(source.absence), so there is no \(what.one)"])
    }
    let count =
      tables.isEmpty
      ? "no \(what.one); 'stepperctl check' checks the other tables"
      : "no errors in \(tables.count) \(tables.count == 1 ? what.one : what.many)"
    try printAnswer(warnings.map(\.description) + tables.map(line) + ["\(source.path): \(count)"])
  }
}
