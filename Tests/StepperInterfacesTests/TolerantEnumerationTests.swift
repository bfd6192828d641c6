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

  private struct Box<Word: JSONReadable>: JSONReadable {
    var word: Word

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      word = try members.value("word")
    }
  }

  private func reading<Word: JSONReadable>(_: Word.Type, from word: String = "telepathy") throws -> Word {
    try VarlinkParameters(json: #"{"word":"\#(word)"}"#.utf8).decode(Box<Word>.self).word
  }

  /// What the comments of the interfaces promise to daemons that know more words.
  @Test func `every enumeration that may grow reads an unknown word`() throws {
    #expect(try reading(ControlInterface.Kind.self) == .continuous)
    #expect(try reading(ControlInterface.Origin.self) == .configuration)
    #expect(try reading(ControlInterface.NumberStyle.self) == .decimal)
    #expect(try reading(ControlInterface.AccessibilityRole.self) == .stepper)
    #expect(try reading(ControlInterface.FeedbackEffect.self) == .light)
    #expect(try reading(ControlInterface.EditingOrigin.self) == .device)
    #expect(try reading(ControlInterface.AccessibilityStyle.self) == .uikit)
    #expect(try reading(ControlInterface.Moment.self) == .init(rawValue: "telepathy"))
    #expect(try reading(DeviceInterface.Role.self) == .axis)
    #expect(try reading(DeviceInterface.DeviceState.self) == .unused)
    #expect(try reading(DeviceInterface.DeviceState.self, from: "grabbed") == .grabbed)
    #expect(throws: VarlinkMessageError.self) { try reading(ControlInterface.Limit.self) }
    #expect(throws: VarlinkMessageError.self) { try reading(ManagerInterface.Severity.self) }
  }

  @Test func `a word that was always wrong still is`() throws {
    let parameters = try VarlinkParameters(json: #"{"control":"a","steps":1,"unit":"mile"}"#.utf8)
    #expect(throws: VarlinkMessageError.self) { try parameters.decode(ControlInterface.Step.Parameters.self) }
  }
}
