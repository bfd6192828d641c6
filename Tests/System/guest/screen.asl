// A laptop's screen of 101 levels for QEMU's graphics card in slot 2: the kernel's driver "video" makes the backlight
// acpi_video0 of it. See the ACPI Specification 6.5, appendix B.
DefinitionBlock ("", "SSDT", 2, "STEPPR", "SCREEN", 1)
{
  External (\_SB.PCI0.S10, DeviceObj)
  Scope (\_SB.PCI0.S10)
  {
    Method (_DOS, 1) { }
    Method (_DOD) { Return (Package () { 0x80000400 }) }
    Device (LCD0)
    {
      Name (_ADR, 0x0400)
      Name (LVL, 50)
      // On mains, on battery, then all of them.
      Method (_BCL)
      {
        Return (Package () {
          100, 50,
          0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
          20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
          40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
          60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
          80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
          100
        })
      }
      Method (_BCM, 1) { LVL = Arg0 }
      Method (_BQC) { Return (LVL) }
    }
  }
}
