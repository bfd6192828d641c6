internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import StepperCore
internal import StepperLinux
internal import Varlink

/// `GET` of files. Each has the hash of its content as its tag, a large one that of when it was written, and is asked for again
/// before it is used again.
///
/// The files of the panel may be packed beforehand, each beside the file it was made of. Those with the hash of their content in
/// their name are in a folder of their own, and are never asked for again.
final class FileRoutes: Sendable {
  private static let lastingFolder = "immutable"
  private static let packedEnd = ".gz"
  /// How much of a file is read at once.
  private static let pieceSize = AnswerRoom.piece

  private let folder: Folder
  /// The content security policy; nil: that of all answers.
  private let policy: String?
  /// Whether these are the files of the panel.
  private let isPanel: Bool

  /// The files of the panel.
  init(panel folder: Folder) { (self.folder, policy, isPanel) = (folder, nil, true) }

  /// Files of others, which are served as they are.
  init(pages folder: Folder, policy: String?) {
    (self.folder, self.policy, isPanel) = (folder, policy, false)
  }

  /// The file that the names of the path lead to; a folder is its `index.html`.
  func file(_ request: WebRequest) throws -> Response {
    let names = request.names.map { OutsideText.shown($0) }
    let components = request.target.isFolder ? names + ["index.html"] : names
    let name = components.last ?? ""
    var headers = HTTPFields()
    let isLasting = isPanel && components.first == Self.lastingFolder
    headers[.cacheControl] = isLasting ? "public, max-age=31536000, immutable" : "no-cache"
    if isPanel { headers[.vary] = "Accept-Encoding" }
    let packed = Array(components.dropLast()) + [name + Self.packedEnd]
    if isPanel, request.head.acceptsGzip, let file = try folder.open(packed) {
      headers[.contentEncoding] = "gzip"
      return try answer(request, file, packed, named: name, headers)
    }
    guard let file = try folder.open(components) else { throw Problem.notFound }
    return try answer(request, file, components, named: name, headers)
  }

  /// The answer with `file`, which `components` lead to, unless the client has it.
  private func answer(
    _ request: WebRequest, _ file: borrowing Folder.File, _ components: [String], named name: String,
    _ common: HTTPFields
  ) throws -> Response {
    var headers = common
    let (size, version) = (file.size, file.version)
    let content = size <= Self.pieceSize ? try file.bytes(at: 0, count: size) : nil
    let tag = "\"\(content.map { Fingerprint($0).text } ?? version.text)\""
    headers[.eTag] = tag
    // Also where nothing has changed: browsers take the headers of that answer for what they have.
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
      body: .init(contentLength: size) { [folder] writer in
        // Where another one has taken its place, or it becomes shorter, the connection ends before the promised length.
        guard let file = try folder.open(components), file.version == version else {
          throw Problem.fileChanges
        }
        for offset in stride(from: 0, to: size, by: Self.pieceSize) {
          let bytes = try file.bytes(at: offset, count: min(Self.pieceSize, size - offset))
          try await writer.write(ByteBuffer(bytes: bytes))
        }
        try await writer.finish(nil)
      })
  }
}
