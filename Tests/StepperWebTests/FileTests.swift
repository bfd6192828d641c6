import Glibc
import TestSupport
import Testing

@testable import StepperWeb

extension SiteTests {
  @Suite("Files that change while they are served") struct FileTests {
    /// A program with own pages in the folder `pages`, which `body` may change.
    private static func serve(_ body: @escaping @Sendable (Site, TemporaryFolder) throws -> Void) async throws
    {
      let peer = try daemon()
      let folder = try TemporaryFolder()
      try folder.writeBelow("old", to: "pages/index.html")
      var settings = WebSettings()
      settings.pages = "\(folder.path)/pages"
      try await Site.serve(settings, daemon: peer.path) { site in try body(site, folder) }
    }

    @Test func `one that shrinks ends the connection, and nothing else comes in its body`() async throws {
      try await Self.serve { site, folder in
        try folder.write("begin" + String(repeating: "a", count: 8 << 20), to: "pages/big")
        let browser = try site.browser()
        let host = "Host: localhost:\(site.port)\r\n\r\n"
        try browser.send("GET /pages/big HTTP/1.1\r\n\(host)")
        // The file is open then, and most of it is still to be sent.
        #expect(try browser.text(upTo: "\r\n\r\nbegin") != nil)
        #expect(unsafe truncate("\(folder.path)/pages/big", 1000) == 0)
        try browser.send("GET /pages/index.html HTTP/1.1\r\n\(host)")
        #expect(try browser.text(upTo: "HTTP/1.1 ") == nil)
      }
    }

    @Test func `one that is written with the size and time that it had is another version`() async throws {
      try await Self.serve { site, folder in
        let path = "\(folder.path)/pages/index.html"
        let tag = try #require(try site.answer("GET", "/pages/").headers["etag"])
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        // The clock of files ticks every few milliseconds.
        try eventually {
          try Site.write("new", to: path)
          var present = stat()
          _ = unsafe stat(path, &present)
          return present.st_ctim.tv_sec != status.st_ctim.tv_sec
            || present.st_ctim.tv_nsec != status.st_ctim.tv_nsec
        }
        let times = [status.st_atim, status.st_mtim]
        #expect(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
        let answer = try site.answer("GET", "/pages/", nil, ["If-None-Match": tag])
        #expect(answer.status == 200 && answer.body == "new")
      }
    }

    @Test func `a large one has another tag with each version, for which nothing is read`() async throws {
      try await Self.serve { site, folder in
        func tag(of content: String) throws -> String? {
          try folder.write(content, to: "pages/next")
          try folder.rename("pages/next", to: "pages/file")
          return try site.answer("HEAD", "/pages/file").headers["etag"]
        }
        let large = String(repeating: "a", count: AnswerRoom.piece + 1)
        let first = try #require(try tag(of: large))
        #expect(try site.answer("GET", "/pages/file", nil, ["If-None-Match": first]).status == 304)
        #expect(try tag(of: large) != first)
        #expect(try tag(of: "small") == tag(of: "small"))
      }
    }

    @Test(arguments: ["html", "htm", "HTM"])
    func `one that is a page is shown`(_ end: String) async throws {
      try await Self.serve { site, folder in
        try folder.write("<p>", to: "pages/page.\(end)")
        let type = try site.answer("HEAD", "/pages/page.\(end)").headers["content-type"]
        #expect(type == "text/html; charset=utf-8")
      }
    }

    @Test func `those of a folder that takes the place of another are served`() async throws {
      try await Self.serve { site, folder in
        try folder.rename("pages", to: "former")
        #expect(try site.answer("GET", "/pages/").status == 404)
        try folder.writeBelow("new", to: "pages/index.html")
        #expect(try site.answer("GET", "/pages/").body == "new")
      }
    }

    @Test func `one that is too large is refused in words`() async throws {
      try await Self.serve { site, folder in
        try folder.write("", to: "pages/huge")
        #expect(unsafe truncate("\(folder.path)/pages/huge", off_t(Folder.byteLimit) + 1) == 0)
        let answer = try site.answer("GET", "/pages/huge")
        #expect(answer.status == 403)
        #expect(answer.body.contains("64 MiB"))
      }
    }
  }
}
