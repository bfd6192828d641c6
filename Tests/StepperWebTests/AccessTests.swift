import HTTPTypes
import Testing
@testable import StepperWeb

/// Who may do what, written down: each route with its right. A route that is not here fails the test.
private let table: [String: Right] = [
  "GET /api/v1/controls": .view,
  "GET /api/v1/controls/*": .view,
  "POST /api/v1/controls/*/set": .operate,
  "POST /api/v1/controls/*/step": .operate,
  "POST /api/v1/controls/*/turn": .operate,
  "POST /api/v1/controls/*/reset": .operate,
  "GET /api/v1/events": .view,
  "POST /api/v1/holds": .operate,
  "POST /api/v1/holds/renew": .operate,
  "POST /api/v1/holds/*/move": .operate,
  "POST /api/v1/holds/*/release": .operate,
  "POST /api/v1/session": .none,
  "DELETE /api/v1/session": .none,
  "GET /api/v1/settings": .none,
  "GET /api/v1/status": .view,
  "GET /api/**": .view,
  "POST /api/**": .view,
  "DELETE /api/**": .view,
  "GET /pages/**": .none,
  "GET /favicon.ico": .none,
  "GET /**": .none,
]

/// A spelling of a path, and what it is.
struct Spelling {
  enum Meaning {
    /// The path itself.
    case same
    /// Another path, which is not that of the route.
    case other
    /// No path that is understood.
    case none
  }

  let target: String
  let meaning: Meaning

  /// All ways to write `path` that some server takes for it, and some that lead elsewhere.
  static func all(of path: String) -> [Spelling] {
    let names = path.split(separator: "/").map(String.init)
    var spellings = ["", "?", "?a=b", "?//../%2e%2e/", "?token=x&token=%00"].map {
      Spelling(target: path + $0, meaning: .same)
    }
    func refuse(_ targets: String...) { spellings += targets.map { Spelling(target: $0, meaning: .none) } }
    func lead(_ targets: String...) { spellings += targets.map { Spelling(target: $0, meaning: .other) } }
    refuse(
      "/\(path)", "//\(path)", String(path.dropFirst()), "http://localhost:8383\(path)",
      "HTTP://localhost:8383\(path)", "*", "")
    refuse(
      "\(path)//", "\(path)/.", "\(path)/..", "\(path)/../", "\(path)/%2e", "\(path)#", "\(path)#/x",
      "\(path)%00", "\(path)%")
    refuse(
      "\(path)%0a", "\(path)%7f", "\(path)%c0%af", "\(path)%c3", "\(path)\u{e9}", "\(path)\\", "\(path)%5c..",
      "\(path)?a=%zz")
    refuse(
      "/x/..\(path)", "/.\(path)", "/..\(path)", "/%2e%2e\(path)", "/..;\(path)", "/.;x=1\(path)",
      "\\\(path)", "/%2f\(path)")
    refuse("\(path)?\u{e9}", "\(path)?#", "localhost:8383")
    for (index, name) in names.enumerated() where !name.isEmpty {
      func with(_ change: String) -> String {
        "/" + names.indices.map { $0 == index ? change : names[$0] }.joined(separator: "/")
      }
      let first = String(name.utf8.first ?? 0, radix: 16)
      refuse(
        with("%\(first)\(name.dropFirst())"), with("/\(name)"), with("./\(name)"), with("x/../\(name)"),
        with("%2e/\(name)"))
      refuse(
        with("%2f\(name)"), with("%2F\(name)"), with("%5c\(name)"), with("\\\(name)"), with("..;/\(name)"))
      if index > 0 {
        let before = "/" + names[..<index].joined(separator: "/")
        let after = names[index...].joined(separator: "/")
        refuse(
          "\(before)%2f\(after)", "\(before)%2F\(after)", "\(before)%5C\(after)", "\(before)\\\(after)",
          "\(before)%00/\(after)")
        lead("\(before)%252f\(after)", "\(before)%EF%BC%8F\(after)")
        // Of a control of another name.
        if names[index - 1] != "volume" { lead("\(before);/\(after)", "\(before);a=b/\(after)") }
      }
      guard name != "volume" else { continue }
      lead(
        with(name.uppercased()), with("%25\(first)\(name.dropFirst())"), with("\(name);a=b"),
        with("\(name)\(name)"))
      lead(with("\(name)%20"), with("\(name)%C2%A0"), with(String(name.dropLast())) + "x")
    }
    return spellings
  }
}

@Suite("The right of a route") struct RightTests {
  private static let view = "view-token-of-the-test"
  private static let operate = "operate-token-of-the-test"

