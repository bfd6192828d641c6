package import Logging
package import StepperConfiguration
internal import StepperLinux

/// The tables of a program in the daemon's configuration file.
package struct ProgramTables<Table: Equatable> {
  package let source: ConfigurationSource
  private let read: ([UInt8], String) -> ([Table]?, [ConfigurationProblem])

  /// `read` makes tables of the content and the name of a file.
  package init(
    _ config: String?, read: @escaping ([UInt8], String) -> ([Table]?, [ConfigurationProblem])
  ) {
    (source, self.read) = (ConfigurationSource(named: "stepperd.toml", explicit: config), read)
  }

  private func load() throws(ExitFailure) -> ([Table], [ConfigurationProblem]) {
    try source.load(read) ?? ([], [])
  }

  /// Those of a changed file. One that was removed or emptied is none, as it is to the daemon: editors do so for a moment.
  private func reload() throws(ExitFailure) -> ([Table], [ConfigurationProblem]) {
    var isEmpty = false
    let new = try source.load { bytes, file in
      isEmpty = bytes.isEmpty
      return read(bytes, file)
    }
    guard let new, !isEmpty else {
      throw ExitFailure(.configuration, "\(source.path) was removed or emptied")
    }
    return new
  }

  /// Calls `serve` with the tables, and again with those of a changed file as long as it returns true. `hasChanged` loads the
  /// file: a file with errors changes nothing.
  package func follow(
    _ logger: Logger, serve: (_ tables: [Table], _ hasChanged: @escaping () -> Bool) throws -> Bool
  ) throws {
    let (first, warnings) = try load()
    for warning in warnings { logger.warning("\(warning)") }
    var next = first
    var tables: [Table]
    repeat {
      tables = next
    } while try serve(
      tables,
      { [tables] in
        do throws(ExitFailure) {
          let (loaded, warnings) = try reload()
          for warning in warnings { logger.warning("\(warning)") }
          next = loaded
        } catch {
          logger.error("the former configuration stays, because the new one cannot be used: \(error)")
        }
        return next != tables
      })
  }

  /// Says that there is none of `tables`, such as `[link.NAME]`, to the log and to the service manager.
  package func sayNothingToDo(without tables: String, _ logger: Logger, _ notices: ServiceNotices) {
    logger.notice("there is no \(tables) in \(source.path), so there is nothing to do")
    notices.send(.ready(status: "there is nothing to do"))
  }

  /// Prints warnings, a line of each table, and how many there are of `what`. Throws the errors.
  package func report(_ what: (one: String, many: String), line: (Table) -> String) throws {
    let (tables, warnings) = try load()
    for warning in warnings { StandardStream.output.write(line: "\(warning)") }
    for table in tables { StandardStream.output.write(line: line(table)) }
    StandardStream.output.write(
      line: "\(source.path): no errors in \(tables.count) \(tables.count == 1 ? what.one : what.many)")
  }
}
