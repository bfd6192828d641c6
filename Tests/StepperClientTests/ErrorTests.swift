import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink
@testable import StepperClient

@Suite struct `What the daemon answered, in words` {
  func error(_ error: some VarlinkError) -> StepperClientError { StepperClientError(VarlinkFailure(error)) }

  @Test func `of controls`() {
    let unknown = error(ControlInterface.NoSuchControl(control: "volum"))
    #expect(unknown.code == .noSuchControl)
    #expect(unknown.message == "there is no control 'volum'")
    let outside = error(ControlInterface.OutOfRange(control: "v", value: 130, minimum: 0, maximum: 99.5))
    #expect(outside.code == .outOfRange)
    #expect(outside.message == "v cannot be 130: it goes from 0 to 99.5")
    let half = error(ControlInterface.OutOfRange(control: "v", value: -1, minimum: 0))
    #expect(half.message == "v cannot be -1: it starts at 0")
    let choice = error(ControlInterface.NoSuchValue(control: "v", text: "x", choices: ["a", "b"]))
    #expect(choice.message == "v cannot be 'x': it can be a, b")
    let noNumber = error(
      ControlInterface.NoSuchValue(
        control: "v", text: "abc", problem: #"expected a number at character 1, found "a""#))
    #expect(noNumber.code == .noSuchValue)
    #expect(noNumber.message == #"'abc' is not a value of v: expected a number at character 1, found "a""#)
    #expect(error(ControlInterface.NotWritable(control: "v")).code == .notWritable)
    #expect(error(ControlInterface.Changed(control: "v", sequence: 3)).code == .changed)
    #expect(error(ControlInterface.Stopping()).code == .stopping)
    #expect(error(ControlInterface.TooManySubscriptions(limit: 8)).code == .tooManySubscriptions)
  }

  @Test func `without a daemon, by what stands in the way`() throws {
    let folder = try TemporaryFolder()
    func message(_ attempts: [(String, CInt)], canSee: Bool = true, runtime: String? = "/run/user/7")
      -> String
    {
      StepperClientError.cannotConnect(
        attempts.map { (StepperAddress($0.0), $0.1) }, canSee: { _ in canSee },
        runtimeDirectory: runtime
      ).message
    }
    let (own, system) = ("/run/user/7/stepperd/org.stepperd", StepperAddress.system.path)
    #expect(message([(own, ENOENT), (system, ENOENT)]).contains("systemctl start stepperd"))
    #expect(message([(system, ENOENT)], runtime: nil).contains("this user's daemon set XDG_RUNTIME_DIR"))
    #expect(
      message([(own, ENOENT), (system, EACCES)]).contains(
        "member of the group of the socket, by default stepperd"))
    #expect(
      message([(own, EACCES), (system, ENOENT)], canSee: false).contains(
        "XDG_RUNTIME_DIR is /run/user/7, which is closed to this user: unset it"))
    #expect(message([("/x/y", EACCES)], canSee: false).contains("the directory of the socket is closed"))
    #expect(
      message([(folder.path, ECONNREFUSED)]).contains(
        "\(folder.path): not a socket\n  an address is the path"))
    for other in ["tcp:1.2.3.4:5", "http://x/y", "unix:"] {
      #expect(message([(other, ENOENT)]).contains("an address is the path of a daemon's socket"), "\(other)")
    }
  }

  @Test func `of ranges`() {
    func message(minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil, page: Double? = nil)
      -> String
    {
      let refused = error(
        ControlInterface.InvalidRange(
          control: "v", minimum: minimum, maximum: maximum, step: step, page: page))
      #expect(refused.code == .invalidRange)
      return refused.message
    }
    #expect(
      message(minimum: 50, maximum: 20)
        == "v cannot have minimum 50, maximum 20: the minimum would exceed the maximum")
    #expect(message(step: 0) == "v cannot have step 0: a step must be greater than 0")
    let told = error(ControlInterface.InvalidRange(control: "v", step: 1.5e-7, problem: "it keeps 2"))
    #expect(told.message == "v cannot have step 0.00000015: it keeps 2")
    #expect(
      message(maximum: 5, page: -1.5) == "v cannot have maximum 5, page -1.5: a step must be greater than 0")
    #expect(message(step: 1e-9) == "v cannot have step 0.000000001")
    #expect(message() == "v cannot have this range")
  }

  @Test func `of devices, the manager and the service`() {
    #expect(error(DeviceInterface.NoSuchDevice(device: "x")).code == .noSuchDevice)
    let input = error(DeviceInterface.NoSuchInput(device: "panel", input: "x", inputs: ["plus", "minus"]))
    #expect(input.code == .noSuchInput)
    #expect(input.message == "panel has no input 'x' of the right kind; it has plus, minus")
    let output = error(DeviceInterface.NoSuchOutput(device: "knob", output: "rumbl", outputs: ["rumble"]))
    #expect(output.code == .noSuchOutput)
    #expect(output.message == "knob has no output 'rumbl'; it has rumble")
    let none = error(DeviceInterface.NoSuchOutput(device: "knob", output: "x", outputs: []))
    #expect(none.message == "knob has no output 'x'; it has none")
    #expect(
      error(DeviceInterface.NoSuchOutput(device: "knob", output: "", outputs: [])).message
        == "knob has no output")
    let unknown = error(ServiceInterface.MethodNotFound(method: "x.Y"))
    #expect(unknown.code == .unknown && unknown.message.contains("does not know x.Y: it is older"))
    #expect(error(DeviceInterface.NotVirtual(device: "x")).code == .notVirtual)
    let problem = ManagerInterface.Problem(file: "f", keyPath: "k", severity: .error, message: "m")
    #expect(error(ManagerInterface.ConfigurationInvalid(problems: [problem])).problems == [problem])
    #expect(error(ManagerInterface.SaveFailed(path: "p", message: "m")).code == .saveFailed)
    #expect(error(ServiceInterface.InvalidParameter(parameter: "value")).code == .invalidParameter)
    #expect(error(ServiceInterface.PermissionDenied()).code == .permissionDenied)
  }

  @Test func `of a newer daemon`() {
    let error = StepperClientError(VarlinkFailure(name: "org.stepperd.control.TooHot"))
    #expect(error.code == .unknown)
    #expect(error.message == "the daemon answered org.stepperd.control.TooHot {}")
  }
}
