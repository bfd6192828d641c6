import FoundationEssentials
import StepperInterfaces
import Testing
import Varlink

@Suite struct InterfaceTests {
  static let all = [InterfaceDescription.service] + InterfaceDescription.stepperd

  @Test(arguments: all)
  func `a description is its file, to the byte`(_ interface: InterfaceDescription) throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let directory =
      interface == .service ? "Sources/Varlink/Service/Interfaces" : "Sources/StepperInterfaces/Interfaces"
    let path = "\(folder)/\(directory)/\(interface.name).varlink"
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(interface.text.utf8))
  }

  @Test(arguments: all)
  func `a description knows its methods`(_ interface: InterfaceDescription) {
    let declared = Declarations.of(interface)
    #expect(declared["interface"] == [interface.name])
    #expect(
      Set(interface.methods)
        == Set(
          declared.keys.filter { $0.hasPrefix("method ") && $0.hasSuffix(" in") }
            .map { "\(interface.name).\($0.split(separator: " ")[1])" }))
  }

  /// systemd's parser (varlink-idl.c) reads one of `[]` and `[string]` before the name of a type.
  @Test(arguments: all)
  func `a description has no list or map of lists or maps`(_ interface: InterfaceDescription) {
    #expect(!interface.text.contains(/\]\??\[/))
  }
}
