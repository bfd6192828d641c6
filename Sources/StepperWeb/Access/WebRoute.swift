/// The requests that are answered. Each has a method, a path and a right; ``WebApplication`` has a handler for each.
package enum WebRoute: CaseIterable, Sendable {
  case controls, control, set, step, turn, reset, events
  case press, renew, move, release
  case beginSession, endSession, settings, status
  /// Paths below the interfaces' paths that belong to no interface.
  case noInterface
  case pages, icon, panel

  /// The method, the path and the right. The right has no default: a route without one does not compile.
  ///
  /// In a path, `*` stands for one name, and `**` at its end for any number of names, including none.
  package var rule: RouteRule {
    switch self {
    case .controls: RouteRule([.get], "/api/v1/controls", .view)
    case .control: RouteRule([.get], "/api/v1/controls/*", .view)
    case .set: RouteRule([.post], "/api/v1/controls/*/set", .operate)
    case .step: RouteRule([.post], "/api/v1/controls/*/step", .operate)
    case .turn: RouteRule([.post], "/api/v1/controls/*/turn", .operate)
    case .reset: RouteRule([.post], "/api/v1/controls/*/reset", .operate)
    case .events: RouteRule([.get], "/api/v1/events", .view)
    case .press: RouteRule([.post], "/api/v1/holds", .operate)
    case .renew: RouteRule([.post], "/api/v1/holds/renew", .operate)
    case .move: RouteRule([.post], "/api/v1/holds/*/move", .operate)
    case .release: RouteRule([.post], "/api/v1/holds/*/release", .operate)
    // Files, the session and the settings need no token.
    case .beginSession: RouteRule([.post], "/api/v1/session", .none)
    case .endSession: RouteRule([.delete], "/api/v1/session", .none)
    case .settings: RouteRule([.get], "/api/v1/settings", .none)
    case .status: RouteRule([.get], "/api/v1/status", .view)
    case .noInterface: RouteRule([.get, .post, .delete], "/api/**", .view)
    case .pages: RouteRule([.get], "/pages/**", .none)
    // Browsers request this file if a page names no icon, and log an error if it is missing.
    case .icon: RouteRule([.get], "/favicon.ico", .none)
    case .panel: RouteRule([.get], "/**", .none)
    }
  }

  private static let table = allCases.map { (route: $0, rule: $0.rule) }

  /// Finds the route of a request. The first path that matches decides. Throws if that path does not have the method.
  package static func find(_ method: RequestMethod, _ target: RequestTarget) throws(Problem) -> Match {
    let fitting = table.lazy.compactMap { entry in entry.rule.names(of: target).map { (entry.rule.path, $0) }
    }.first
    guard let (path, names) = fitting else { throw .notFound }
    let same = table.filter { $0.rule.path == path }
    guard let found = same.first(where: { $0.rule.methods.contains(method == .head ? .get : method) }) else {
      let methods = same.flatMap(\.rule.methods).flatMap { $0 == .get ? [.get, .head] : [$0] }.map(\.rawValue)
        .sorted()
      throw .otherMethod("the methods at this address are \(methods.joined(separator: ", "))", methods)
    }
    return Match(route: found.route, right: found.rule.right, names: names)
  }

  /// A route, and the names that match `*` and `**` in its path.
  package struct Match: Hashable, Sendable {
    package let route: WebRoute
    package let right: Right
    package let names: [[UInt8]]
  }
}

/// The supported methods.
package enum RequestMethod: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case delete = "DELETE"

  package init?(_ text: [UInt8]) {
    guard let method = Self.allCases.first(where: { text.elementsEqual($0.rawValue.utf8) }) else {
      return nil
    }
    self = method
  }

  /// Whether a request with this method may change something.
  package var isChange: Bool { self == .post || self == .delete }
}

package struct RouteRule: Hashable, Sendable {
  package let methods: [RequestMethod]
  package let path: [[UInt8]]
  package let right: Right

  init(_ methods: [RequestMethod], _ path: String, _ right: Right) {
    (self.methods, self.right) = (methods, right)
    self.path = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// The names that match `*` and `**`; nil: the path does not match.
  func names(of target: RequestTarget) -> [[UInt8]]? {
    let rest = path.last.map { $0.elementsEqual("**".utf8) } ?? false
    let fixed = rest ? path.dropLast() : path[...]
    guard rest ? target.names.count >= fixed.count : target.names.count == fixed.count && !target.isFolder
    else {
      return nil
    }
    var names: [[UInt8]] = []
    for (pattern, name) in zip(fixed, target.names) {
      if pattern.elementsEqual("*".utf8) { names.append(name) } else if pattern != name { return nil }
    }
    return names + target.names.dropFirst(fixed.count)
  }
}
