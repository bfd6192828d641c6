// The states, devices and problems that this library returns are StepperWire's types, so a program that imports
// StepperClient alone must be able to use them.
@_exported public import StepperWire
