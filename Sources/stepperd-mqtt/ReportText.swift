internal import StepperConfiguration
internal import StepperMQTT
internal import StepperProgram
internal import StepperText

extension MQTTBridgeReport {
  /// The report as a text for the log and the status.
  var text: String {
    switch self {
    case .refusedFilters(let filters):
      "the broker refuses to pass on \(filters.joined(separator: ", ")); allow this user to read them"
    case .unretained:
      "the broker keeps no retained messages: clients that connect later see nothing of this board until something changes; allow the broker to retain messages"
    case .silentBroker(let topic):
      "the broker does not pass on what is published on \(topic); allow this user to read and write it"
    case .refusedPublication(let topic, let reason, let others):
      "the broker refuses what is published on \(topic)\(others > 0 ? " and \(others) other topics" : ""): \(reason); allow this user to write it, or raise the broker's limit"
    case .retainedCommand:
      "ignored, because it is retained: publish it without the retain flag, and clear it with an empty retained message"
    case .tooManyCommands(let count, let topic):
      "commands come faster than 50 a second: \(count) dropped, the last on \(topic.onOneLine(limit: 600)); of each control the newest set, reset and target is done"
    case .clock(.behind(let seconds)):
      "commands have times \(seconds) s ahead of this board's clock, so that old ones are not recognized; set the clock of the board or of the sender"
    case .clock(.ahead(let seconds, let count)):
      "\(count) commands in a row were refused as too old, the last one as \(seconds) s old; if they were new, set the clock of the board or of the sender"
    case .reservedNames(let names):
      "\(names.joined(separator: ", ")) cannot be published: these topics are the board's own; rename the control"
    case .remoteRefused(let name, let failure):
      "stepperd does not take the device of [mqtt.remote.\(name)]: \(failure.message)"
        + BridgeProgram.mqtt.remedy(ofRefusal: failure.code)
    case .online, .brokerLost, .takenOver, .refused, .refusedConfiguration: ""
    }
  }
}
