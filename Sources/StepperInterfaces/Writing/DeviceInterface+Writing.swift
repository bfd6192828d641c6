// The messages of devices, each field in the order of its interface description.

import Varlink

extension DeviceInterface.Capability: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"name\":", name, to: &buffer)
    JSONText.append(",\"role\":", role.rawValue, to: &buffer)
    JSONText.append(",\"controls\":", controls, to: &buffer)
    JSONText.append(",\"eventType\":", eventType, to: &buffer)
    JSONText.append(",\"eventCode\":", eventCode, to: &buffer)
    JSONText.append(",\"minimum\":", minimum, to: &buffer)
    JSONText.append(",\"maximum\":", maximum, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension DeviceInterface.Device: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"device\":", device, to: &buffer)
    JSONText.append(",\"name\":", name, to: &buffer)
    JSONText.append(",\"vendor\":", vendor, to: &buffer)
    JSONText.append(",\"product\":", product, to: &buffer)
    JSONText.append(",\"physicalPath\":", physicalPath, to: &buffer)
    JSONText.append(",\"uniqueName\":", uniqueName, to: &buffer)
    JSONText.append(",\"node\":", node, to: &buffer)
    JSONText.append(",\"virtual\":", virtual, to: &buffer)
    JSONText.append(",\"state\":", state.rawValue, to: &buffer)
    JSONText.append(",\"problem\":", problem, to: &buffer)
    JSONText.append(",\"capabilities\":", capabilities, to: &buffer)
    JSONText.append(",\"omittedCapabilities\":", omittedCapabilities, to: &buffer)
    JSONText.append(",\"outputs\":", outputs, to: &buffer)
    JSONText.append(",\"lights\":", lights, to: &buffer)
    JSONText.append(",\"events\":", events, to: &buffer)
    JSONText.append(",\"overruns\":", overruns, to: &buffer)
    JSONText.append(",\"connects\":", connects, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension DeviceInterface.List.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"devices\":", devices, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}

extension DeviceInterface.Subscribe.Reply: JSONWritable {
  package func appendJSON(to buffer: inout [UInt8]) {
    JSONText.append("{\"snapshot\":", snapshot, to: &buffer)
    JSONText.append(",\"devices\":", devices, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }
}
