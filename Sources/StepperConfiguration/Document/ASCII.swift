internal import Varlink

/// Lets ASCII characters and ranges of them be patterns that match bytes.
func ~= (scalar: Unicode.Scalar, byte: UInt8) -> Bool { byte == UInt8(ascii: scalar) }

func ~= (range: ClosedRange<Unicode.Scalar>, byte: UInt8) -> Bool { range.contains(Unicode.Scalar(byte)) }

func isDigit(_ byte: UInt8) -> Bool { "0"..."9" ~= byte }

func isHexadecimalDigit(_ byte: UInt8) -> Bool { isDigit(byte) || "a"..."f" ~= byte || "A"..."F" ~= byte }

package func isBareKeyByte(_ byte: UInt8) -> Bool { byte.isNameByte }
