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

  @Test func `properties of a Varlink address are no part of the path`() {
    #expect(StepperAddress("unix:/run/x;mode=0600").path == "/run/x")
  }

  @Test func `an input is split at its last colon`() {
    #expect(InputName("knob:2:REL_DIAL") == InputName(device: "knob:2", input: "REL_DIAL"))
    #expect(InputName("panel") == nil)
    #expect(InputName("panel:") == nil)
    #expect(InputName(":plus") == nil)
  }

  private func candidates(_ environment: [String: String]) -> [String] { candidates(nil, environment) }
}
