import StepperCore
import StepperLinux
import Testing

@Suite struct EvdevUsageNameTests {
  @Test(arguments: [
    ("REL_DIAL", EvdevUsage.dial), ("KEY_VOLUMEUP", .volumeUp), ("BTN_0", .button0),
    ("ABS_VOLUME", .absoluteVolume),
    ("REL_WHEEL_HI_RES", .wheelHighResolution), ("REL_X", .relative(0)), ("KEY_RESERVED", .key(0)),
  ])
  func `a name and its number are each other's`(name: String, usage: EvdevUsage) {
    #expect(EvdevUsage(name: name) == usage)
    #expect(usage.name == name)
  }

  @Test func `a second name of a code is understood`() {
    #expect(EvdevUsage(name: "BTN_A") == EvdevUsage(name: "BTN_SOUTH"))
    #expect(EvdevUsage(name: "BTN_A") != nil)
  }

  @Test(arguments: [
    "", "DIAL", "rel_dial", "REL_", "REL_NOPE", "KEY_MAX", "ABS_MAX", "EV_KEY", "SW_LID", "LED_MUTE",
  ])
  func `other words are no usage`(word: String) {
    #expect(EvdevUsage(name: word) == nil)
  }

  @Test func `a code without a name is shown as a number`() {
    #expect(EvdevUsage.key(0x2fe).name == "0x2fe")
    #expect(EvdevUsage.dial.typeName == "EV_REL")
    #expect(EvdevUsage(type: 0x0f, code: 0).typeName == "0xf")
  }

  @Test func `every name in the list means what it names`() {
    #expect(EvdevUsage.allNames.count > 500)
    #expect(Set(EvdevUsage.allNames).count == EvdevUsage.allNames.count)
    for name in EvdevUsage.allNames { #expect(EvdevUsage(name: name)?.name == name) }
  }
}
