import HTTPTypes
import NIOHTTP1
import TestSupport
import Testing
import Varlink

@testable import StepperWeb

/// Every part of a request that this program reads, as whoever is in the network may write it.
@Suite struct HostileRequestTests {
  /// More than the server accepts of a head.
  private static let size = 1 << 16

  private let rules = AccessRules(
    hosts: HostRules(WebAddress.loopback(port: 8383), hosts: ["panel.example"]), isReadOnly: false)

  /// A good request; every header that is read has its value here.
  private static let headers: [(name: String, value: String)] = [
    ("Origin", "http://localhost:8383"), ("Sec-Fetch-Site", "same-origin"), ("X-Stepper", "1"),
    ("Content-Type", "application/json"), ("Authorization", "Bearer abcdefghijklmnop"),
    ("Cookie", "a=b; stepper-8383=abcdefghijklmnop"), ("If-Match", "\"one:5\""),
    ("If-None-Match", "W/\"one:5\", \"two:6\""), ("Last-Event-ID", "one:5"),
    ("Forwarded", "for=192.0.2.43;proto=http, for=\"[2001:db8::1]:4711\""), ("X-Forwarded-For", "192.0.2.43"),
    ("Accept-Encoding", "br;q=1.0, gzip;q=0.5, *;q=0"),
  ]

  private static func request(
    _ headers: [(name: String, value: String)], host: String = "localhost:8383",
    target: String = "/api/v1/holds"
  ) throws -> RequestHead {
    var request = HTTPRequest(method: .post, scheme: nil, authority: host, path: target)
    for (name, value) in headers { request.headerFields[try #require(HTTPField.Name(name))] = value }
    return RequestHead(request)
  }

  /// Everything that is done with a head before a handler, and what handlers do with it.
  private func read(_ head: RequestHead) {
    _ = (try? RequestTarget("/api/v1/holds".utf8)).map { target in
      try? rules.question(head, target, own: Array("127.0.0.1:8383".utf8))
    }
    _ = head.token.map { TokenList().grant(of: $0) }
    _ = head.ifMatch.map { EntityTag.id($0) }
    _ = EntityTag.isListed("\"one:5\"", in: head.ifNoneMatch)
    _ = head.lastEventID.map { EventID($0) }
    var proxies = TrustedProxies()
    proxies.addresses = ["127.0.0.1"]
    _ = proxies.client(of: "127.0.0.1", head)
    _ = head.acceptsGzip
    _ = head.hashValue
  }

  @Test func `every header that is read is in this test`() throws {
    let head = try Self.request(Self.headers)
    for part in Mirror(reflecting: head).children {
      let isThere =
        Mirror(reflecting: part.value).displayStyle != .optional
        || !Mirror(reflecting: part.value).children.isEmpty
      #expect(isThere, "\(part.label ?? "") is read, and is no header of this test")
    }
    let target = try RequestTarget("/api/v1/holds".utf8)
    #expect(throws: Never.self) { try rules.question(head, target, own: nil) }
  }

  @Test(arguments: headers.indices) func `no header costs more than its length`(_ index: Int) throws {
    let (name, value) = Self.headers[index]
    let heads = ["", value, String(value.prefix { $0 != " " && $0 != "=" && $0 != ":" }) + " "]
    for head in heads {
      try expectProportionalCost(of: "\(name): \(head)…", upTo: Self.size) { bytes in
        var headers = Self.headers
        headers[index].value = head + String(decoding: bytes, as: UTF8.self)
        read(try Self.request(headers))
      }
    }
  }

  @Test(arguments: ["", "localhost:", "http://localhost:8383"])
  func `no host costs more than its length`(_ start: String) throws {
    try expectProportionalCost(of: "Host: \(start)…", upTo: Self.size) { bytes in
      read(try Self.request(Self.headers, host: start + String(decoding: bytes, as: UTF8.self)))
    }
  }

  /// As bytes of the target, and percent-encoded.
  @Test(arguments: [
    "", "/", "/api/v1/controls/", "/pages/", "/api/v1/events?", "/api/v1/events?match=",
    "/api/v1/events?language=",
    "/api/v1/events?last=", "/api/v1/events?interval=", "/api/v1/events?moments=",
  ])
  func `no path and no query costs more than its length`(_ start: String) {
    for separator in ["", "/", ",", "&", "%2F"] {
      expectProportionalCost(of: "\(start)…\(separator)", upTo: Self.size) { bytes in
        for form in [bytes, Self.encoded(bytes)] {
          // One long one, and as many short ones as there is room for.
          let pieces = stride(from: 0, to: form.count, by: 240).map {
            Array(form[$0..<min($0 + 240, form.count)])
          }
          let text = separator.isEmpty ? form : Array(pieces.joined(separator: separator.utf8))
          guard let target = try? RequestTarget(Array(start.utf8) + text) else { continue }
          _ = try? WebRoute.find(.get, target)
          _ = try? target.filter
          _ = try? target.language
          for name in ["match", "language", "last", "interval", "moments"] {
            for value in target.values(name) { _ = EventID(value) }
          }
          _ = target.hashValue
        }
      }
    }
  }

  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.prefix(bytes.count / 3).flatMap { byte -> [UInt8] in
      let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
      return [UInt8(ascii: "%")] + (digits.count < 2 ? [UInt8(ascii: "0")] : []) + digits
    }
  }

  @Test(arguments: headers.indices) func `no library is given a header that costs more than its length`(
    _ index: Int
  ) {
    let (name, _) = Self.headers[index]
    expectProportionalCost(of: name, upTo: Self.size) { bytes in
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
      head.headers.add(name: "Host", value: "localhost:8383")
      head.headers.add(name: name, value: String(decoding: bytes, as: UTF8.self))
      do throws(Problem) {
        _ = try RequestWatch.target(of: head)
        // As the library does with cookies.
        _ = head.headers.first(name: name)?.split(separator: "; ").count
      } catch {
        #expect(error.status == .badRequest)
      }
    }
  }

  @Test func `no name has more combining characters than a text has`() {
    let marks = HostileText.marksInTurn.bytes(100)
    for start in ["/api/v1/controls/", "/api/v1/events?match="] {
      #expect(throws: RequestTarget.Fault.self) {
        try RequestTarget(Array(start.utf8) + Self.encoded(marks + marks + marks))
      }
    }
  }
}
