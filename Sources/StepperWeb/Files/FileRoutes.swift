internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOPosix
internal import StepperCore
internal import StepperLinux
internal import Synchronization
internal import Varlink

/// `GET` of files. A file's entity tag is the hash of its content, or for a large file of its version. Browsers ask again before they use
/// the file again.
///
/// The panel's files may be compressed beforehand, each next to the file that it was made from. Files with the hash of their content in
/// their name have a folder of their own, and browsers never ask for them again.
final class FileRoutes: Sendable {
  private static let index = "index.html"
  private static let lastingFolder = "immutable"
  private static let packedEnd = ".gz"
  /// How much of a file is read at a time.
  private static let pieceSize = AnswerRoom.piece

  private let folder: Folder
  /// The content security policy; nil: the policy of all answers.
  private let policy: String?
  /// Whether these are the files of the panel.
  private let isPanel: Bool
  /// The number of reads of files from other sources that have not ended, and the most of them.
  private let readCount = Mutex(0)
  private static let readLimit = 64

  /// The files of the panel.
  init(panel folder: Folder) { (self.folder, policy, isPanel) = (folder, nil, true) }

  /// Files from other sources, which are served unchanged.
  init(pages folder: Folder, policy: String?) {
    (self.folder, self.policy, isPanel) = (folder, policy, false)
  }

  /// The file that the names of the path lead to. A folder stands for its `index.html`, and its path must end with a slash, because URLs
  /// in the page are relative to it.
  func file(_ request: WebRequest) async throws -> Response {
    let names = request.names.map { OutsideText.shown($0) }
    let components = request.target.isFolder ? names + [Self.index] : names
    let name = components.last ?? ""
    var headers = HTTPFields()
    let isLasting = isPanel && components.first == Self.lastingFolder
    headers[.cacheControl] = isLasting ? "public, max-age=31536000, immutable" : "no-cache"
    if isPanel { headers[.vary] = "Accept-Encoding" }
    let packed = Array(components.dropLast()) + [name + Self.packedEnd]
    if isPanel, request.head.acceptsGzip, let found = try await find(packed, for: request) {
      headers[.contentEncoding] = "gzip"
      return answer(request, found, named: name, headers)
    }
    guard let found = try await find(components, for: request) else {
      guard !request.target.isFolder, try await find(names + [Self.index], for: request) != nil else {
        throw Problem.notFound
      }
      return toFolder(request)
    }
    return answer(request, found, named: name, headers)
  }

  /// The redirection for a folder whose path does not end with a slash.
  func toFolder(_ request: WebRequest) -> Response {
    Response(status: .seeOther, headers: [.location: request.target.withSlash])
  }

  /// A file that exists.
  private struct Found: Sendable {
    let components: [String]
    let size: Int
    let version: Folder.Version
    /// nil: the file is read in pieces.
    let content: [UInt8]?
  }

  /// A file that is open while it is sent.
  private final class Opened: Sendable {
    let file: Folder.File

    init(_ file: consuming Folder.File) { self.file = file }
  }

  private func find(_ components: [String], for request: WebRequest) async throws -> Found? {
    try await read(for: request.connection) { [folder] in
      guard let file = try folder.open(components) else { return nil }
      let content = file.size <= Self.pieceSize ? try file.bytes(at: 0, count: file.size) : nil
      return Found(components: components, size: file.size, version: file.version, content: content)
    }
  }

  /// Runs `work`, which reads files. Files from other sources may be on a disk that hangs: this blocks only threads of a separate pool,
  /// and delays neither other requests nor the end of the program. Meanwhile `connection` takes no room from other answers. Throws if too
  /// many such reads have not ended, or the task is cancelled.
  private func read<Value: Sendable>(
    for connection: Connection, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if isPanel { return try work() }
    let isAdmitted = readCount.withLock { count in
      guard count < Self.readLimit else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw Problem.filesHang }
    connection.leaveRoom()
    let result = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Value.self)
    NIOThreadPool.singleton.submit { [self] _ in
      result.completeWith(Result(catching: work))
      readCount.withLock { $0 -= 1 }
    }
    let value = try await withTaskCancellationHandler {
      try await result.futureResult.get()
    } onCancel: {
      result.fail(CancellationError())
    }
    try await connection.takeRoom(AnswerRoom.least)
    return value
  }

  /// The answer with the file, or without its content if the client has it already.
  private func answer(
    _ request: WebRequest, _ found: Found, named name: String, _ common: HTTPFields
  ) -> Response {
    var headers = common
    let (size, version, content) = (found.size, found.version, found.content)
    let tag = "\"\(content.map { Fingerprint($0).text } ?? version.text)\""
    headers[.eTag] = tag
    // Also sent if nothing has changed: browsers apply the headers of that answer to their copy.
    headers[.contentSecurityPolicy] = policy
    if EntityTag.isListed(tag, in: request.head.ifNoneMatch) {
      headers[.contentEncoding] = nil
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = MediaType.of(name)
    if let content {
      return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: content)))
    }
    return Response(
      status: .ok, headers: headers,
      body: .init(contentLength: size) { [self, connection = request.connection] writer in
        // If the file was replaced or gets shorter, the connection ends before the promised length.
        let opened = try await read(for: connection) { [folder] in
          guard let file = try folder.open(found.components), file.version == version else {
            throw Problem.fileChanges
          }
          return Opened(file)
        }
        for offset in stride(from: 0, to: size, by: Self.pieceSize) {
          let bytes = try await read(for: connection) {
            try opened.file.bytes(at: offset, count: min(Self.pieceSize, size - offset))
          }
          try await writer.write(ByteBuffer(bytes: bytes))
        }
        try await writer.finish(nil)
      })
  }
}
