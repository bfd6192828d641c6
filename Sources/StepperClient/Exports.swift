// The states, devices and problems that this library returns are types of StepperInterfaces, and its errors hold those of
// Varlink, so a program that imports StepperClient alone must be able to use them. So it was with the formatting of values
// before that was a library of its own.
@_exported public import StepperFormatting
@_exported public import StepperInterfaces
@_exported public import Varlink