  private static func path(_ route: WebRoute) -> String {
    "/" + route.rule.path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  @Test func `is written down for each`() {
    let registered = WebRoute.allCases.flatMap { route in
      route.rule.methods.map { ("\($0.rawValue) \(Self.path(route))", route.rule.right) }
    }
    #expect(Dictionary(registered) { first, _ in first } == table)
    #expect(registered.count == table.count)
  }

  /// Where requests come from, and where to.
  struct Place {
    let name: String
    let listen: WebAddress
    let peer: String
    let own: String?

    static let all = [
      Place(
        name: "loopback", listen: .internet(host: "127.0.0.1", port: 8383), peer: "127.0.0.1",
        own: "127.0.0.1:8383"),
      Place(
        name: "network", listen: .internet(host: "0.0.0.0", port: 8383), peer: "192.0.2.7",
        own: "192.0.2.1:8383"),
      Place(name: "Unix socket", listen: .unix("/run/panel"), peer: "", own: nil),
    ]
  }

  /// What a request is answered: the right with which it reaches its route, or a status.
  enum Outcome: Equatable {
    case reached(mayOperate: Bool)
    case refused(Int)
    /// Another route, or a refusal.
    case elsewhere
  }

  private static func expected(
    _ right: Right, _ meaning: Spelling.Meaning, _ token: String?, isReadOnly: Bool, needsToken: Bool
  )
    -> Outcome
  {
    if meaning == .none { return .refused(400) }
    if meaning == .other { return .elsewhere }
    if right == .none { return .reached(mayOperate: false) }
    if needsToken {
      guard token == view || token == operate else { return .refused(401) }
      if right == .operate, token == view { return .refused(403) }
    }
    if right == .operate, isReadOnly { return .refused(403) }
    return .reached(
      mayOperate: !isReadOnly && token != (needsToken ? view : nil) || !isReadOnly && !needsToken)
  }

  private static func head(_ method: RequestMethod, _ token: String?, inCookie: Bool) -> RequestHead {
    var head = RequestHead(method: Array(method.rawValue.utf8))
    head.host = Array("localhost:8383".utf8)
    if method.isChange {
      head.stepper = Array("1".utf8)
      head.contentType = Array("application/json".utf8)
    }
    if let token {
      if inCookie {
        head.cookie = Array("a=b; stepper-8383=\(token)".utf8)
      } else {
        head.authorization = Array("Bearer \(token)".utf8)
      }
    }
    return head
  }

  /// Every route × every spelling × tokens × read-only × places.
  @Test(arguments: [true, false], [true, false])
  func `holds for every spelling, token and place`(isReadOnly: Bool, needsToken: Bool) throws {
    var count = 0
    let list = TokenList.read(Array("view \(Self.view)\noperate \(Self.operate)".utf8)).tokens
    let tokens = needsToken ? StepperWeb.Tokens("/nonexistent", list) : nil
    let given: [(String?, inCookie: Bool)] = [
      (nil, false), ("wrong-token-of-the-test", false), (Self.view, true), (Self.operate, false),
      (Self.operate, true),
    ]
    for place in Place.all {
      let rules = AccessRules(
        hosts: HostRules([place.listen], hosts: ["localhost:8383"]), isReadOnly: isReadOnly)
      for route in WebRoute.allCases {
        for method in route.rule.methods + (route.rule.methods.contains(.get) ? [.head] : []) {
          let path = Self.path(route).replacing("**", with: "x").replacing("*", with: "volume")
          for spelling in Spelling.all(of: path) {
            // The limits of rates are not what is tested here.
            let gate = Gate(rules, tokens: tokens, proxies: TrustedProxies())
            for (token, inCookie) in given {
              count += 1
              let outcome: Outcome
              do throws(Problem) {
                let head = Self.head(method, token, inCookie: inCookie)
                let admission = try gate.admit(head, spelling.target, from: place.peer, to: place.own)
                let isSame = admission.question.match.route == route
                outcome = isSame ? .reached(mayOperate: admission.access.mayOperate) : .elsewhere
              } catch {
                outcome = .refused(error.code)
              }
              let expected = Self.expected(
                route.rule.right, spelling.meaning, token, isReadOnly: isReadOnly, needsToken: needsToken)
              if !Self.fits(outcome, expected, route) {
                Issue.record(
                  "\(place.name): \(method) \(spelling.target), token \(token ?? "none"): \(outcome), not \(expected)"
                )
              }
            }
          }
        }
      }
    }
    #expect(count > 10_000)
  }

  @Test func `is not used up by others at the same address`() throws {
    let list = TokenList.read(Array("view \(Self.view)\noperate \(Self.operate)".utf8)).tokens
    let rules = AccessRules(hosts: HostRules([.unix("/run/panel")], hosts: []), isReadOnly: false)
    let gate = Gate(rules, tokens: StepperWeb.Tokens("/nonexistent", list), proxies: TrustedProxies())
    func status(_ token: String?, _ target: String = "/api/v1/controls/volume/set") -> Int {
      var head = Self.head(.post, token, inCookie: false)
      head.host = Array("localhost".utf8)
      do throws(Problem) {
        _ = try gate.admit(head, target, from: "", to: nil)
        return 200
      } catch {
        return error.code
      }
    }
    for index in 0..<300 {
      #expect([401, 429].contains(status("wrong-token-number-\(index)")))
      #expect(status(nil) == 401)
      #expect(status(Self.view) == 403)
      #expect([200, 429].contains(status(nil, "/api/v1/session")))
    }
    #expect(status("another-wrong-token") == 429)
    #expect(status(Self.operate) == 200)
  }

  private static func fits(_ outcome: Outcome, _ expected: Outcome, _ route: WebRoute) -> Bool {
    switch (expected, outcome) {
    case (.elsewhere, .refused(let status)): [401, 403, 404, 405].contains(status)
    // Beneath a path of files there are files.
    case (.elsewhere, .reached): [.panel, .pages, .noInterface].contains(route)
    default: expected == outcome
    }
  }
}

extension Gate {
  /// Reads the target of a request, as ``RequestWatch`` does, and lets the request in.
  fileprivate func admit(
    _ head: RequestHead, _ text: String, from peer: String, to own: String?
  ) throws(Problem) -> Admission {
    let target: RequestTarget
    do throws(RequestTarget.Fault) {
      target = try RequestTarget(text.utf8)
    } catch {
      throw Problem(.badRequest, error.reason)
    }
    return try admit(head, target, from: peer, to: own)
  }
}
