import StepperLinux
import SystemPackage
import TestSupport
import Testing

@Suite struct DeviceProblemTests {
  @Test(arguments: [
    (Errno.resourceBusy, DeviceProblem.State.busy), (.permissionDenied, .denied), (.notPermitted, .denied),
    (.noSuchFileOrDirectory, .absent), (.operationNotSupportedByDevice, .absent),
    (.noSuchAddressOrDevice, .absent),
    (.ioError, .absent), (.invalidArgument, .absent),
  ])
  func `every error has a state and a sentence that names the node`(error: Errno, state: DeviceProblem.State)
  {
    let problem = DeviceProblem(node: "/dev/null", error: error)
    #expect(problem.state == state)
    #expect(problem.message.contains("/dev/null"))
    #expect(!problem.message.contains("\n"))
  }

  @Test func `a denial says who may`() {
    #expect(
      DeviceProblem(node: "/dev/null", error: .permissionDenied).message
        == "permission denied: /dev/null belongs to root:root (0666); add a udev rule for it "
        + "(as in /usr/lib/udev/rules.d/70-stepperd.rules) or let the daemon's user join its group")
  }

  @Test func `names are those of the files, and a number where they have none`() throws {
    let folder = try TemporaryFolder()
    try folder.write("root:x:0:\n+\n\ninput:x:104:ann\nbroken\n:x:7:\nlate:x:104:\nn\u{1b}:x:8:", to: "group")
    let groups = AccountFile(path: FilePath("\(folder.path)/group"))
    #expect(
      [0, 104, 7, 8, 9, .max].map(groups.name) == ["root", "input", "7", "n\u{1b}", "9", "4294967295"])
    #expect(AccountFile(path: FilePath("\(folder.path)/none")).name(of: 5) == "5")
    #expect(AccountFile(path: FilePath(folder.path)).name(of: 5) == "5")
    #expect(AccountFile(path: "/dev/zero").name(of: 0) == "0")
  }

  @Test func `a node that may only be read says what that keeps from being used`() {
    let problem = DeviceProblem(readOnly: "/dev/null", error: .permissionDenied)
    #expect(
      problem.message.hasPrefix("its outputs are not used because it is not writable; permission denied"))
    #expect(problem.message.contains("udev rule"))
  }

  @Test func `a denial by the sandbox names the sandbox`() {
    let message = DeviceProblem(node: "/dev/null", error: .notPermitted).message
    #expect(message.contains("DeviceAllow="))
    #expect(!message.contains("udev"))
  }

  @Test func `opening what is no evdev device throws`() {
    #expect(throws: Errno.self) { try EvdevDevice(node: "/dev/null") }
    #expect(throws: Errno.noSuchFileOrDirectory) { try EvdevDevice(node: "/dev/input/no-such-node") }
  }
}
