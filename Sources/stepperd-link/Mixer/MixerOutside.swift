internal import CLinks
internal import Glibc
internal import StepperBridge

extension ThreadedOutside {
  /// The `quantity` of an element of a mixer of ALSA.
  package static func mixer(card: String, element: String, _ quantity: MixerQuantity) -> ThreadedOutside {
    ThreadedOutside("the mixer of \(card)") { port throws(OutsideFailure) in
      try serve(MixerElement(card, element, quantity), port)
    }
  }

  private static func serve(_ element: MixerElement, _ port: OutsidePort) throws(OutsideFailure) {
    port.report(.terms(element.scale.terms))
    port.report(.value(try element.place()))
    var pace = LookPace()
    while !port.isEnded {
      // The kernel keeps one event of each element.
      let pause = pace.pause()
      var polled = pause == nil ? element.descriptors() : []
      guard pause != nil || !polled.isEmpty else {
        throw OutsideFailure("the card has no descriptor to wait for")
      }
      polled.append(pollfd(fd: port.wakeDescriptor, events: Int16(POLLIN), revents: 0))
      _ = unsafe poll(&polled, nfds_t(polled.count), pause ?? -1)
      if polled.removeLast().revents != 0 { port.takeWakeup() }
      if let place = port.takeWrite() {
        try element.set(place)
        port.finishWrite()
      }
      if !polled.isEmpty {
        try element.takeEvents(&polled)
        port.report(.value(try element.place()))
        pace.looked()
      }
    }
  }
}
