internal import StepperBridge

extension ThreadedOutside {
  /// The `quantity` of the sink of that name; `@DEFAULT_SINK@` is followed when it changes.
  package static func pulse(sink: String, _ quantity: PulseQuantity) -> ThreadedOutside {
    ThreadedOutside { port throws(OutsideFailure) in
      try PulseSession(sink, quantity, port).run()
    }
  }
}
