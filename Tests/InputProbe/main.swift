internal import Glibc

// A program for the tests of StepperInput: prints what it hears of the input devices, one fact a line.
//
//     input-probe [--grab] [--source udev|kernel]

do {
  try Probe(arguments: CommandLine.arguments).run()
} catch {
  print("failed \(error)")
  exit(1)
}
