import StepperCore
import TestSupport
import Testing

@testable import StepperDaemon

/// A motor and a hand, in virtual time.
@MainActor @Suite struct MotorTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  private static var motor: Motor {
    Motor(output: "motor", usage: .absoluteVolume, axis: "ABS_VOLUME", touch: .button0)
  }

  @Test func `a matched motor goes to the value, once`() {
    var motor = Self.motor
    #expect(motor.decide(nil, isForeign: true, isTouched: false, at: Self.at(0)) == .nothing)
    #expect(motor.decide(70, isForeign: true, isTouched: false, at: Self.at(0)) == .order)
    #expect(motor.ordered == 70)
    #expect(motor.decide(70, isForeign: true, isTouched: false, at: Self.at(1)) == .nothing)
  }

  @Test func `what a hand makes of the control needs no order`() {
    var motor = Self.motor
    _ = motor.decide(70, isForeign: true, isTouched: false, at: Self.at(0))
    #expect(motor.isAsOrdered)
    motor.noteMotion(at: Self.at(500))
    #expect(motor.decide(20, isForeign: false, isTouched: false, at: Self.at(500)) == .nothing)
    // Who asks for the orders now is not told the former one.
    #expect(!motor.isAsOrdered)
    #expect(motor.decide(20, isForeign: true, isTouched: false, at: Self.at(5_000)) == .nothing)
  }

  /// With soft pickup a hand may move the axis without any effect.
  @Test func `a change that waits for the hand is not forgotten when the hand has no effect`() {
    var motor = Self.motor
    _ = motor.decide(70, isForeign: true, isTouched: false, at: Self.at(0))
    motor.noteMotion(at: Self.at(500))
    _ = motor.decide(70, isForeign: false, isTouched: false, at: Self.at(500))
    #expect(motor.decide(30, isForeign: true, isTouched: false, at: Self.at(600)) == .wait(Self.at(800)))
    motor.noteMotion(at: Self.at(700))
    #expect(motor.decide(30, isForeign: false, isTouched: false, at: Self.at(700)) == .wait(Self.at(1_000)))
    #expect(motor.decide(30, isForeign: true, isTouched: false, at: Self.at(1_000)) == .order)
  }

  /// Any hand, any other client: no order while a hand is on the axis or within its rest, and at rest the axis is at the value.
  @Test(arguments: Seed.fresh(20))
  func `no hand is fought, and at rest all is where it should be`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    for _ in 1...200 {
      var motor = Self.motor
      var (time, value, axis): (Int64, Int32, Int32) = (0, 50, 0)
      var (isTouched, moved, changed): (Bool, Int64?, Int64) = (false, nil, 0)
      func look() -> Motor.Decision {
        let isForeign = moved.map { changed >= $0 } ?? true
        return motor.decide(value, isForeign: isForeign, isTouched: isTouched, at: Self.at(time))
      }
      func follow() {
        guard look() == .order else { return }
        #expect(!isTouched && moved.map { time >= $0 + 300 } ?? true)
        axis = value
      }
      for _ in 1...30 {
        time += .random(in: 1...400, using: &random)
        follow()
        switch Int.random(in: 0...3, using: &random) {
        case 0: isTouched.toggle()
        case 1:
          // A hand moves the axis, and the control with it; what changed it last is the device.
          axis = .random(in: 0...100, using: &random)
          (value, moved, changed) = (axis, time, -1)
          motor.noteMotion(at: Self.at(time))
        case 2: (value, changed) = (.random(in: 0...100, using: &random), time)
        default: motor.forget()
        }
        follow()
      }
      isTouched = false
      time += 301
      follow()
      #expect(axis == value)
    }
  }
}
