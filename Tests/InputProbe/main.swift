internal import Glibc

// A program for the tests of StepperLinux: prints what it hears of the input devices, one fact a line.
//
//     input-probe [--grab] [--source udev|kernel]
//     input-probe outputs NODE|- [OPTION…] [COMMAND , COMMAND…]    plays effects: OutputProbe.swift

do {
  if CommandLine.arguments.dropFirst().first == "outputs" {
    var arguments = CommandLine.arguments.dropFirst(2)
    let probe = try OutputProbe(&arguments)
    probe.run(arguments)
    exit(0)
  }
  try Probe(arguments: CommandLine.arguments).run()
} catch {
  print("failed \(error)")
  exit(1)
}
