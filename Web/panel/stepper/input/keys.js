/** Keys: down presses, up releases; the engine repeats. Shift makes a step a page, Alt the smallest step that is shown. */
import { schedule } from '../dom.js';
import { submit } from './submit.js';

const STEPS = { ArrowUp: 'increment', ArrowDown: 'decrement', PageUp: 'pageIncrement', PageDown: 'pageDecrement' };
const ENDS = { Home: 'toMinimum', End: 'toMaximum' };
const SIDES = { ArrowRight: 1, ArrowLeft: -1 };
const PAGES = { increment: 'pageIncrement', decrement: 'pageDecrement' };
const NUMBERS = /^(stepper|field|slider)$/;

function actionOf({ options: { as, look }, rightToLeft }, { key, ctrlKey, shiftKey }) {
  const paged = (action) => (shiftKey ? PAGES[action] ?? action : action);
  if (as === 'button') return key === ' ' ? 'push' : undefined;
  if (as === 'field') return ctrlKey ? { ...ENDS, PageUp: 'toMaximum', PageDown: 'toMinimum' }[key] : paged(STEPS[key]);
  if (ctrlKey || !NUMBERS.test(as)) return undefined;
  const side = (as === 'slider' || /^(uikit|swiftui|material)/.test(look)) && SIDES[key];
  if (side) return paged(side > 0 === rightToLeft ? 'decrement' : 'increment');
  return paged(STEPS[key]) ?? ENDS[key];
}

/** One of the last decimal place; where the control keeps no such values, a step. */
async function nudge(control, action) {
  const { kind, state: { text, value }, description: { step = 1 } } = control, places = (text?.split('.')[1] ?? '').length;
  const size = kind === 'continuous' ? Math.min(step, 10 ** -places) : step, sum = value + (action === 'increment' ? size : -size);
  const answer = size < step && await control.act('set', { text: sum.toFixed(places), clamp: true });
  if (size === step || answer?.state.text === text) control.press(action).release();
}

export function bindKeys(control, on) {
  const held = new Map(), { root, parts } = control.view;
  let nudging = false;
  const small = async (event) => {
    const action = { ArrowUp: 'increment', ArrowDown: 'decrement' }[event.key];
    if (!action || !NUMBERS.test(control.options.as)) return;
    event.preventDefault();
    if (nudging || !control.can(action)) return;
    nudging = true;
    if (control.draft === null || await control.field.commit()) await nudge(control, action);
    nudging = false;
  };
  on(root, 'keydown', (event) => {
    const { key, code } = event, { as } = control.options;
    // A native button clicks again and again.
    if (key === 'Enter' && event.repeat && /switch|button/.test(as)) event.preventDefault();
    if (event.defaultPrevented || event.metaKey || event.isComposing) return;
    if (event.altKey) return void small(event);
    if (key === 'Enter' && !event.repeat && /stepper|slider/.test(as)) submit(control.internals.form);
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
    // A refusal belongs to the description from now on.
    if (control.error !== null) schedule(control);
  });
}
