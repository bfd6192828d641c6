internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// What is served, and by which rules: the handlers of all ``WebRoute`` cases.
struct WebApplication: Sendable {
  private let gate: Gate
  private let controls: ControlRoutes
  private let events: EventRoute
  private let holds: HoldRoutes
  private let session: SessionRoutes
  private let settings: SettingsRoute
  private let status: StatusRoute
  private let panel: FileRoutes
  /// nil: there are no additional pages.
  private let pages: FileRoutes?
  private let log: LimitedLog

  init(
    _ daemon: DaemonConnections, _ settings: WebSettings, gate: Gate, panel: Folder, pages: Folder?,
    problems: [String], logger: Logger
  ) {
    (self.gate, log) = (gate, LimitedLog(logger))
    self.settings = SettingsRoute(settings: settings, gate: gate)
    controls = ControlRoutes(
      hub: daemon.hub, calls: daemon.calls, describer: daemon.describer, pulse: daemon.pulse,
      settings: self.settings)
    events = EventRoute(
      hub: daemon.hub, describer: daemon.describer, keeper: daemon.keeper, match: settings.match)
    holds = HoldRoutes(keeper: daemon.keeper, hub: daemon.hub)
    session = SessionRoutes(gate: gate)
    status = StatusRoute(daemon: daemon, problems: problems)
    self.panel = FileRoutes(panel: panel)
    self.pages = pages.map { FileRoutes(pages: $0, policy: settings.policy) }
  }

  /// The answer to `request`. There always is one.
  func respond(to request: Request, over connection: Connection) async -> Response {
    do {
      let request = try gate.admit(request, over: connection)
      let response = try await handle(request)
      // A body that is not sent is not read either.
      return request.method == .head ? response.createHeadResponse() : response
    } catch let problem as Problem {
      return problem.response
    } catch {
      // If the connection is closed, no client waits for the answer.
      if connection.channel.isActive { log.log(.warning, "a request failed: \(error)") }
      return Problem(.internalServerError, "the web program failed").response
    }
  }

  private func handle(_ request: WebRequest) async throws -> Response {
    // Otherwise the change would be made regardless of the condition (RFC 9110, 13.1.1).
    if request.head.ifMatch != nil, request.method.isChange, request.route != .set {
      throw Problem(.badRequest, "If-Match is for set only; leave it out")
    }
    return switch request.route {
    case .controls: try await controls.list(request)
    case .control: try await controls.one(request)
    case .set: try await controls.set(request)
    case .step: try await controls.step(request)
    case .turn: try await controls.turn(request)
    case .reset: try await controls.reset(request)
    case .events: try await events.open(request)
    case .press: try await holds.press(request)
    case .renew: try await holds.renew(request)
    case .move: try await holds.move(request)
    case .release: try await holds.release(request)
    case .beginSession: try await session.begin(request)
    case .endSession: try session.end(request)
    case .settings: try settings.get(request)
    case .status: try await status.get(request)
    case .noInterface: throw Problem.notFound
    case .pages: try await servePages(request)
    case .icon: Response(status: .noContent)
    case .panel: try await panel.file(request)
    }
  }

  private func servePages(_ request: WebRequest) async throws -> Response {
    guard let pages else { throw Problem.notFound }
    guard request.target.isFolder || !request.names.isEmpty else { return pages.toFolder(request) }
    return try await pages.file(request)
  }
}
