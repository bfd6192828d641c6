import StepperInterfaces
import Testing
import Varlink

@Suite struct ServiceTests {
  private let service = VarlinkService(
    vendor: "v", product: "p", version: "1", url: "https://example.com", interfaces: [.control])

  @Test func `it says what it is and describes its interfaces`() throws {
    let info = try service.answer(VarlinkCall("org.varlink.service.GetInfo"))?.decode(
      ServiceInterface.GetInfo.Reply.self)
    #expect(info == service.info)
    #expect(info?.interfaces == ["org.varlink.service", "org.stepperd.control"])
    for interface in [InterfaceDescription.service, .control] {
      let call = try VarlinkCall(
        ServiceInterface.GetInterfaceDescription.self, .init(interface: interface.name))
      let reply = try service.answer(call)?.decode(ServiceInterface.GetInterfaceDescription.Reply.self)
      #expect(reply?.description == interface.text)
    }
  }

  @Test func `a method of its interfaces is the caller's to answer`() {
    #expect(service.answer(VarlinkCall("org.stepperd.control.Get")) == nil)
  }

  @Test(arguments: [
    (
      "org.varlink.service.GetInf",
      VarlinkFailure(ServiceInterface.MethodNotFound(method: "org.varlink.service.GetInf"))
    ),
    (
      "org.stepperd.control.",
      VarlinkFailure(ServiceInterface.MethodNotFound(method: "org.stepperd.control."))
    ),
    ("org.example.Get", VarlinkFailure(ServiceInterface.InterfaceNotFound(interface: "org.example"))),
    ("Get", VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "method"))),
    ("", VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "method"))),
  ])
  func `what it does not have is refused`(_ method: String, _ failure: VarlinkFailure) {
    #expect(service.answer(VarlinkCall(method))?.failure == failure)
  }

  @Test func `a connection cannot be upgraded`() {
    let answer = service.answer(VarlinkCall("org.stepperd.control.Get", mode: .upgrade))
    #expect(answer?.failure?.name == "org.varlink.service.MethodNotImplemented")
  }
}
