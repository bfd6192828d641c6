import TestSupport
import Testing
import Varlink

@Suite struct ByteSoupTests {
  /// A half of the soups are calls with some bytes changed, which get further.
  @Test(arguments: Seed.fresh(40))
  func `byte soup ends in a violation or in answers, and never in a trap`(seed: Seed) {
    var random = SeededGenerator(seed)
    let seedling =
      Array(#"{"method":"a.B","parameters":{"x":[1.5e3,"\ud83d\ude00ä",null]},"more":true}"#.utf8) + [0]
    for round in 0..<200 {
      var soup = seedling + seedling
      if round.isMultiple(of: 2) {
        soup = (0..<Int.random(in: 0...300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      } else {
        for _ in 0...2 {
          soup[Int.random(in: 0..<soup.count, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
      let whole = outcome(of: soup, piece: soup.count + 1)
      #expect(outcome(of: soup, piece: 1) == whole, "round \(round)")
      #expect(outcome(of: soup, piece: 7) == whole, "round \(round)")
      var client = VarlinkClientConnection()
      client.send(VarlinkCall("a.B"))
      client.receive(soup)
      // Only that it returns is of interest.
      _ = try? client.nextReply()
    }
  }

  private func outcome(of soup: [UInt8], piece: Int) -> [String] {
    var connection = VarlinkServerConnection()
    var outcome: [String] = []
    for start in stride(from: 0, to: soup.count, by: piece) {
      connection.receive(soup[start..<min(start + piece, soup.count)])
      while let call = connection.nextCall() {
        outcome.append("\(call)")
        connection.fail(ServiceInterface.PermissionDenied())
      }
    }
    return outcome + [connection.violation?.reason ?? "none"]
  }
}
