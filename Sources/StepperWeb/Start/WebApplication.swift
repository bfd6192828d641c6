internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import StepperConfiguration

/// What is served, and by which rules.
struct WebApplication: Sendable {
  private let responder: RouterResponder<WebContext>
  private let logger: Logger

  init(
    _ link: DaemonLink, _ settings: WebSettings, gate: Gate, panel: Folder, pages: Folder?,
    problems: [String], logger: Logger
  ) {
    self.logger = logger
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: gate)
    Self.addControls(to: router, link)
    Self.addHolds(to: router, link)
    let session = SessionRoutes(gate: gate)
    Self.add(router, "api/v1/session", [.post: session.begin, .delete: session.end])
    Self.add(router, "api/v1/settings", [.get: SettingsRoute(settings: settings, gate: gate).get])
    Self.add(router, "api/v1/status", [.get: StatusRoute(link: link, problems: problems).get])
    if let pages {
      let files = FileRoutes(pages, policy: settings.policy)
      let serve: Serve = { request, _ in try files.file(request.uri.path.dropFirst("/pages".count), request) }
      // One route for both: the router does not tell a slash at the end.
      router.get("pages") { request, context in
        request.uri.path.hasSuffix("/") ? try await serve(request, context) : Response.redirect(to: "/pages/")
      }
      router.get("pages/**", use: serve)
    }
    let files = FileRoutes(panel, policy: nil)
    let serve: Serve = { request, _ in try files.file(request.uri.path[...], request) }
    router.get("/", use: serve)
    // Browsers ask for it where a page names no icon, and complain in the console of a page that has none.
    router.get("favicon.ico") { _, _ in Response(status: .noContent) }
    router.get("**", use: serve)
    responder = router.buildResponder()
  }

  typealias Serve = @Sendable (Request, WebContext) async throws -> Response

  private static func addControls(to router: Router<WebContext>, _ link: DaemonLink) {
    let controls = ControlRoutes(hub: link.hub, calls: link.calls, describer: link.describer)
    let events = EventRoute(hub: link.hub, describer: link.describer, keeper: link.keeper)
    let one = "api/v1/controls/:control"
    add(router, "api/v1/controls", [.get: controls.list])
    add(router, one, [.get: controls.one])
    add(router, "\(one)/set", [.post: controls.set])
    add(router, "\(one)/step", [.post: controls.step])
    add(router, "\(one)/turn", [.post: controls.turn])
    add(router, "\(one)/reset", [.post: controls.reset])
    add(router, "api/v1/events", [.get: events.open])
  }

  private static func addHolds(to router: Router<WebContext>, _ link: DaemonLink) {
    let holds = HoldRoutes(keeper: link.keeper, hub: link.hub)
    add(router, "api/v1/holds", [.post: holds.press])
    add(router, "api/v1/holds/renew", [.post: holds.renew])
    add(router, "api/v1/holds/:hold/move", [.post: holds.move])
    add(router, "api/v1/holds/:hold/release", [.post: holds.release])
  }

  /// Adds what is done at `path`; other methods are refused.
  private static func add(
    _ router: Router<WebContext>, _ path: String, _ routes: [HTTPRequest.Method: Serve]
  ) {
    let methods = routes.keys.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }.sorted()
    let path = RouterPath(path)
    for method in [HTTPRequest.Method.get, .post, .delete] {
      router.on(
        path, method: method,
        use: routes[method]
          ?? { _, _ in
            var problem = Problem(
              .methodNotAllowed, "understood here: \(methods.joined(separator: ", "))")
            problem.headers[.allow] = methods.joined(separator: ", ")
            throw problem
          })
    }
  }

  /// The answer to `request`; there always is one.
  func respond(to request: Request, over connection: Connection) async -> Response {
    let context = WebContext(source: .init(connection: connection, logger: logger))
    do {
      return try await responder.respond(to: request, context: context)
    } catch {
      // The gate makes answers of errors; nothing is before it.
      return Problem(.internalServerError, "the web program failed").response
    }
  }
}
