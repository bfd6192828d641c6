import StepperConfiguration
import StepperCore
import StepperLinux

extension Daemon {
  /// Gives the controls their saved values. Restored values are not published as changes.
  func restoreValues() {
    configureStore()
    restore { _ in true }
    while world.nextEffect() != nil {}
  }

  /// After a reload: controls, and names of choices, that exist again. `former` are the kinds of the controls before.
  func restoreReturned(since former: [String: ControlKind]) {
    configureStore()
    restore { $0.kind == .choice || former[$0.name] != $0.kind }
    passOnEffects()
  }

  /// Restores controls of these names, whose values have become readable.
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
