import TestSupport
import Testing
@testable import stepperd_serial

@Suite("Frames of a SmartKnob") struct SmartKnobFrameTests {
  /// The check value of this CRC-32, and those of its library in Python.
  @Test(
    arguments: [("123456789", 0xcbf4_3926), ("", 0), ("a", 0xe8b7_be43), ("stepperd", 0x8cc4_d466)]
      as [(String, UInt32)])
  func `have the checksum of zlib`(text: String, checksum: UInt32) {
    #expect(SmartKnobFrame.crc32(text.utf8) == checksum)
  }

  /// Examples of Cheshire and Baker.
  @Test(
    arguments: [
      ([0], [1, 1]), ([0, 0], [1, 1, 1]), ([0, 0x11, 0], [1, 2, 0x11, 1]),
      ([0x11, 0x22, 0, 0x33], [3, 0x11, 0x22, 2, 0x33]),
      ([0x11, 0x22, 0x33, 0x44], [5, 0x11, 0x22, 0x33, 0x44]),
      ([0x11, 0, 0, 0], [2, 0x11, 1, 1, 1]),
      (Array(1...254), [255] + Array(1...254)), (Array(0...254), [1, 255] + Array(1...254)),
      (Array(1...255), [255] + Array(1...254) + [2, 255]),
    ] as [([UInt8], [UInt8])])
  func `have no zeros`(bytes: [UInt8], stuffed: [UInt8]) {
    #expect(SmartKnobFrame.stuffed(bytes) == stuffed)
    #expect(SmartKnobFrame.unstuffed(stuffed) == bytes)
  }

  /// A state and an acknowledgement as the firmware's library encodes them.
  @Test func `are read and written as the firmware does`() throws {
    let whole: [UInt8] = [8, 1, 0x22, 13, 8, 5, 0x15, 0, 0, 0x80, 0x3e, 0x1a, 2, 0x18, 9, 0x20, 7]
    #expect(try SmartKnobMessage(whole) == .state(.init(position: 5, presses: 7, positionNonce: 9)))
    let negative: [UInt8] = [8, 1, 0x22, 11, 8, 0xfb] + Array(repeating: 0xff, count: 8) + [1]
    #expect(try SmartKnobMessage(negative) == .state(.init(position: -5)))
    #expect(try SmartKnobMessage([8, 1, 0x12, 2, 8, 0x2a]) == .acknowledged(42))
    #expect(try SmartKnobMessage([8, 1, 0x1a, 2, 0x0a, 0]) == .log)
    #expect(try SmartKnobMessage([8, 2, 0x12, 2, 8, 0x2a]) == nil)
    #expect(SmartKnobConfiguration.request(42) == [8, 1, 0x10, 42, 0x1a, 0])
  }

  @Test(arguments: Seed.fresh(10))
  func `any bytes are a message or none`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(SmartKnobFrame.unstuffed(SmartKnobFrame.stuffed(bytes)) == bytes)
      #expect(!SmartKnobFrame.encode(bytes).dropLast().contains(0))
      if !bytes.isEmpty {
        #expect(SmartKnobFrame.decode(Array(SmartKnobFrame.encode(bytes).dropLast())) == bytes)
      }
      _ = try? SmartKnobMessage(bytes)
      _ = try? SmartKnobMessage([8, 1, 0x22] + bytes)
      _ = SmartKnobFrame.decode(bytes)
    }
  }
}
