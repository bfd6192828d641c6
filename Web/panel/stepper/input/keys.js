/** Keys: down presses, up releases; the engine repeats. */

const STEPS = { ArrowUp: 'increment', ArrowDown: 'decrement', PageUp: 'pageIncrement', PageDown: 'pageDecrement' };
const ENDS = { Home: 'toMinimum', End: 'toMaximum' };
const SIDES = { ArrowRight: 1, ArrowLeft: -1 };

function actionOf({ options: { as, look }, rightToLeft }, { key, ctrlKey }) {
  if (as === 'button') return key === ' ' ? 'push' : undefined;
  if (as === 'field') return ctrlKey ? { ...ENDS, PageUp: 'toMaximum', PageDown: 'toMinimum' }[key] : STEPS[key];
  if (ctrlKey || !/stepper|slider/.test(as)) return undefined;
  const side = (as === 'slider' || /^(uikit|swiftui|material)/.test(look)) && SIDES[key];
  if (side) return side > 0 === rightToLeft ? 'decrement' : 'increment';
  return STEPS[key] ?? ENDS[key];
}

export function bindKeys(control, on) {
  const held = new Map(), { root, parts } = control.view;
  on(root, 'keydown', (event) => {
    const { key, code } = event;
    if (event.defaultPrevented || event.altKey || event.metaKey || event.isComposing) return;
    if (key === 'Escape' && control.releaseHolds()) event.preventDefault();
    const action = actionOf(control, event);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat && !held.has(code || key) && control.can(action)) held.set(code || key, control.press(action));
  });
  on(root, 'keyup', (event) => {
    // A native button would click.
    if (parts.button && event.key === ' ') event.preventDefault();
    const name = event.code || event.key;
    held.get(name)?.release();
    held.delete(name);
  });
  on(root, 'focusout', () => {
    for (const hold of held.values()) hold.release();
    held.clear();
  });
}
