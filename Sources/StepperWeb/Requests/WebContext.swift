internal import Hummingbird
internal import HummingbirdCore
internal import Logging

/// What a request comes over.
struct WebContext: RequestContext {
  struct Source: RequestContextSource {
    let connection: Connection
    let logger: Logger
  }

  var coreContext: CoreRequestContextStorage
  let connection: Connection
  /// Whether who asks may change nothing.
  var isReadOnly = false

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    connection = source.connection
  }
}
