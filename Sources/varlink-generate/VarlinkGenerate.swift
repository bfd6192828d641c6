import ArgumentParser
import SystemPackage
import Varlink

/// Writes the Swift types of interfaces from their descriptions.
@main struct VarlinkGenerate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varlink-generate", abstract: "Write the Swift types of Varlink interfaces.",
    discussion: """
      Each description becomes a folder of Swift files: a namespace named after the last part of the interface's name \
      (org.example.printer: PrinterInterface; org.example.service: ExampleServiceInterface) with a type for each type, method and error. Comments become \
      documentation. These sentences of a comment are understood: 'Must be called with "more"' of a method; \
      'treat an unknown … as "WORD"' and 'ignore those they do not know' of an enumeration; 'whose members are strings' of \
      a field with an object; 'most often one' of a field with a list (a ShortList, which needs no memory for one element).
      """)

  @Option(help: ArgumentHelp("The folder to write to; it must exist.", valueName: "folder"))
  var output: String
  @Flag(help: "Write files for the module Varlink itself, which do not import it.")
  var insideVarlink = false
  @Argument(help: ArgumentHelp("Descriptions of interfaces.", valueName: "file"))
  var files: [String]

  func run() throws {
    let folder = OutputFolder(FilePath(output))
    for file in files {
      do {
        let interface = try VarlinkInterface(parsing: try OutputFolder.contents(of: FilePath(file)))
        let source = try InterfaceSource(of: interface, importsVarlink: !insideVarlink)
        for file in source.files { try folder.write(file) }
      } catch let error as Errno {
        throw ValidationError("\(file): \(error)")
      } catch let error as DescriptionError {
        throw ValidationError("\(file):\(error.line): \(error.reason)")
      } catch let error as UnsupportedType {
        throw ValidationError("\(file): \(error)")
      }
    }
  }
}
