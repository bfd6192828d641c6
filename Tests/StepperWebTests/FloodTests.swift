import NIOCore
import TestSupport
import Testing

@testable import StepperWeb

extension SiteTests {
  @Suite("Many requests at once") struct FloodTests {
    @Test func `heads without their bodies leave room for others, and are answered when these come`()
      async throws
    {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let count = 2 * AnswerRoom.addressLimit / AnswerRoom.least
        let body = "{\"value\": 30}"
        // On a machine that is too busy, the first ones are out of time before the last one has its body.
        let end = ContinuousClock.now + .nanoseconds(RequestProgress.requestTime.nanoseconds)
        let browsers = try (0..<count).map { _ in
          let browser = try site.browser()
          try browser.send(
            """
            POST /api/v1/controls/volume/set HTTP/1.1\r\nHost: localhost:\(site.port)\r\nX-Stepper: 1\r
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n{
            """)
          return browser
        }
        #expect(try site.answer("GET", "/").status == 200)
        // None of them had to go for it, or it would have waited until they went.
        for browser in browsers {
          try? browser.send(String(body.dropFirst()))
          let status = try? browser.answer()?.status
          #expect(status == 200 || ContinuousClock.now > end)
        }
      }
    }

    @Test func `one request of a connection is done at a time, in their order`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let browser = try site.browser()
        let requests = (0..<100).map { number in
          let body = "{\"steps\": \(number + 1)}"
          return """
            POST /api/v1/controls/volume/step HTTP/1.1\r\nHost: localhost:\(site.port)\r\nX-Stepper: 1\r
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        }
        try browser.send(requests.joined())
        for _ in requests { #expect(try browser.answer()?.status == 200) }
      }
      let steps = peer.heard.filter { $0.hasPrefix("Step ") }
      #expect(steps.count == 100)
      for (number, step) in steps.enumerated() { #expect(step.contains("\"steps\":\(number + 1)")) }
    }
  }
}
