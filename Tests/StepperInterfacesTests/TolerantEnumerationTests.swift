import StepperInterfaces
import Testing
import Varlink

@Suite struct TolerantEnumerationTests {
  @Test func `a word of a newer daemon is taken for what the interface says`() throws {
    let state = #"""
      {"control":"a","limit":"none","origin":"telepathy","live":true,"turned":0,"presses":0,"pressed":false,
      "editing":false,"canIncrement":true,"canDecrement":true,"sequence":1,"monotonicMicroseconds":1}
      """#
    let parameters = try VarlinkParameters(json: state.utf8)
    #expect(try parameters.decode(ControlInterface.State.self).origin == .configuration)
    let description =
      #"{"control":"a","kind":"picker","profile":"p","format":{"style":"roman","grouping":false},"wrap":false,"writable":true}"#
    let decoded = try VarlinkParameters(json: description.utf8).decode(ControlInterface.Description.self)
    #expect(decoded.kind == .continuous)
  }

  @Test func `a word that was always wrong still is`() throws {
    let parameters = try VarlinkParameters(json: #"{"control":"a","steps":1,"unit":"mile"}"#.utf8)
    #expect(throws: VarlinkMessageError.self) { try parameters.decode(ControlInterface.Step.Parameters.self) }
  }
}
