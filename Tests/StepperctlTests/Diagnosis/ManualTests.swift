import TestSupport
import Testing

@Suite struct `The manual` {
  private static let sources = [
    "Daemon": [
      "Account", "Address", "Daemon", "Events", "Permission", "Problems", "Socket", "Unit", "Version",
    ],
    "Devices": ["Binding", "Board", "Driver", "Grab", "Node", "Rival", "Rules", "Table"],
    "Files": ["Configuration", "RunningConfiguration", "State"], "Hooks": ["Hook", "Sandbox"],
  ]

  @Test func `has the names of all findings, and no others`() throws {
    var names: Set<String> = []
    for (folder, files) in Self.sources {
      for file in files {
        let path = "Sources/StepperCommands/Doctor/Checks/\(folder)/\(file)Check.swift"
        let text = try TemporaryFolder.contents(ofSource: path)
        names.formUnion(text.matches(of: /"([a-z]+\.[a-z-]+)"/).map { String($0.1) })
        // Those of the table of the sandbox.
        names.formUnion(text.matches(of: /name: "([a-z-]+)",\n +isNeeded/).map { "sandbox.\($0.1)" })
      }
    }
    let manual = try TemporaryFolder.contents(ofSource: "Documentation/man/stepperctl.1")
    var documented: Set<String> = []
    for match in manual.matches(of: /\.It Cm ([a-z]+)\n\.Cm (\.[a-z., -]+)\n/) {
      documented.formUnion(match.2.split(separator: " , ").map { "\(match.1)\($0)" })
    }
    #expect(names == documented)
    #expect(documented.count > 60)
  }
}
