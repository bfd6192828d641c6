import StepperConfiguration
import StepperCore
import StepperLinux

extension Daemon {
  /// Restores the saved values of all controls. Restored values are not published as changes.
  func restoreValues() {
    configureStore()
    restore { _ in true }
    while world.nextEffect() != nil {}
  }

  /// Restores saved values after a reload: of controls that are new or have a new kind, and of choices, because a saved
  /// name may be in the list again. `former` has the kinds of the controls before the reload, by name.
  func restoreReturned(since former: [String: ControlKind]) {
    configureStore()
    restore { $0.kind == .choice || former[$0.name] != $0.kind }
    passOnEffects()
  }

  /// Restores the controls with these names, whose saved values have become readable.
  func restore(_ names: Set<String>) {
    guard !names.isEmpty else { return }
    restore { names.contains($0.name) }
    passOnEffects()
  }

  private func restore(where isWanted: (ControlSettings) -> Bool) {
    for id in world.ids where world.configuration(of: id).restores {
      let settings = world.configuration(of: id).settings
      guard isWanted(settings), let saved = store.value(for: settings) else { continue }
      let value = saved.map(world.configuration(of: id).restoreBounds.clamp)
      if value != world.state(of: id).value { world.advance(to: loop.now, applying: .restored(id, value)) }
    }
  }

  private func configureStore() {
    store.configure(world.configurations.map { ($0.settings, $0.restores) }, at: loop.now)
  }
}
