// This library returns states, devices and problems of StepperInterfaces, and its errors hold those of Varlink, so a
// program that imports StepperClient alone must be able to use these types. The formatting of values was part of this
// library before, and programs that use it still compile.
@_exported public import StepperInterfaces
@_exported public import Varlink
