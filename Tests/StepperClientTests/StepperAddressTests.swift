import Glibc
import StepperClient
import Testing

@Suite struct `Finding the daemon` {
  func candidates(_ explicit: String? = nil, _ environment: [String: String]) -> [String] {
    StepperAddress.candidates(explicit: explicit) { environment[$0] }.map(\.path)
  }

  @Test func `an explicit address is the only one`() {
    #expect(candidates("/a", ["STEPPERD_ADDRESS": "/b", "XDG_RUNTIME_DIR": "/c"]) == ["/a"])
  }

  @Test func `then the environment's is the only one`() {
    #expect(candidates(["STEPPERD_ADDRESS": "unix:/b", "XDG_RUNTIME_DIR": "/c"]) == ["/b"])
  }

  @Test func `then the user's comes before the system's`() {
    #expect(
      candidates(["XDG_RUNTIME_DIR": "/c"]) == ["/c/stepperd/org.stepperd", "/run/stepperd/org.stepperd"])
  }

  @Test func `empty variables are none`() {
    #expect(candidates(["STEPPERD_ADDRESS": "", "XDG_RUNTIME_DIR": ""]) == ["/run/stepperd/org.stepperd"])
  }

  @Test func `a relative directory is none, as for the daemon`() {
    #expect(candidates(["XDG_RUNTIME_DIR": "run"]) == ["/run/stepperd/org.stepperd"])
  }

  @Test func `properties of a Varlink address are no part of the path`() {
    #expect(StepperAddress("unix:/run/x;mode=0600").path == "/run/x")
  }

  /// As the service manager creates it for `ListenStream=@NAME`.
  @Test func `a name in the abstract namespace is an address`() throws {
    let name = "stepperd-test-\(getpid())"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: [0] + Array(name.utf8)) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, length) }
    }
    try #require(bound == 0)
    try #require(listen(listener, 4) == 0)
    for text in ["unix:@\(name)", "@\(name)", "unix:@\(name);mode=0600"] {
      #expect(StepperAddress(text).connectionError == nil, "\(text)")
    }
    #expect(StepperAddress("@\(name)-other").connectionError == ECONNREFUSED)
  }

  @Test func `an input is split at its last colon`() {
    #expect(InputName("knob:2:REL_DIAL") == InputName(device: "knob:2", input: "REL_DIAL"))
    #expect(InputName("panel") == nil)
    #expect(InputName("panel:") == nil)
    #expect(InputName(":plus") == nil)
  }

  private func candidates(_ environment: [String: String]) -> [String] { candidates(nil, environment) }
}
