import Testing

/// The program of the tests. SwiftPM takes a file of this name for it.
@main
struct Tests {
  static func main() async { await __swiftPMEntryPoint() as Never }
}
