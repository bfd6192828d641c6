/** Keys: down presses, up releases, and the engine repeats, as it ignores the kernel's own repeats. */

const STEPS = {
  ArrowUp: 'increment', ArrowDown: 'decrement', PageUp: 'pageIncrement', PageDown: 'pageDecrement',
};
const ENDS = { Home: 'toMinimum', End: 'toMaximum' };
const FAR = { ...ENDS, PageUp: 'toMaximum', PageDown: 'toMinimum' };
const SIDES = { ArrowRight: 1, ArrowLeft: -1 };

/** The action of a key in the presentation, if it has one. */
function actionOf({ options: { as, look }, rightToLeft }, { key, ctrlKey }) {
  if (as === 'field') return ctrlKey ? FAR[key] : STEPS[key];
  if (ctrlKey || !['stepper', 'slider'].includes(as)) return undefined;
  const sideways = as === 'slider' || /^(uikit|swiftui|material)/.test(look);
  if (sideways && SIDES[key]) return SIDES[key] * (rightToLeft ? -1 : 1) > 0 ? 'increment' : 'decrement';
  return STEPS[key] ?? ENDS[key];
}

export function bindKeys(control, on) {
  const held = new Map();
  const { root, parts } = control.view;
  const letGo = ({ code, key }) => {
    held.get(code || key)?.release();
    held.delete(code || key);
  };
  const hold = (event, action) => {
    event.preventDefault();
    const name = event.code || event.key;
    if (event.repeat || held.has(name) || !control.can(action)) return;
    held.set(name, control.press(action));
  };
  on(root, 'keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.metaKey || event.isComposing) return;
    if (parts.button && event.key === ' ') return hold(event, 'push');
    if (event.key === 'Escape' && control.releaseHolds()) return event.preventDefault();
    const action = actionOf(control, event);
    if (action) hold(event, action);
  });
  on(root, 'keyup', (event) => {
    // Or a native button would click.
    if (parts.button && event.key === ' ') event.preventDefault();
    letGo(event);
  });
  on(root, 'focusout', () => {
    for (const one of held.values()) one.release();
    held.clear();
  });
}
