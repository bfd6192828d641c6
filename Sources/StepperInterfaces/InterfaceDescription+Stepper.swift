public import Varlink

extension InterfaceDescription {
  /// The interfaces of the daemon, without `org.varlink.service`.
  public static let stepperd: [InterfaceDescription] = [
    control, device, provider, manager, metrics, systemdService,
  ]

  /// `org.stepperd.control`: named values.
  public static let control = InterfaceDescription(
    name: ControlInterface.name,
    text: OutsideText.shown(PackageResources.org_stepperd_control_varlink),
    methods: MethodLimits.control)
  /// `org.stepperd.device`: input devices.
  public static let device = InterfaceDescription(
    name: DeviceInterface.name,
    text: OutsideText.shown(PackageResources.org_stepperd_device_varlink),
    methods: MethodLimits.device)
  /// `org.stepperd.provider`: devices that programs bring.
  public static let provider = InterfaceDescription(
    name: ProviderInterface.name,
    text: OutsideText.shown(PackageResources.org_stepperd_provider_varlink),
    methods: MethodLimits.provider)
  /// `org.stepperd.manager`: running the daemon.
  public static let manager = InterfaceDescription(
    name: ManagerInterface.name,
    text: OutsideText.shown(PackageResources.org_stepperd_manager_varlink),
    methods: MethodLimits.manager)
  /// `io.systemd.Metrics`: numbers about the daemon, in systemd's form.
  public static let metrics = InterfaceDescription(
    name: MetricsInterface.name,
    text: OutsideText.shown(PackageResources.io_systemd_Metrics_varlink),
    methods: MethodLimits.metrics)
  /// `io.systemd.service`: whether the daemon answers, the level of its log and its environment, in systemd's form.
  public static let systemdService = InterfaceDescription(
    name: SystemdServiceInterface.name,
    text: OutsideText.shown(PackageResources.io_systemd_service_varlink),
    methods: MethodLimits.systemdService)
}
