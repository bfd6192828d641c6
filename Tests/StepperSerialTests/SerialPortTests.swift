import Glibc
import StepperConfiguration
import Testing
@testable import stepperd_serial

@Suite struct SerialPortTests {
  /// The kernel would wait for the board when the port is closed.
  @Test func `what the board has not read is dropped when its port is closed`() throws {
    var (board, line): (CInt, CInt) = (-1, -1)
    try #require(unsafe openpty(&board, &line, nil, nil, nil) == 0)
    // Else the end of the port is that of the line.
    defer { for descriptor in [board, line] { close(descriptor) } }
    let table = "[serial.board]\nport = \"/proc/self/fd/\(line)\"\n"
    let ports = SerialConfiguration.load(Array(table.utf8), file: "test").result
    let settings = try #require(ports?.first)
    var port: SerialPort? = try SerialPort.open(settings)
    // From now on the board is told what is done with the line.
    var isPacket: CInt = 1
    try #require(unsafe ioctl(board, UInt(TIOCPKT), &isPacket) == 0)
    #expect(try port?.write(Array("light ring 1\n".utf8)[...]) == 13)
    port = nil
    var said = [UInt8](repeating: 0, count: 64)
    _ = unsafe read(board, &said, said.count)
    #expect(CInt(said[0]) & TIOCPKT_FLUSHWRITE != 0)
  }
}
