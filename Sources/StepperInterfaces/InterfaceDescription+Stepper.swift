public import Varlink

extension InterfaceDescription {
  /// `org.stepperd.control`: named values.
  public static let control = InterfaceDescription(
    name: ControlInterface.name,
    text: String(decoding: PackageResources.org_stepperd_control_varlink, as: UTF8.self),
    methods: MethodLimits.control)
  /// `org.stepperd.device`: input devices.
  public static let device = InterfaceDescription(
    name: DeviceInterface.name,
    text: String(decoding: PackageResources.org_stepperd_device_varlink, as: UTF8.self),
    methods: MethodLimits.device)
  /// `org.stepperd.manager`: running the daemon.
  public static let manager = InterfaceDescription(
    name: ManagerInterface.name,
    text: String(decoding: PackageResources.org_stepperd_manager_varlink, as: UTF8.self),
    methods: MethodLimits.manager)
  /// `io.systemd.Metrics`: numbers about the daemon, in systemd's form.
  public static let metrics = InterfaceDescription(
    name: MetricsInterface.name,
    text: String(decoding: PackageResources.io_systemd_Metrics_varlink, as: UTF8.self),
    methods: MethodLimits.metrics)
}
