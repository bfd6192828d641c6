import StepperConfiguration
import StepperLinux
import SystemPackage
import Testing

@testable import StepperDaemon

@MainActor @Suite struct ConfigurationChecksTests {
  @Test func `users take turns`() throws {
    let loop = try EventLoop()
    let checks = try ConfigurationChecks(loop: loop, scope: .system)
    let greedy = (0..<4).map { _ in checks.add("[control.a]", file: "a.toml", of: 1) }
    let other = checks.add("[control.b]\nmaximun = 1", file: "b.toml", of: 2)
    let last = checks.add("[daemon]\nadmin-group = \"no-such-group\"\n[control.b]", file: "c.toml", of: 2)
    var order: [Int64] = []
    try loop.run { _ in
      for number in greedy + [other, last] where checks.result(of: number) != nil && !order.contains(number) {
        order.append(number)
      }
      if order.count == 6 { loop.stop() }
      return nil
    }
    #expect(order == [greedy[0], other, greedy[1], last, greedy[2], greedy[3]])
    #expect(checks.result(of: greedy[0]) == [])
    #expect(checks.result(of: other)?.map(\.keyPath) == ["control.b.maximun"])
    #expect(checks.result(of: last)?.map(\.keyPath) == ["daemon.admin-group"])
  }

  @Test func `a file that cannot be read is no invalid configuration`() {
    func failure(_ errno: Errno?) -> StartFailure {
      var failure = ConfigurationFailure(problems: [.init(file: "a.toml", message: "x")])
      failure.errno = errno
      return StartFailure(failure)
    }
    if case .configuration = failure(nil) {} else { Issue.record("its content is wrong") }
    if case .configuration = failure(.noSuchFileOrDirectory) {} else { Issue.record("it is not there") }
    if case .noPermission = failure(.permissionDenied) {} else { Issue.record("it is forbidden") }
    for errno in [Errno.tooManyOpenFiles, .noMemory, .ioError] {
      if case .system = failure(errno) {} else { Issue.record("\(errno)") }
    }
  }
}
