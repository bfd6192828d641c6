import StepperConfiguration
import StepperCore
import StepperSystem

extension Daemon {
  func restore() {
    do throws(ValueStore.Failure) {
      for (name, value) in try store.load() {
        guard let id = controls.control(named: name), controls.configuration(of: id).restores else {
          continue
        }
        controls.advance(to: now, applying: .restored(id, value))
      }
    } catch {
      journal.warning(.daemon, error.message)
    }
  }

  func remember(_ state: ControlState) {
    let configuration = controls.configuration(of: state.control)
    guard configuration.restores else { return }
    store.remember(state.value, of: configuration.settings.name, at: now)
  }

  func save() throws(ValueStore.Failure) { try store.save(at: now) }

  func saveReporting() {
    do throws(ValueStore.Failure) {
      try save()
    } catch {
      journal.error(.daemon, "values are not remembered: \(error.message)")
    }
  }
}
