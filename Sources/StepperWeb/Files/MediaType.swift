/// The media type of a file, by the extension of its name.
enum MediaType {
  private static let known = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
    "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
    "ts": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
    "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "ico": "image/x-icon", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    "wasm": "application/wasm", "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav",
    "mp4": "video/mp4", "webm": "video/webm",
  ]

  /// The media type of the file `name`. Files of unknown types are never shown, only saved.
  static func of(_ name: some StringProtocol) -> String {
    let end = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    return known[end.lowercased()] ?? "application/octet-stream"
  }
}
